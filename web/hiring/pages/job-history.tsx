import { Button } from '../../ui/button.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { dateFormat, Time } from '../../ui/time.tsx'
import { type Row, useData, usePages } from '../api.ts'
import '../css/jobs.css'
import { JobHead } from '../job-head.tsx'
import { describeAuthor } from '../jobs/author.tsx'
import { describeField, findFieldLabel } from '../jobs/fields.ts'
import { useLive } from '../live.ts'
import { inBuilderWords } from '../setup/question-types.ts'

const DID: Readonly<Record<Row<'/jobs/{id}/history'>['action'], string>> = {
  created: 'created the job',
  edited: 'changed',
  published: 'published the job',
  unpublished: 'unpublished the job',
  closed: 'closed the job',
  reopened: 'reopened the job',
}

const FEW_ROWS = 100
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
const words = (name: string, value: unknown) =>
  isTime(value) ? dateFormat('date').format(new Date(value)) : describeField(name, value)

/** Who changed what of a job, newest first. */
export function JobHistoryPage({ params: { id } }: PageProps<'id'>) {
  const { data: job, error, reload } = useData('/v1/jobs/{job_handle}', { job_handle: id })
  const changes = usePages('/jobs/{id}/history', { id })
  useLive(({ data: { object } }) => {
    if (object.object !== 'job' || object.id !== id) return
    reload()
    if ((changes.rows?.length ?? 0) <= FEW_ROWS) changes.reload()
  })
  if (!job || job.id !== id) {
    return <Pending title="Job" back={{ to: '/', title: 'Jobs' }} error={error} reload={reload} />
  }
  const { rows, loading, more } = changes
  const days = rows && [...Map.groupBy(rows, ({ at }) => dateFormat('date').format(new Date(at)))]
  return (
    <>
      <JobHead job={job} tab="history" />
      {changes.error && <ErrorNote error={changes.error} retry={changes.retry} />}
      {!days && !changes.error && <Skeleton />}
      {days?.length === 0 && <Empty title="Nothing was changed yet" />}
      {days?.map(([date, ofDay]) => (
        <section key={date} class="history-day">
          <h2>{date}</h2>
          <ol>
            {ofDay.map(change => (
              <Change key={change.at} change={change} />
            ))}
          </ol>
        </section>
      ))}
      {more && (
        <Button small busy={loading} onClick={changes.loadMore}>
          Load more
        </Button>
      )}
    </>
  )
}

function Change({ change: { at, action, by, fields } }: { change: Row<'/jobs/{id}/history'> }) {
  // what a new job began with is on its own page
  const shown = action === 'created' ? fields.filter(({ name }) => name === 'status') : fields
  return (
    <li>
      <p>
        <b>{describeAuthor(by)}</b> {DID[action]}
        {action === 'edited' && ` ${listed(fields.map(({ name }) => findFieldLabel(name)))}`}{' '}
        <span class="faint">
          <Time at={at} />
        </span>
      </p>
      {shown.some(field => 'to' in field) && (
        <dl>
          {shown
            .filter(field => 'to' in field)
            .map(({ name, from, to, renamed }) => (
              <div key={name}>
                <dt>{findFieldLabel(name)}</dt>
                <dd>
                  {isLines(from) && isLines(to) ? (
                    <Lines {...inWords(name, { from, to, pairs: (renamed ?? []) as Pair[] })} />
                  ) : (
                    <>
                      {from !== undefined && (
                        <>
                          <del>{words(name, from)}</del> →{' '}
                        </>
                      )}
                      <ins>{words(name, to)}</ins>
                    </>
                  )}
                </dd>
              </div>
            ))}
        </dl>
      )}
    </li>
  )
}

const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')

type Pair = readonly [before: string, after: string]

/** The name is before the last bracket. */
const isRename = ([before, after]: Pair) =>
  before.slice(before.lastIndexOf(' (')) === after.slice(after.lastIndexOf(' ('))

interface LinesProps {
  from: readonly string[]
  to: readonly string[]
  /** Entries that were renamed, or changed otherwise. */
  pairs: readonly Pair[]
}

/** Questions of a form have the types that the form builder names. */
function inWords(name: string, lines: LinesProps): LinesProps {
  if (name !== 'application_form') return lines
  const { from, to, pairs } = lines
  return {
    from: from.map(inBuilderWords),
    to: to.map(inBuilderWords),
    pairs: pairs.map(([before, after]) => [inBuilderWords(before), inBuilderWords(after)] as const),
  }
}

/** What was removed from a list, what was renamed and what was added; where none, its new order. */
function Lines({ from, to, pairs }: LinesProps) {
  const removed = from.filter(line => !to.includes(line) && !pairs.some(([before]) => before === line))
  const added = to.filter(line => !from.includes(line) && !pairs.some(([, after]) => after === line))
  const isSame = removed.length === 0 && added.length === 0 && pairs.length === 0
  const isReordered = isSame && from.join('\n') !== to.join('\n')
  return (
    <ul class="history-lines">
      {pairs.map(([before, after]) => (
        <li key={`= ${before}`}>
          <span class="faint">{isRename([before, after]) ? 'Renamed ' : 'Changed '}</span>
          <del>{before}</del> → <ins>{after}</ins>
        </li>
      ))}
      {removed.map((line, i) => (
        <li key={`- ${i}`}>
          <span class="faint">Removed </span>
          <del>{line}</del>
        </li>
      ))}
      {added.map((line, i) => (
        <li key={`+ ${i}`}>
          <span class="faint">Added </span>
          <ins>{line}</ins>
        </li>
      ))}
      {isReordered && (
        <li>
          <span class="faint">New order </span>
          <ins>{to.join(', ')}</ins>
        </li>
      )}
      {isSame && !isReordered && <li class="faint">Texts and details</li>}
    </ul>
  )
}

/** `Title, Team and Locations` */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
