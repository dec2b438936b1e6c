import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { Link } from '../../ui/router.tsx'
import { Sortable } from '../../ui/sortable.tsx'
import '../css/setup.css'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { collectFaults, SaveBar, useDraft } from '../setup/draft.tsx'
import { useOpenAt } from '../setup/form-builder.tsx'
import { JobPart } from '../setup/job-part.tsx'
import { isNew, newFieldKey } from '../setup/merge.ts'
import { problemInWords } from '../setup/problems.ts'
import {
  ANSWER_TYPES,
  cleanChoices,
  keyFrom,
  type PrescreenQuestion,
  QuestionEditor,
  type QuestionSetup,
  questionName,
  questionProblems,
  takesChoices,
} from '../setup/question-editor.tsx'
import { EditableRow } from '../setup/row.tsx'

const MAX_OF_JOB = 5
const MAX_QUESTIONS = 50

const KINDS = [
  {
    kind: 'common',
    title: 'Standard questions',
    about: 'Asked for any job, such as the permission to work.',
    add: 'Add a standard question',
  },
  {
    kind: 'adaptive',
    title: 'Questions of this job',
    about: `About what this job needs; at most ${MAX_OF_JOB}.`,
    add: 'Add a question of this job',
  },
] as const
type Kind = (typeof KINDS)[number]['kind']

const SOURCES: Readonly<Record<string, string>> = { template: 'from a template', ai: 'suggested', recruiter: '' }

const toQuestion = ({ id, choices, ...question }: QuestionSetup): PrescreenQuestion => ({
  key: id,
  kind: question.kind,
  prompt: question.prompt,
  response_key: question.response_key,
  answer_type: question.answer_type,
  choices: choices ?? [],
  required: question.required,
  source: question.source,
})

const inputOf = (question: PrescreenQuestion) => ({
  ...(isNew(question) ? {} : { id: question.key }),
  kind: question.kind,
  prompt: question.prompt,
  response_key: question.response_key,
  answer_type: question.answer_type,
  choices: takesChoices(question) ? cleanChoices(question) : null,
  required: question.required,
  source: question.source,
})

const newQuestion = (kind: Kind): PrescreenQuestion => ({
  key: newFieldKey(),
  kind,
  prompt: '',
  response_key: '',
  answer_type: 'text',
  choices: [],
  required: false,
  source: 'recruiter',
})

/** The name of a new question follows its text until it is changed itself. */
function changed(question: PrescreenQuestion, changes: Partial<PrescreenQuestion>): PrescreenQuestion {
  const next = { ...question, ...changes }
  const follows = isNew(question) && question.response_key === keyFrom(question.prompt)
  return follows && changes.response_key === undefined ? { ...next, response_key: keyFrom(next.prompt) } : next
}

/** The pre-screen questions of a job: at the end of the application form, and by phone where the job has a code. */
export function JobQuestionsPage({ params: { id: jobId } }: PageProps<'id'>) {
  const ofJob = { job_id: jobId }
  const [openKey, setOpenKey] = useState<string>()
  const draft = useDraft({
    read: useData('/jobs/{job_id}/questions', ofJob),
    jobId,
    itemsOf: response => response.questions.map(toQuestion),
    nameOf: questionName,
    saved: 'Questions saved',
    store: (questions, { version }) =>
      send('/jobs/{job_id}/questions', ofJob, {
        questions: questions.map(inputOf),
        expected_version: version,
      }),
  })
  const { stored, items, setItems } = draft
  useOpenAt(items, openKey, setOpenKey)
  const ofKind = (kind: Kind) => items.filter(question => question.kind === kind)
  const isFull = (kind: Kind) =>
    items.length >= MAX_QUESTIONS || (kind === 'adaptive' && ofKind(kind).length >= MAX_OF_JOB)
  const add = (kind: Kind) => {
    if (isFull(kind)) return
    const question = newQuestion(kind)
    setItems(before => ordered([...before, question]))
    setOpenKey(question.key)
  }
  const remove = (question: PrescreenQuestion) => {
    const index = items.indexOf(question)
    setItems(before => before.filter(({ key }) => key !== question.key))
    if (question.key === openKey) setOpenKey(undefined)
    const restore = (now: readonly PrescreenQuestion[]) =>
      now.some(({ key }) => key === question.key) ? [...now] : ordered(now.toSpliced(index, 0, question))
    toast(`“${questionName(question)}” removed`, 'good', { title: 'Undo', run: () => setItems(restore) })
  }
  useShortcuts([{ keys: KEYS.create, title: 'Add a question of this job', run: () => add('adaptive') }])
  const found = questionProblems(items)
  const problems = new Map([...collectFaults(draft.refused, 'questions', items), ...found])
  const change = (key: string, changes: Partial<PrescreenQuestion>) =>
    setItems(before => before.map(question => (question.key === key ? changed(question, changes) : question)))
  return (
    <JobPart draft={draft} tab="questions" title="Pre-screen questions">
      {mayEdit => (
        <>
          {stored && <PhoneNote stored={stored} />}
          {KINDS.map(({ kind, title, about, add: addTitle }) => (
            <Section
              key={kind}
              title={title}
              description={about}
              actions={
                mayEdit && (
                  <Button
                    onClick={() => add(kind)}
                    disabled={isFull(kind)}
                    title={isFull(kind) ? 'There are as many as there can be' : undefined}
                  >
                    <Icon name="plus" size={15} /> {addTitle}
                  </Button>
                )
              }
            >
              <fieldset class="plain" disabled={!mayEdit}>
                <Sortable
                  label={title}
                  items={ofKind(kind)}
                  nameOf={questionName}
                  onSort={next =>
                    setItems(before => ordered([...before.filter(question => question.kind !== kind), ...next]))
                  }
                >
                  {(question, _, handle) => (
                    <EditableRow
                      handle={handle}
                      title={questionName(question)}
                      facts={factsOf(question)}
                      open={question.key === openKey}
                      onToggle={() => setOpenKey(question.key === openKey ? undefined : question.key)}
                      onRemove={() => remove(question)}
                      wrong={[...problems.keys()].some(name => name.startsWith(`${question.key} `))}
                    >
                      <QuestionEditor
                        question={question}
                        problem={name => problems.get(`${question.key} ${name}`)}
                        onChange={changes => change(question.key, changes)}
                      />
                    </EditableRow>
                  )}
                </Sortable>
                {ofKind(kind).length === 0 && <Empty title="No questions" />}
              </fieldset>
            </Section>
          ))}
          <SaveBar draft={draft} problem={problemInWords(found)} />
        </>
      )}
    </JobPart>
  )
}

/** The standard ones first, as they are stored. */
const ordered = (questions: readonly PrescreenQuestion[]): PrescreenQuestion[] => [
  ...questions.filter(({ kind }) => kind === 'common'),
  ...questions.filter(({ kind }) => kind === 'adaptive'),
]

const factsOf = (question: PrescreenQuestion): string =>
  [
    ANSWER_TYPES.find(([type]) => type === question.answer_type)?.[1],
    question.required && 'required',
    SOURCES[question.source],
  ]
    .filter(Boolean)
    .join(' · ')

const PhoneNote = ({ stored }: { stored: Read<'/jobs/{job_id}/questions'> }) => (
  <div class="affected">
    <p>
      Candidates answer these questions at the end of{' '}
      <Link to={`/jobs/${stored.job.id}/form`}>the application form</Link>. Their answers are never shown to partners.
    </p>
    <p>
      {stored.dial_in_code === null ? (
        'This job has no phone pre-screen.'
      ) : (
        <>
          The phone pre-screen asks them, too. Candidates reach it with the code{' '}
          <strong class="mono">{stored.dial_in_code}</strong>, and can say in the form that they do not want a call.
        </>
      )}
    </p>
  </div>
)
