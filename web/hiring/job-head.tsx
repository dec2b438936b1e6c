import type { ComponentChildren } from 'preact'
import { PageHead } from '../ui/page.tsx'
import { Link } from '../ui/router.tsx'
import { State, type Tone } from '../ui/tag.tsx'
import { useMay } from './session.ts'

type JobTab = 'candidates' | 'edit' | 'stages' | 'form' | 'questions' | 'history'

const TABS: readonly (readonly [tab: JobTab, title: string, path: string, scope: string])[] = [
  ['candidates', 'Candidates', '', 'applications:read'],
  ['edit', 'Edit', '/edit', 'jobs:manage'],
  ['stages', 'Stages', '/stages', 'jobs:manage'],
  ['form', 'Form', '/form', 'jobs:manage'],
  ['questions', 'Questions', '/questions', 'jobs:manage'],
  ['history', 'History', '/history', 'jobs:read'],
]

const TONES: Readonly<Record<string, Tone>> = { published: 'good', draft: 'warn', closed: 'plain' }

interface JobHeadProps {
  job: { id: string; title: string; status: string }
  tab: JobTab
  actions?: ComponentChildren
}

/** The head of every page of one job. */
export function JobHead({ job, tab, actions }: JobHeadProps) {
  const may = useMay()
  return (
    <>
      <PageHead
        title={job.title}
        back={{ to: '/', title: 'Jobs' }}
        description={<State tone={TONES[job.status] ?? 'plain'}>{job.status}</State>}
        actions={actions}
      />
      <nav class="tabs" aria-label="Pages of this job">
        {TABS.filter(([, , , scope]) => may(scope)).map(([id, title, path]) => (
          <Link key={id} to={`/jobs/${job.id}${path}`} current={id === tab}>
            {title}
          </Link>
        ))}
      </nav>
    </>
  )
}
