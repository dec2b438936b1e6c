import { useEffect, useState } from 'preact/hooks'
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
  StageTransition,
} from '../../../packages/sdk/src/generated.ts'
import type { Part } from '../../../src/hiring/api-types.ts'
import { read } from '../../ui/api.ts'

/** `GET /candidates/{id}`, with the types of the API. */
export interface Candidate {
  application: Application
  job: { id: string; title: string; status: string; stages: PipelineStage[]; fields: FormField[] } | null
  applicant: Part<Applicant | null>
  resume: Part<Resume | null>
  answers: Part<ApplicationAnswers>
  files: Part<AnswerFile[]>
  score: Part<ApplicationScore>
  screening: Part<Screening>
  transitions: Part<StageTransition[]>
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

/** What the candidate is called: people who may not read names see that there is one. */
export const nameOf = ({ applicant }: Pick<Candidate, 'applicant'>): string =>
  dataOf(applicant)?.full_name || 'Candidate'

export const stageName = (candidate: Candidate, id: string | null): string =>
  candidate.job?.stages.find(stage => stage.id === id)?.name ?? 'a stage that was removed'

interface Neighbors {
  previous: string | null
  next: string | null
}

/** The board that the reader came from: `in` of the address is its query, with `job_id`. */
export interface BoardQuery {
  jobId: string
  /** filters and stage, as the service takes them */
  query: string
  /** the way back */
  path: string
}

export function boardQuery(text: string): BoardQuery | undefined {
  const given = new URLSearchParams(text)
  const jobId = given.get('job_id')
  if (!jobId || !/^\w+$/.test(jobId)) return undefined
  given.delete('job_id')
  const query = given.toString()
  given.delete('stage_id')
  const filters = given.toString()
  return { jobId, query, path: `/jobs/${jobId}${filters && `?${filters}`}` }
}

/** The candidates before and after this one, in the order of the board; handles only. undefined until they are known. */
export function useNeighbors(id: string, board: BoardQuery | undefined): Neighbors | undefined {
  const [found, setFound] = useState<Neighbors & { of: string }>()
  const path = board && `/jobs/${board.jobId}/board/neighbors/${id}${board.query && `?${board.query}`}`
  useEffect(() => {
    if (path === undefined) return
    const abort = new AbortController()
    read<Neighbors>(path, abort.signal).then(
      neighbors => setFound({ ...neighbors, of: id }),
      // the job is gone, or the query is not one of a board: there is nowhere to go
      () => abort.signal.aborted || setFound(undefined),
    )
    return () => abort.abort()
  }, [id, path])
  return found?.of === id ? found : undefined
}
