import type {
  Applicant,
  Application,
  ApplicationAnswers,
  ApplicationScore,
  FormField,
  PipelineStage,
  Resume,
  ResumeSummary,
  Screening,
} from '../../../packages/sdk/src/generated.ts'
import type { LatestStepResponse, Part, StepResponse } from '../../../src/hiring/api-types.ts'
import { read } from '../../ui/api.ts'
import { candidateList } from '../candidate-lists.ts'

/** `GET /candidates/{id}`, with the types of the API. */
export interface Candidate {
  application: Application
  job: { id: string; title: string; status: string; stages: PipelineStage[]; fields: FormField[] } | null
  applicant: Part<Applicant | null>
  unproved: boolean
  resume: Part<Resume | null>
  answers: Part<ApplicationAnswers>
  files: Part<AnswerFile[]>
  score: Part<ApplicationScore>
  screening: Part<Screening>
  /** the latest first */
  history: Part<StepResponse[]>
  latest_step: LatestStepResponse | null
  others: (Application & { job_title: string | null })[]
  resumes: Part<ResumeSummary[]>
}

export interface AnswerFile {
  id: string
  field_id: string
  filename: string
  mime: string
  bytes: number
  created_at: string
}

export const dataOf = <T>(part: Part<T>): T | undefined => ('data' in part ? part.data : undefined)

/** The person asked that processing stop: nothing can be decided or written about them. */
export const isStopped = ({ applicant }: Pick<Candidate, 'applicant'>): boolean =>
  dataOf(applicant)?.provenance.consent.suppressed === true

/** What the candidate is called, as on the board: people who may not read names see what is left, an application. */
export const nameOf = ({ applicant, application }: Pick<Candidate, 'applicant' | 'application'>): string =>
  'refused' in applicant ? `Candidate ${application.id.slice(-4)}` : applicant.data?.full_name || 'Name unknown'

export const stageName = (candidate: Candidate, id: string | null): string =>
  candidate.job?.stages.find(stage => stage.id === id)?.name ?? 'a stage that was removed'

/** The candidates before and after one, in the order of a list; handles only. */
export interface Neighbors {
  previous: string | null
  next: string | null
}

/** Where the reader came from: a board, whose query with `job_id` is `in` of the address, or another list. */
export interface Origin {
  text: string
  /** the way back; null: there is no page */
  path: string | null
  title: string
  neighbors: (id: string, signal: AbortSignal) => Promise<Neighbors>
}

export function originOf(text: string): Origin | undefined {
  const list = candidateList(text)
  if (list) return { text, ...list }
  const given = new URLSearchParams(text)
  const jobId = given.get('job_id')
  if (!jobId || !/^\w+$/.test(jobId)) return undefined
  given.delete('job_id')
  const query = given.toString()
  given.delete('stage_id')
  const filters = given.toString()
  return {
    text,
    path: `/jobs/${jobId}${filters && `?${filters}`}`,
    title: 'Candidates',
    neighbors: (id, signal) => read<Neighbors>(`/jobs/${jobId}/board/neighbors/${id}${query && `?${query}`}`, signal),
  }
}
