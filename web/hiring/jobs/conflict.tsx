import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, read } from '../api.ts'
import { describeAuthor } from './author.tsx'
import { describeField, isSame, JOB_FIELDS, type JobField, type JobValues } from './fields.ts'

/** What someone else stored while the reader was editing. */
export interface Overtaken {
  /** the latest of their changes */
  by: Row<'/jobs/{id}/history'> | undefined
  theirs: JobValues
  taken: JobField[]
  conflicts: JobField[]
}

/** What both changed and the reader has not decided. A field that has their value now is decided. */
export const undecided = (overtaken: Overtaken | undefined, mine: JobValues): JobField[] =>
  overtaken?.conflicts.filter(field => !isSame(mine[field], overtaken.theirs[field])) ?? []

/**
 * The latest change of someone else after this version; without it the page still says that there was one. Criteria are no
 * part of the editor.
 */
export async function latestChange(id: string, since: string): Promise<Overtaken['by']> {
  const found = await read('/jobs/{id}/history', { id, limit: 10 }).catch(() => undefined)
  return found?.data.find(
    ({ at, own, fields }) => at > since && !own && fields.some(({ name }) => name !== 'scorecard_criteria'),
  )
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
  const { by, theirs, taken } = overtaken
  const conflicts = undecided(overtaken, mine)
  return (
    <div role="alert" class="job-conflict" tabIndex={-1}>
      <Notice tone="warn">
        <p>
          <b>
            {by ? `${describeAuthor(by.by)} changed this job` : 'This job was changed elsewhere'} while you were editing
            it
          </b>
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
            <p>You both changed these. Yours are in the form, and nothing is saved until you decide.</p>
            <ul class="job-conflicts">
              {conflicts.map(field => (
                <li key={field}>
                  <b>{JOB_FIELDS[field][0]}</b>
                  <dl>
                    <dt>Theirs</dt>
                    <dd>{describeField(field, theirs[field])}</dd>
                    <dt>Yours</dt>
                    <dd>{describeField(field, mine[field])}</dd>
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
        {conflicts.length > 0 ? (
          <p>Decide, then save again.</p>
        ) : (
          <p>
            Save to store your own changes.{' '}
            <Button small onClick={onClose}>
              Close
            </Button>
          </p>
        )}
      </Notice>
    </div>
  )
}
