import type { Application } from '../../../packages/sdk/src/generated.ts'

/** What a part of the candidate's page is given. */
export interface PanelProps {
  application: Application
  /** reads the application again after a change */
  reload: () => void
}
