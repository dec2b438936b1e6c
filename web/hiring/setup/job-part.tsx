import type { ComponentChildren } from 'preact'
import { Notice } from '../../ui/notice.tsx'
import { Pending } from '../../ui/page.tsx'
import type { Read } from '../api.ts'
import { JobSetup } from '../job-head.tsx'
import { useJobRights } from '../job-rights.ts'
import { useMay } from '../session.ts'
import { ConflictNotice, type Draft } from './draft.tsx'

interface JobPartProps {
  // biome-ignore lint/suspicious/noExplicitAny: of any list
  draft: Draft<any, any>
  tab: 'stages' | 'form' | 'questions'
  title: string
  children: (mayEdit: boolean) => ComponentChildren
}

/** A page on which one part of a job is changed; those who may not change it see it. */
export function JobPart({ draft, tab, title, children }: JobPartProps) {
  const may = useMay()
  const rights = useJobRights()
  const job: Read<'/jobs/{job_id}/stages'>['job'] | undefined = draft.stored?.job
  if (!job) return <Pending title={title} back={{ to: '/', title: 'Jobs' }} error={draft.error} reload={draft.reload} />
  const mayEdit = may('jobs:manage') && rights(job.id, 'setup')
  return (
    <JobSetup job={job} part={tab}>
      {!mayEdit && <Notice>Your role can see this and not change it.</Notice>}
      <ConflictNotice conflict={draft.conflict} />
      {children(mayEdit)}
    </JobSetup>
  )
}
