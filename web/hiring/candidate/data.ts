import { type Read, read } from '../api.ts'
import { candidateList } from '../candidate-lists.ts'

export type Candidate = Read<'/candidates/{id}'>

/** What a read returned, or why the role, or the state of the record, does not allow it. */
type Part<T> = { data: T } | { refused: Refusal }
export type Refusal = Extract<Candidate['score'], { refused: unknown }>['refused']

export type DataOf<P> = P extends { data: infer T } ? T : never
export type AnswerFile = DataOf<Candidate['files']>[number]

export const dataOf = <T>(part: Part<T>): T | undefined => ('data' in part ? part.data : undefined)

/** The person asked that processing stop: nothing can be decided or written about them. */
export const isStopped = ({ applicant }: Pick<Candidate, 'applicant'>): boolean =>
  dataOf(applicant)?.provenance.consent.suppressed === true

/** What the candidate is called, as on the board: people who may not read names see what is left, an application. */
export const candidateName = ({ applicant, application }: Pick<Candidate, 'applicant' | 'application'>): string =>
  'refused' in applicant ? `Candidate ${application.id.slice(-4)}` : applicant.data?.full_name || 'Name unknown'

export const stageName = (candidate: Candidate, id: string | null): string =>
  candidate.job?.stages.find(stage => stage.id === id)?.name ?? 'a stage that was removed'

/** The candidates before and after one, in the order of a list; handles only. */
export type Neighbors = Read<'/jobs/{job_id}/board/neighbors/{application_id}'>

/** Where the reader came from: a board, whose query with `job_id` is `in` of the address, or another list. */
export interface Origin {
  text: string
  /** the way back; null: there is no page */
  path: string | null
  title: string
  neighbors: (id: string, signal: AbortSignal) => Promise<Neighbors>
}

export function readOrigin(text: string): Origin | undefined {
  const list = candidateList(text)
  if (list) return { text, ...list }
  const given = new URLSearchParams(text)
  const jobId = given.get('job_id')
  if (!jobId || !/^\w+$/.test(jobId)) return undefined
  given.delete('job_id')
  const query = Object.fromEntries(given)
  given.delete('stage_id')
  const filters = given.toString()
  return {
    text,
    path: `/jobs/${jobId}${filters && `?${filters}`}`,
    title: 'Candidates',
    neighbors: (id, signal) =>
      read('/jobs/{job_id}/board/neighbors/{application_id}', { ...query, job_id: jobId, application_id: id }, signal),
  }
}
