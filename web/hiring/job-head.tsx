import type { ComponentChildren } from 'preact'
import { JOB_STATUS_NAMES, JOB_STATUSES, type JobStatus } from '../../src/contract/job-status.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { PageHead } from '../ui/page.tsx'
import { Link } from '../ui/router.tsx'
import { State, type Tone } from '../ui/tag.tsx'
import { useMay } from './session.ts'
import { Tabs } from './tabs.tsx'

type JobTab = 'candidates' | 'edit' | 'stages' | 'form' | 'questions' | 'criteria' | 'team' | 'history'

const TABS: readonly (readonly [tab: JobTab, title: string, path: string, scope: Scope])[] = [
  ['candidates', 'Candidates', '', 'applications:read'],
  ['edit', 'Edit', '/edit', 'jobs:read'],
  ['stages', 'Stages', '/stages', 'jobs:manage'],
  ['form', 'Form', '/form', 'jobs:manage'],
  ['questions', 'Questions', '/questions', 'jobs:manage'],
  ['criteria', 'Criteria', '/criteria', 'jobs:manage'],
  ['team', 'Team', '/team', 'jobs:manage'],
  ['history', 'History', '/history', 'jobs:read'],
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
  const mayEdit = may('jobs:write')
  return (
    <>
      <PageHead
        title={job.title}
        back={{ to: '/', title: 'Jobs' }}
        description={<JobState status={job.status} />}
        actions={actions}
      />
      <Tabs label="Pages of this job" current={tab}>
        {TABS.filter(([, , , scope]) => may(scope)).map(([id, title, path]) => (
          <Link key={id} to={`/jobs/${job.id}${path}`} current={id === tab}>
            {id === 'edit' && !mayEdit ? 'Details' : title}
          </Link>
        ))}
      </Tabs>
    </>
  )
}
