import type { ComponentType } from 'preact'
import { MessagesPanel } from './messages.tsx'
import { NotesPanel } from './notes.tsx'
import type { PanelProps } from './panel-props.ts'
import { ScorecardsPanel } from './scorecards.tsx'

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
