import { StaleNote } from '../stale-note.tsx'
import '../css/decisions.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Pending, Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { JobSetup } from '../job-head.tsx'
import { useJobRights } from '../job-rights.ts'
import { useMay } from '../session.ts'
import { Kits } from '../setup/kits.tsx'

const MOST = 50

/** What interviewers rate on the scorecards of a job. */
export function CriteriaPage({ params }: PageProps<'id'>) {
  const job = useData('/v1/jobs/{job_handle}', { job_handle: params.id })
  const criteria = useData('/jobs/{job}/criteria', { job: params.id })
  const may = useMay()
  const rights = useJobRights()
  if (!job.data) return <Pending title="Job" back={{ to: '/', title: 'Jobs' }} error={job.error} reload={job.reload} />
  return (
    <JobSetup job={job.data} part="criteria">
      <Section
        title="Scorecard criteria"
        description="What interviewers of this job rate from 1 to 5. Scorecards that were written keep the criteria they had."
      >
        {criteria.error && !criteria.data && <ErrorNote error={criteria.error} retry={criteria.reload} />}
        {!criteria.data && !criteria.error && <Skeleton lines={4} />}
        {criteria.data &&
          (may('jobs:manage') && rights(job.data.id, 'setup') ? (
            // another version is another form: it is read only after saving, and when the reader asks for it
            <Editor key={criteria.data.version} jobId={job.data.id} saved={criteria.data} reload={criteria.reload} />
          ) : (
            <Shown criteria={criteria.data.criteria} />
          ))}
      </Section>
      <Kits
        jobId={job.data.id}
        mayEdit={may('jobs:manage') && rights(job.data.id, 'setup')}
        criteriaVersion={criteria.data?.version}
      />
    </JobSetup>
  )
}

type Criteria = Read<'/jobs/{job}/criteria'>

const Shown = ({ criteria }: { criteria: Criteria['criteria'] }) =>
  criteria.length === 0 ? (
    <Empty title="This job has no criteria" />
  ) : (
    <ul>
      {criteria.map(({ name, description }) => (
        <li key={name}>
          <b>{name}</b> {description}
        </li>
      ))}
    </ul>
  )

interface Line {
  /** stays with the line when it is moved */
  key: number
  name: string
  description: string
}

let keys = 0
const linesOf = (criteria: Criteria['criteria']): Line[] =>
  criteria.map(({ name, description }) => ({ key: ++keys, name, description: description ?? '' }))

const sameText = (lines: readonly Line[], criteria: Criteria['criteria']): boolean =>
  lines.length === criteria.length &&
  criteria.every(({ name, description }, i) => lines[i]?.name === name && lines[i].description === (description ?? ''))

interface EditorProps {
  jobId: string
  saved: Criteria
  reload: () => void
}

function Editor({ jobId, saved, reload }: EditorProps) {
  const [lines, setLines] = useState(() => linesOf(saved.criteria))
  const [focus, setFocus] = useState<number>()
  const { busy, error, submit } = useSubmit()
  const changed = !sameText(lines, saved.criteria)
  useLeaveGuard(changed && ENTERED)
  const edit = (key: number, change: Partial<Line>) =>
    setLines(now => now.map(line => (line.key === key ? { ...line, ...change } : line)))
  const move = (at: number, by: number) =>
    setLines(now => now.toSpliced(at, 1).toSpliced(at + by, 0, ...now.slice(at, at + 1)))
  const add = () => {
    const line = { key: ++keys, name: '', description: '' }
    setLines(now => [...now, line])
    setFocus(line.key)
  }
  return (
    <Form
      class="panel"
      aria-label="Criteria"
      onSubmit={() =>
        submit(async () => {
          const criteria = lines.map(({ name, description }) => ({ name, description }))
          await send('/jobs/{job}/criteria', { job: jobId }, { criteria, expected_version: saved.version })
          toast('Criteria saved')
          reload()
        })
      }
    >
      {lines.length === 0 && <p class="soft">This job has no criteria. Interviewers give a recommendation alone.</p>}
      <ol class="rows-editor">
        {lines.map((line, i) => {
          const wrong = error?.fields.get(`criteria[${i}].name`)
          return (
            <li key={line.key}>
              <div>
                <NameInput
                  line={line}
                  number={i + 1}
                  wrong={wrong !== undefined}
                  focused={focus === line.key}
                  onInput={name => edit(line.key, { name })}
                />
                {wrong && <p class="fault">The name {wrong}.</p>}
              </div>
              <input
                type="text"
                aria-label={`Description of criterion ${i + 1}`}
                placeholder="What good looks like"
                maxLength={500}
                value={line.description}
                onInput={event => edit(line.key, { description: event.currentTarget.value })}
              />
              <RowButtons
                number={i + 1}
                isLast={i === lines.length - 1}
                onMove={by => move(i, by)}
                onRemove={() => setLines(now => now.filter(({ key }) => key !== line.key))}
              />
            </li>
          )
        })}
      </ol>
      {error?.code === 'stale_resource' ? (
        <StaleNote onLoad={reload}>
          Someone changed the criteria while you were editing. Your entries are still here and not saved: note what you
          need, then load theirs.
        </StaleNote>
      ) : (
        <FormError error={error} marked />
      )}
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!changed}>
          Save criteria
        </Button>
        <Button disabled={lines.length >= MOST} onClick={add}>
          Add criterion
        </Button>
      </div>
    </Form>
  )
}

interface RowButtonsProps {
  /** the position of the criterion, from 1 */
  number: number
  isLast: boolean
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

const RowButtons = ({ number, isLast, onMove, onRemove }: RowButtonsProps) => (
  <div class="row-buttons">
    <RowButton label={`Move criterion ${number} up`} disabled={number === 1} onClick={() => onMove(-1)}>
      ↑
    </RowButton>
    <RowButton label={`Move criterion ${number} down`} disabled={isLast} onClick={() => onMove(1)}>
      ↓
    </RowButton>
    <button type="button" class="icon-button" aria-label={`Remove criterion ${number}`} onClick={onRemove}>
      <Icon name="close" size={16} />
    </button>
  </div>
)

interface NameInputProps {
  line: Line
  number: number
  wrong: boolean
  focused: boolean
  onInput: (name: string) => void
}

function NameInput({ line, number, wrong, focused, onInput }: NameInputProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  return (
    <input
      ref={input}
      type="text"
      aria-label={`Name of criterion ${number}`}
      aria-invalid={wrong || undefined}
      placeholder="Communication"
      maxLength={240}
      value={line.name}
      onInput={event => onInput(event.currentTarget.value)}
    />
  )
}

interface RowButtonProps {
  label: string
  disabled: boolean
  onClick: () => void
  children: string
}

const RowButton = ({ label, disabled, onClick, children }: RowButtonProps) => (
  <button type="button" class="icon-button" aria-label={label} disabled={disabled} onClick={onClick}>
    {children}
  </button>
)
