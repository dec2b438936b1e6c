import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import '../css/adding.css'
import '../css/stage-choice.css'
import type { JobRight } from '../../../src/contract/job-rights.ts'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { type Row, useData } from '../api.ts'
import { useJobRights } from '../job-rights.ts'
import { t } from '../texts/index.ts'

export type OpenJob = Row<'/jobs'>

/** The job that was chosen last comes first in the next choice. */
let lastJob = ''

export const chooseJobNext = ({ id }: OpenJob): void => {
  lastJob = id
}

const MAX_JOBS = 200

/** That of the last choice, then those that are published, then drafts; each in the order of the last change. */
const rankOf = ({ id, status }: OpenJob): number => (id === lastJob ? 0 : status === 'published' ? 1 : 2)

const fold = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

/** Jobs that take candidates, in which the reader may do it. Of many, the service looks for the words. */
function useOpenJobs(right: JobRight, exclude: readonly string[], q: string) {
  const rights = useJobRights()
  const [isMany, setMany] = useState(false)
  const query = { status: 'published,draft', limit: MAX_JOBS }
  const { data, error, reload } = useData('/jobs', isMany ? { ...query, q } : query)
  if (data?.next_cursor && !isMany) setMany(true)
  const words = fold(q).split(' ').filter(Boolean)
  const jobs = data?.data
    .filter(({ id }) => rights(id, right) && !exclude.includes(id))
    .filter(({ title }) => isMany || words.every(word => fold(title).includes(word)))
    .sort((a, b) => rankOf(a) - rankOf(b))
  return { jobs, error, reload }
}

interface JobChoiceProps {
  right: JobRight
  exclude: readonly string[]
  onChoose: (job: OpenJob) => void
}

/** One of the jobs: letters find it, arrows go to it, Enter takes it. */
export function JobChoice({ right, exclude, onChoose }: JobChoiceProps) {
  const [q, setQ] = useState('')
  const [active, setActive] = useState(0)
  const { jobs, error } = useOpenJobs(right, exclude, q)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const at = Math.min(active, (jobs?.length ?? 1) - 1)
  // Enter that is pressed before the jobs are there takes the first
  const isWaiting = useRef(false)
  const choose = (job: OpenJob | undefined) => {
    if (!jobs) isWaiting.current = true
    else if (job) onChoose(job)
  }
  useLayoutEffect(() => {
    if (jobs && isWaiting.current) choose(jobs[at])
  }, [jobs === undefined])
  useLayoutEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at])
  return (
    <Form
      class="job-choice"
      onSubmit={() => choose(jobs?.[at])}
      onKeyDown={event => {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        if (by === 0 || !jobs) return
        event.preventDefault()
        setActive(Math.max(0, Math.min(jobs.length - 1, at + by)))
      }}
    >
      <TextField
        label={t.adding.findJob}
        placeholder={t.adding.findJobHint}
        value={q}
        onInput={text => {
          setQ(text)
          setActive(0)
        }}
        autoComplete="off"
        autofocus
      />
      <FormError error={error} />
      {!jobs && !error && <Skeleton lines={4} />}
      {jobs?.length === 0 && <p class="soft">{q === '' ? t.adding.noJobs : t.adding.noJob}</p>}
      <div ref={list} id={id} class="stage-choice" role="listbox" aria-label={t.adding.findJob}>
        {jobs?.map((job, i) => (
          <button
            key={job.id}
            type="button"
            role="option"
            aria-selected={i === at}
            tabIndex={-1}
            onClick={() => choose(job)}
          >
            <span>{job.title}</span>
            <span class="faint">{job.status === 'draft' ? t.adding.draft : job.department}</span>
          </button>
        ))}
      </div>
    </Form>
  )
}
