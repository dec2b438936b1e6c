import type { ComponentType } from 'preact'
import type { JobRight } from '../../../src/contract/job-rights.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import type { t } from '../texts/index.ts'
import { ActivityPanel } from './activity.tsx'
import { AnswersPanel } from './answers.tsx'
import { ChecksPanel } from './checks.tsx'
import { FilesPanel } from './files.tsx'
import { MessagesPanel } from './messages.tsx'
import { NotesPanel } from './notes.tsx'
import { OverviewPanel } from './overview.tsx'
import type { PanelProps } from './panel-props.ts'
import { ScorecardsPanel } from './scorecards.tsx'

/** A part of the candidate's page, next to the résumé. */
export interface Panel {
  /** in the address: `?panel=notes` */
  id: keyof typeof t.candidate.panels
  component: ComponentType<PanelProps>
  /** the scope of the API that the role needs to see it; parts without one say themselves what they may not show */
  scope?: Scope
  /** what the role in the job must allow */
  right?: JobRight
  /** also for people who asked that processing stop: it shows nothing that they sent, and nothing can be written there */
  evenIfStopped?: true
}

/** In the order of the tabs. */
export const PANELS: readonly Panel[] = [
  { id: 'activity', component: ActivityPanel, evenIfStopped: true },
  { id: 'overview', component: OverviewPanel, evenIfStopped: true },
  { id: 'answers', component: AnswersPanel },
  { id: 'notes', component: NotesPanel, scope: 'notes:write', right: 'feedback' },
  {
    id: 'scorecards',
    component: ScorecardsPanel,
    scope: 'scorecards:write',
    right: 'feedback',
  },
  { id: 'checks', component: ChecksPanel, scope: 'orders:read', right: 'discuss' },
  { id: 'messages', component: MessagesPanel, scope: 'messages:send', right: 'messages' },
  { id: 'files', component: FilesPanel },
]
