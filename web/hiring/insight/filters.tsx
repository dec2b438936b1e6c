import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Segments, SelectField } from '../../ui/form.tsx'
import { type Read, read, useData } from '../api.ts'
import { sourceName } from '../source-names.ts'
import { SPANS } from './names.ts'

export const FILTERS = ['days', 'job_id', 'department', 'source', 'group_by'] as const
export type Values = Record<(typeof FILTERS)[number], string>
export type SetValues = (changes: Partial<Values>) => void

type Option = readonly [value: string, label: string]

/** So many pages of jobs are read at most, of a hundred each; a job beyond them is found from its own row. */
const JOB_PAGES = 10

/** Every job that the reader may see. What was read stays if a later page fails. */
export function useJobs(): Option[] {
  const [jobs, setJobs] = useState<Option[]>([])
  useEffect(() => {
    const abort = new AbortController()
    const load = async () => {
      let cursor: string | undefined
      for (let page = 0; page < JOB_PAGES; page++) {
        const query = { include_unpublished: 'true', limit: 100, cursor }
        const { data, next_cursor }: Read<'/v1/jobs'> = await read('/v1/jobs', query, abort.signal)
        if (abort.signal.aborted) return
        setJobs(before => [...(page === 0 ? [] : before), ...data.map(({ id, title }) => [id, title] as const)])
        if (!next_cursor) return
        cursor = next_cursor
      }
    }
    load().catch(() => {})
    return () => abort.abort()
  }, [])
  return jobs
}

/** What can be chosen, also if what was chosen is not among it any more. */
const withChosen = (all: string | null, options: readonly Option[], chosen: string, name: string): Option[] => [
  ...(all === null ? [] : [['', all] as const]),
  ...(chosen === '' || options.some(([value]) => value === chosen) ? [] : [[chosen, name] as const]),
  ...options,
]

interface FilterProps {
  values: Values
  days: string
  after: string
  set: SetValues
  /** one job at a time, of those whose team the reader is on */
  limited: boolean
}

/** What the numbers are about. Sources are those of the chosen time. */
export function InsightFilters({ values, days, after, set, limited }: FilterProps) {
  const { job_id, department, source } = values
  const jobs = useJobs()
  const words = useData('/job-words')
  const sources = useData('/v1/analytics/hiring-funnel', {
    applied_after: after,
    group_by: 'source',
    job_id: limited ? job_id : '',
  })
  const departments = (words.data?.departments ?? []).map(name => [name, name] as const)
  const names = (sources.data?.groups ?? []).flatMap(({ key }) =>
    key === null ? [] : [[key, sourceName(key)] as const],
  )
  return (
    <div class="insight-filters">
      <div class="field">
        <span class="label" aria-hidden="true">
          Applied in the last
        </span>
        <Segments label="Applied in the last" value={days} options={SPANS} onInput={value => set({ days: value })} />
      </div>
      <SelectField
        label="Job"
        value={job_id}
        options={withChosen(limited ? null : 'All jobs', jobs, job_id, 'Chosen job')}
        onInput={value => set({ job_id: value })}
      />
      {!limited && (
        <SelectField
          label="Department"
          value={department}
          options={withChosen('All departments', departments, department, department)}
          onInput={value => set({ department: value })}
        />
      )}
      <SelectField
        label="Source"
        value={source}
        options={withChosen('All sources', names, source, sourceName(source))}
        onInput={value => set({ source: value })}
      />
      {((job_id && !limited) || department || source) && (
        <Button onClick={() => set({ job_id: '', department: '', source: '' })}>Clear</Button>
      )}
    </div>
  )
}
