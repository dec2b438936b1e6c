import type { ComponentType } from 'preact'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { MessagesPanel } from './messages.tsx'
import { NotesPanel } from './notes.tsx'
import { ScorecardsPanel } from './scorecards.tsx'

export interface PanelProps {
  application: Application
  /** reads the application again after a change */
  reload: () => void
}

/** A part of the candidate's page, next to the résumé. */
export interface Panel {
  /** in the address: `?panel=notes` */
  id: string
  title: string
  component: ComponentType<PanelProps>
  /** the scope of the API that the role needs to see it */
  scope?: string
}

/** In the order of the tabs. */
export const PANELS: readonly Panel[] = [
  { id: 'notes', title: 'Notes', component: NotesPanel, scope: 'notes:write' },
  { id: 'scorecards', title: 'Scorecards', component: ScorecardsPanel, scope: 'scorecards:write' },
  { id: 'messages', title: 'Messages', component: MessagesPanel, scope: 'messages:send' },
]
