import type { ComponentChildren } from 'preact'
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

const TONES: Readonly<Record<string, Tone>> = { published: 'good', draft: 'warn', closed: 'plain' }

export const JobState = ({ status }: { status: string }) => (
  <State tone={TONES[status] ?? 'plain'}>{status.charAt(0).toUpperCase() + status.slice(1)}</State>
)

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
