import '../css/scorecards.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { StaleNote } from '../stale-note.tsx'
import { t } from '../texts/index.ts'

type Setup = Read<'/jobs/{job}/kits'>
type Stage = Setup['stages'][number]
type Kit = Stage['kit']

const MOST_QUESTIONS = 50

interface KitsProps {
  jobId: string
  mayEdit: boolean
  /** what counts in a stage are criteria of the job: others are read after these were saved */
  criteriaVersion: string | undefined
}

/** What interviewers of each stage of a job are given. */
export function Kits({ jobId, mayEdit, criteriaVersion }: KitsProps) {
  const { data, error, reload } = useData('/jobs/{job}/kits', { job: jobId })
  const known = useRef(criteriaVersion)
  const [chosen, setChosen] = useState<string>()
  const [isChanged, setChanged] = useState(false)
  const stage = data?.stages.find(({ id }) => id === chosen) ?? data?.stages[0]
  useLeaveGuard(isChanged && ENTERED)
  useEffect(() => {
    if (known.current !== undefined && known.current !== criteriaVersion) reload()
    known.current = criteriaVersion
  }, [criteriaVersion])
  const choose = (id: string) => {
    if (isChanged && !confirm(t.scorecards.kits.leave)) return
    setChanged(false)
    setChosen(id)
  }
  return (
    <Section title={t.scorecards.kits.title} description={t.scorecards.kits.description}>
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && !stage && <Empty title={t.scorecards.kits.none} />}
      {data && stage && (
        <>
          <div class="kit-stage">
            <SelectField
              label={t.scorecards.kits.stage}
              value={stage.id}
              options={data.stages.map(({ id, name }) => [id, name])}
              onInput={choose}
            />
          </div>
          <fieldset class="kit-fields" disabled={!mayEdit}>
            <KitEditor
              // another version is another form: it is read only after saving, and when the reader asks for it
              key={`${stage.id} ${stage.version}`}
              jobId={jobId}
              stage={stage}
              setup={data}
              mayEdit={mayEdit}
              onChanged={setChanged}
              reload={reload}
            />
          </fieldset>
        </>
      )}
    </Section>
  )
}

interface EditorProps {
  jobId: string
  stage: Stage
  setup: Setup
  mayEdit: boolean
  onChanged: (isChanged: boolean) => void
  reload: () => void
}

function KitEditor({ jobId, stage, setup, mayEdit, onChanged, reload }: EditorProps) {
  const [kit, setKit] = useState<Kit>(stage.kit)
  const { busy, error, fault, submit } = useSubmit()
  const words = t.scorecards.kits
  const set = (change: Partial<Kit>) => {
    const next = { ...kit, ...change }
    setKit(next)
    onChanged(JSON.stringify(next) !== JSON.stringify(stage.kit))
  }
  const save = () =>
    submit(async () => {
      const body = { stage_id: stage.id, kit, expected_version: stage.version }
      await send('/jobs/{job}/kits', { job: jobId }, body)
      onChanged(false)
      toast(words.saved)
      reload()
    })
  return (
    <Form class="kit-editor" aria-label={stage.name} onSubmit={save}>
      <TextField
        label={words.intro}
        value={kit.intro ?? ''}
        rows={3}
        maxLength={5000}
        fault={fault('kit.intro')}
        onInput={intro => set({ intro: intro === '' ? null : intro })}
      />
      <Questions
        questions={kit.questions}
        criteria={setup.criteria}
        fault={fault('kit.questions')}
        onInput={questions => set({ questions })}
      />
      {setup.criteria.length > 0 && (
        <CountedCriteria all={setup.criteria} counted={kit.criteria} onInput={criteria => set({ criteria })} />
      )}
      <div class="kit-minutes">
        <TextField
          label={words.minutes}
          type="number"
          value={kit.minutes === null ? '' : String(kit.minutes)}
          fault={fault('kit.minutes')}
          onInput={text => set({ minutes: text === '' ? null : Math.trunc(Number(text)) })}
        />
      </div>
      <Checks
        label={words.people}
        options={setup.people.map(({ id, name }) => [id, name])}
        chosen={kit.interviewer_user_ids}
        onInput={ids => set({ interviewer_user_ids: ids })}
      />
      {error?.code === 'stale_resource' ? (
        <StaleNote onLoad={reload}>{words.stale}</StaleNote>
      ) : (
        <FormError error={error} marked />
      )}
      {mayEdit && (
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={JSON.stringify(kit) === JSON.stringify(stage.kit)}>
            {words.save}
          </Button>
        </div>
      )}
    </Form>
  )
}

interface QuestionsProps {
  questions: Kit['questions']
  criteria: Setup['criteria']
  fault: string | undefined
  onInput: (questions: Kit['questions']) => void
}

function Questions({ questions, criteria, fault, onInput }: QuestionsProps) {
  const words = t.scorecards.kits
  const change = (at: number, next: Partial<Kit['questions'][number]>) =>
    onInput(questions.map((question, i) => (i === at ? { ...question, ...next } : question)))
  const options = [['', words.noCriterion] as const, ...criteria.map(({ name }) => [name, name] as const)]
  return (
    <fieldset>
      <legend>{words.questions}</legend>
      {questions.map(({ text, criterion }, i) => (
        // questions have no identity of their own
        <div key={i} class="kit-question">
          <input
            type="text"
            aria-label={words.question(i + 1)}
            maxLength={1000}
            value={text}
            onInput={event => change(i, { text: event.currentTarget.value })}
          />
          <Select
            label={words.aboutCriterion(i + 1)}
            value={criterion ?? ''}
            options={options}
            onInput={name => change(i, { criterion: name === '' ? null : name })}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={words.removeQuestion(i + 1)}
            onClick={() => onInput(questions.toSpliced(i, 1))}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      ))}
      {fault && <p class="fault">{fault}</p>}
      <Button
        small
        disabled={questions.length >= MOST_QUESTIONS}
        onClick={() => onInput([...questions, { text: '', criterion: null }])}
      >
        {words.addQuestion}
      </Button>
    </fieldset>
  )
}

interface CountedProps {
  all: Setup['criteria']
  /** null: all of the job, also those that come later */
  counted: readonly string[] | null
  onInput: (counted: string[] | null) => void
}

function CountedCriteria({ all, counted, onInput }: CountedProps) {
  const names = all.map(({ name }) => name)
  return (
    <fieldset>
      <legend>{t.scorecards.kits.criteria}</legend>
      <div class="kit-checks">
        <label>
          <input
            type="checkbox"
            checked={counted === null}
            onChange={event => onInput(event.currentTarget.checked ? null : names)}
          />
          {t.scorecards.kits.all}
        </label>
      </div>
      {counted !== null && (
        <Checks
          label={t.scorecards.kits.criteria}
          isHidden
          options={names.map(name => [name, name])}
          chosen={counted}
          onInput={onInput}
        />
      )}
    </fieldset>
  )
}

interface ChecksProps {
  label: string
  /** the label is drawn elsewhere */
  isHidden?: boolean
  options: readonly (readonly [id: string, name: string])[]
  chosen: readonly string[]
  onInput: (chosen: string[]) => void
}

const Checks = ({ label, isHidden, options, chosen, onInput }: ChecksProps) => (
  <fieldset>
    <legend class={isHidden ? 'visually-hidden' : undefined}>{label}</legend>
    <div class="kit-checks">
      {options.map(([id, name]) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={event => {
              const rest = chosen.filter(one => one !== id)
              onInput(event.currentTarget.checked ? [...rest, id] : rest)
            }}
          />
          {name}
        </label>
      ))}
    </div>
  </fieldset>
)
