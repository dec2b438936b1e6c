import type { Application } from '../../../packages/sdk/src/generated.ts'
import type { Candidate } from './data.ts'

/** What a part of the candidate's page is given. */
export interface PanelProps {
  application: Application
  /** everything that the page was given, for parts that need no request of their own */
  candidate: Candidate
  /** reads the application again after a change */
  reload: () => void
}
