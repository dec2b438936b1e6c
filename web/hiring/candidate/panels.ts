import type { ComponentType } from 'preact'
import { AnswersPanel } from './answers.tsx'
import { FilesPanel } from './files.tsx'
import { HistoryPanel } from './history.tsx'
import { OverviewPanel } from './overview.tsx'
import type { PanelProps } from './panel-props.ts'

/** A part of the candidate's page, next to the résumé. */
export interface Panel {
  /** in the address: `?panel=notes` */
  id: string
  title: string
  component: ComponentType<PanelProps>
  /** the scope of the API that the role needs to see it; parts without one say themselves what they may not show */
  scope?: string
}

/** In the order of the tabs. */
export const PANELS: readonly Panel[] = [
  { id: 'overview', title: 'Overview', component: OverviewPanel },
  { id: 'answers', title: 'Answers', component: AnswersPanel },
  { id: 'history', title: 'History', component: HistoryPanel },
  { id: 'files', title: 'Files', component: FilesPanel },
]
