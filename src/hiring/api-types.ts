/** Responses of the hiring pages' own endpoints. The pages import this file, so nothing here may import the server. */

export type RoleName = 'owner' | 'admin' | 'member' | 'viewer'

export interface HiringSessionResponse {
  user: { id: string; name: string; email: string; role: RoleName }
  workspace: { id: string; name: string; plan: { code: string; name: string } | null }
  csrf_token: string
  /** what the role may do, in the words of the API; buttons that would be refused are not shown */
  scopes: string[]
  /** whether the console is for this person */
  console: boolean
}
