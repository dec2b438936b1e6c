import type { ComponentChildren } from 'preact'
import type { JobRight } from '../../src/contract/job-rights.ts'
import { JOB_STATUSES, type JobStatus } from '../../src/contract/job-status.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { Icon } from '../ui/icons.tsx'
import { useWindowTitle } from '../ui/page.tsx'
import { Link } from '../ui/router.tsx'
import { State, type Tone } from '../ui/tag.tsx'
import { useJobRights } from './job-rights.ts'
import { useMay } from './session.ts'
import { Tabs } from './tabs.tsx'
import { t } from './texts/index.ts'

type JobTab = 'candidates' | 'setup' | 'team' | 'history'
export type SetupPart = 'edit' | 'stages' | 'form' | 'questions' | 'criteria'

/** The parts of a job that are set up, each with what the role in the workspace must allow. */
const PARTS: readonly (readonly [part: SetupPart, title: () => string, scope: Scope])[] = [
  ['edit', () => t.jobs.details, 'jobs:read'],
  ['stages', () => t.jobs.stages, 'jobs:manage'],
  ['form', () => t.jobs.form, 'jobs:manage'],
  ['questions', () => t.jobs.questions, 'jobs:manage'],
  ['criteria', () => t.jobs.scorecards, 'jobs:manage'],
]

/** Each with what the role in the workspace and that in the job must allow. */
const TABS: readonly (readonly [tab: JobTab, title: () => string, path: string, scope: Scope, right: JobRight])[] = [
  ['candidates', () => t.common.nav.candidates, '', 'applications:read', 'see'],
  ['setup', () => t.board.setUp, '/edit', 'jobs:read', 'read_setup'],
  ['team', () => t.board.team, '/team', 'jobs:manage', 'see'],
  ['history', () => t.board.history, '/history', 'jobs:read', 'read_setup'],
]

const TONES: Readonly<Record<JobStatus, Tone>> = { published: 'good', draft: 'warn', closed: 'plain' }

export function JobState({ status }: { status: string }) {
  const known = JOB_STATUSES.find(one => one === status)
  return <State tone={known ? TONES[known] : 'plain'}>{known ? t.jobs.statuses[known] : status}</State>
}

interface JobHeadProps {
  job: { id: string; title: string; status: string }
  tab: JobTab
  actions?: ComponentChildren
}

/** The head of every page of one job: one row. */
export function JobHead({ job, tab, actions }: JobHeadProps) {
  const may = useMay()
  const rights = useJobRights()
  useWindowTitle(job.title)
  return (
    <header class="job-head">
      <Link to="/" class="icon-button" label={t.jobs.title}>
        <Icon name="back" size={16} />
      </Link>
      <h1 tabIndex={-1} title={job.title}>
        {job.title}
      </h1>
      <JobState status={job.status} />
      <Tabs label={t.jobs.pages} current={tab}>
        {TABS.filter(([, , , scope, right]) => may(scope) && rights(job.id, right)).map(([id, title, path]) => (
          <Link key={id} to={`/jobs/${job.id}${path}`} current={id === tab}>
            {title()}
          </Link>
        ))}
      </Tabs>
      {actions && <div class="page-actions">{actions}</div>}
    </header>
  )
}

interface JobSetupProps extends Omit<JobHeadProps, 'tab'> {
  part: SetupPart
  children: ComponentChildren
}

/** A page on which one part of a job is set up, next to the list of all parts. */
export function JobSetup({ job, part, actions, children }: JobSetupProps) {
  const may = useMay()
  const parts = PARTS.filter(([, , scope]) => may(scope))
  return (
    <>
      <JobHead job={job} tab="setup" actions={actions} />
      <div class="job-setup">
        <nav class="setup-parts" aria-label={t.board.setUp}>
          {parts.map(([id, title]) => (
            <Link key={id} to={`/jobs/${job.id}/${id}`} current={id === part}>
              {title()}
            </Link>
          ))}
        </nav>
        <div class="setup-part">{children}</div>
      </div>
    </>
  )
}
