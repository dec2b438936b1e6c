import type { TaskKind } from '../../../src/contract/task-kinds.ts'
import type { Read } from '../api.ts'
import { formatSoon } from '../interviews/words.ts'
import { t } from '../texts/index.ts'

export type Tasks = Read<'/tasks'>

/** In the order of the page. */
export const GROUPS = [
  'mentions',
  'interviews',
  'scorecards',
  'replies',
  'checks',
  'undecided',
  'fresh',
  'waiting',
] as const

export type Group = (typeof GROUPS)[number]

/** Those that the page has more of than it shows. */
export const GROUP_ROWS = 200

/** A row of My tasks, whatever it is about. */
export interface Task {
  key: string
  kind: TaskKind
  subject: string
  group: Group
  application_id: string
  /** null: the reader may not see names */
  name: string | null
  /** what it is about besides the name */
  facts: readonly string[]
  text: string | null
  /** since when, or when it begins */
  at: string
  /** the tab of the candidate that it opens */
  panel: string | undefined
  job_id: string
  job_title: string
  /** Where the candidate is, as far as the task knows it: then they can be moved and rejected. */
  place: { stage_id: string; status: Tasks['waiting'][number]['status'] } | null
  /** whether it can be marked as done */
  canBeDone: boolean
  check: Tasks['checks'][number] | undefined
}

type Row = Tasks['waiting'][number]
type Common = Pick<
  Row,
  'application_id' | 'job_id' | 'job_title' | 'stage_id' | 'stage_name' | 'status' | 'applicant_name'
>

const common = (row: Common, group: Group, kind: TaskKind, subject: string) => ({
  key: `${kind} ${subject}`,
  kind,
  subject,
  group,
  application_id: row.application_id,
  name: row.applicant_name,
  job_id: row.job_id,
  job_title: row.job_title,
  place: { stage_id: row.stage_id, status: row.status },
  text: null,
  canBeDone: true,
  panel: undefined,
  check: undefined,
})

const FORMER = () => t.tasks.facts.formerMember

const candidateTask = (row: Row, group: Group, kind: TaskKind): Task => {
  const changed = row.changed_at === null ? [] : [t.tasks.facts.changed]
  const facts = group === 'waiting' ? [row.stage_name, ...changed] : [row.job_title, row.stage_name]
  const canBeDone = group === 'fresh' || row.changed_at !== null
  return { ...common(row, group, kind, row.application_id), facts, at: row.changed_at ?? row.since, canBeDone }
}

const checkTask = (row: Tasks['checks'][number]): Task => {
  const words = t.tasks.checks[row.reason]
  const said = typeof words === 'string' ? words : words(row.vendor_name)
  return {
    key: `check ${row.order_id}`,
    kind: 'check',
    subject: row.order_id,
    group: 'checks',
    application_id: row.application_id,
    name: row.applicant_name,
    facts: [row.package_name, row.job_title],
    text: [said, row.reason === 'result' ? null : row.message].filter(Boolean).join(' '),
    at: row.since,
    panel: 'checks',
    job_id: '',
    job_title: row.job_title,
    place: null,
    canBeDone: row.reason !== 'not_invited' && row.reason !== 'waiting_on_workspace',
    check: row,
  }
}

/** Every task as a row, in the order of the page. */
export function rowsOf(data: Tasks): Task[] {
  const words = t.tasks.facts
  return [
    ...data.mentions.map(row => ({
      ...common(row, 'mentions', 'mention', row.note_id),
      facts: [row.job_title, row.author ?? FORMER()],
      text: row.body ?? words.hiddenNote(row.author ?? FORMER()),
      at: row.created_at,
      panel: 'notes',
    })),
    ...data.interviews.map(row => ({
      ...common(row, 'interviews', 'interview', row.interview_id),
      facts: [formatSoon(row.starts_at), t.interviews.kinds[row.kind], row.job_title],
      at: row.starts_at,
    })),
    ...data.scorecards.map(row => ({
      ...common(row, 'scorecards', 'scorecard', row.application_id),
      facts: [row.job_title, row.stage_name, words.askedBy(row.requested_by ?? FORMER())],
      at: row.requested_at,
      panel: 'scorecards',
    })),
    ...data.replies.map(row => ({
      ...common(row, 'replies', 'reply', row.application_id),
      facts: [words.wrote, row.job_title],
      at: row.since,
      panel: 'messages',
    })),
    ...data.answers.map(row => ({
      ...common(row, 'replies', 'answer', row.interview_id),
      facts: [words.answers[row.answer], row.job_title],
      at: row.answered_at,
      panel: 'activity',
    })),
    ...data.unsent.map(row => ({
      ...common(row, 'replies', 'unsent', row.message_id),
      facts: [words.unsent, row.job_title],
      at: row.since,
      panel: 'messages',
    })),
    ...data.checks.map(checkTask),
    ...data.undecided.map(row => ({ ...candidateTask(row, 'undecided', 'undecided'), canBeDone: false })),
    ...data.fresh.map(row => candidateTask(row, 'fresh', 'candidate')),
    ...byJob(data.waiting).map(row => candidateTask(row, 'waiting', 'candidate')),
  ]
}

/** Rows of one job together, the job whose candidate waits the longest first. */
const byJob = (rows: readonly Row[]): Row[] => [...Map.groupBy(rows, row => row.job_id).values()].flat()
