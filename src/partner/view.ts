import type { Credential } from '../../packages/sdk/src/generated.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import type { Html } from '../pages/html.ts'
import type { Shown } from '../programs/page.ts'
import { apiFor, type CallApi, type SignedInPartner, unlessRefused } from './api.ts'
import { page } from './area.ts'
import { type PartnerPage, partnerPage } from './layout.ts'

/** What every page knows of its key. */
export interface View extends SignedInPartner {
  call: CallApi
  me: Credential
  /** names of the workspaces, as far as the key may read them */
  names: ReadonlyMap<string, string>
  /** calls that address a workspace send it */
  workspaceQuery: Record<string, string>
  /** empty for a key that has only one */
  workspace: string
  mayWrite: boolean
  /** whether the operator lets keys of this workspace create test workspaces */
  offersTests: boolean
}

/** A page of the key that is signed in. */
export const view = (path: string, show: (view: View) => Promise<Shown<Html>>) =>
  page({ path, session: 'needed', show: async visit => show(await readView(visit)) })

export async function readView(visit: SignedInPartner): Promise<View> {
  const call = apiFor(visit)
  const [me, workspaces] = await Promise.all([
    call('getMe', {}),
    unlessRefused(call('listWorkspaces', {}, { limit: '100' })),
  ])
  const workspace = chooseWorkspace(me, visit.query.get('workspace_id'))
  return {
    ...visit,
    call,
    me,
    names: new Map(workspaces instanceof ApiError ? [] : workspaces.data.map(({ id, name }) => [id, name])),
    workspace,
    workspaceQuery: workspace === '' ? {} : { workspace_id: workspace },
    mayWrite: me.owner_user_id !== null && me.scopes.includes('webhooks:write'),
    offersTests: offersTests(visit),
  }
}

/** Only a live workspace has test workspaces. */
export const offersTests = ({ services, session }: SignedInPartner): boolean =>
  services.config.TEST_WORKSPACES === 'self_serve' && session.authenticated.caller.workspaceEnvironment === 'live'

function chooseWorkspace(me: Credential, wanted: string | null): string {
  if (!me.workspace_id_required) return ''
  return wanted !== null && me.workspace_ids.includes(wanted) ? wanted : (me.workspace_ids[0] ?? '')
}

const DONE: ReadonlyMap<string, string> = new Map([
  ['test', 'A ping was queued. The deliveries show its result in a moment; reload the page.'],
  ['enable', 'The endpoint is enabled and receives new events.'],
  ['disable', 'The endpoint is disabled. Its waiting deliveries were canceled.'],
  ['redeliver', 'The event is sent again, as a new delivery.'],
])

/** A page of the key. `failed`: what the API refused of the form that was sent from it. */
export function shown(
  { session, me, workspace, offersTests, query }: View,
  parts: Pick<PartnerPage, 'path' | 'title' | 'description' | 'body'>,
  failed?: ApiError,
): Shown<Html> {
  const done = DONE.get(query.get('done') ?? '')
  const show = partnerPage({ session, me, workspace, offersTests, done, fault: failed?.message, ...parts })
  return { show, status: failed?.status ?? 200 }
}
