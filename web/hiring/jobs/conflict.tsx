import type { JobChangeResponse } from '../../../src/hiring/api-types.ts'
import { read } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { authorOf } from './author.tsx'
import { JOB_FIELDS, type JobField, type JobValues, wordsOf } from './fields.ts'

/** What someone else stored while the reader was editing. */
export interface Overtaken {
  /** the latest of their changes */
  by: JobChangeResponse | undefined
  theirs: JobValues
  taken: JobField[]
  conflicts: JobField[]
}

/** Who changed the job last; without it the page still says that someone did. Criteria are no part of the editor. */
export async function latestChange(job: string): Promise<JobChangeResponse | undefined> {
  const found = await read<{ data: JobChangeResponse[] }>(`/jobs/${job}/history?limit=10`).catch(() => undefined)
  return found?.data.find(({ fields }) => fields.some(({ name }) => name !== 'scorecard_criteria'))
}

const names = (fields: readonly JobField[]) => fields.map(field => JOB_FIELDS[field][0]).join(', ')

interface ConflictProps {
  overtaken: Overtaken
  mine: JobValues
  /** the reader decided: their own value stays, or the other one is taken */
  decide: (field: JobField, which: 'mine' | 'theirs') => void
  onClose: () => void
}

export const ConflictNote = ({ overtaken, mine, decide, onClose }: ConflictProps) => {
  const { by, theirs, taken, conflicts } = overtaken
  return (
    <div role="alert" class="job-conflict">
      <Notice tone="warn">
        <p>
          <b>{by ? authorOf(by.by) : 'Someone'} changed this job while you were editing it</b>
          {by && (
            <>
              , <Time at={by.at} />
            </>
          )}
          . Nothing that you entered is lost.
        </p>
        {taken.length > 0 && <p>Their changes are in the form now: {names(taken)}.</p>}
        {conflicts.length > 0 && (
          <>
            <p>You both changed these. Yours are in the form; saving replaces theirs.</p>
            <ul class="job-conflicts">
              {conflicts.map(field => (
                <li key={field}>
                  <b>{JOB_FIELDS[field][0]}</b>
                  <dl>
                    <dt>Theirs</dt>
                    <dd>{wordsOf(field, theirs[field])}</dd>
                    <dt>Yours</dt>
                    <dd>{wordsOf(field, mine[field])}</dd>
                  </dl>
                  <span class="page-actions">
                    <Button small onClick={() => decide(field, 'theirs')}>
                      Use theirs
                    </Button>
                    <Button small onClick={() => decide(field, 'mine')}>
                      Keep yours
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
        <p>
          {conflicts.length > 0 ? 'Decide, then save again. ' : 'Save again to store your own changes. '}
          <Button small onClick={onClose}>
            Close
          </Button>
        </p>
      </Notice>
    </div>
  )
}
