import type { ComponentChildren } from 'preact'
import type { JobRight } from '../../src/contract/job-rights.ts'
import { JOB_STATUS_NAMES, JOB_STATUSES, type JobStatus } from '../../src/contract/job-status.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { PageHead } from '../ui/page.tsx'
import { Link } from '../ui/router.tsx'
import { State, type Tone } from '../ui/tag.tsx'
import { useJobRights } from './job-rights.ts'
import { useMay } from './session.ts'
import { Tabs } from './tabs.tsx'

type JobTab = 'candidates' | 'edit' | 'stages' | 'form' | 'questions' | 'criteria' | 'team' | 'history'

/** Each with what the role in the workspace and that in the job must allow. */
const TABS: readonly (readonly [tab: JobTab, title: string, path: string, scope: Scope, right: JobRight])[] = [
  ['candidates', 'Candidates', '', 'applications:read', 'see'],
  ['edit', 'Edit', '/edit', 'jobs:read', 'read_setup'],
  ['stages', 'Stages', '/stages', 'jobs:manage', 'read_setup'],
  ['form', 'Form', '/form', 'jobs:manage', 'read_setup'],
  ['questions', 'Questions', '/questions', 'jobs:manage', 'read_setup'],
  ['criteria', 'Criteria', '/criteria', 'jobs:manage', 'read_setup'],
  ['team', 'Team', '/team', 'jobs:manage', 'see'],
  ['history', 'History', '/history', 'jobs:read', 'read_setup'],
]

const TONES: Readonly<Record<JobStatus, Tone>> = { published: 'good', draft: 'warn', closed: 'plain' }

export function JobState({ status }: { status: string }) {
  const known = JOB_STATUSES.find(one => one === status)
  return <State tone={known ? TONES[known] : 'plain'}>{known ? JOB_STATUS_NAMES[known] : status}</State>
}

interface JobHeadProps {
  job: { id: string; title: string; status: string }
  tab: JobTab
  actions?: ComponentChildren
}

/** The head of every page of one job. */
export function JobHead({ job, tab, actions }: JobHeadProps) {
  const may = useMay()
  const rights = useJobRights()
  const mayEdit = may('jobs:write') && rights(job.id, 'setup')
  return (
    <>
      <PageHead
        title={job.title}
        back={{ to: '/', title: 'Jobs' }}
        description={<JobState status={job.status} />}
        actions={actions}
      />
      <Tabs label="Pages of this job" current={tab}>
        {TABS.filter(([, , , scope, right]) => may(scope) && rights(job.id, right)).map(([id, title, path]) => (
          <Link key={id} to={`/jobs/${job.id}${path}`} current={id === tab}>
            {id === 'edit' && !mayEdit ? 'Details' : title}
          </Link>
        ))}
      </Tabs>
    </>
  )
}
