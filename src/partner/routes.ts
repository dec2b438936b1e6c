import type { ReadDownloads } from '../downloads/downloads.ts'
import { findNewerSdk, type NewerSdk } from '../downloads/newer.ts'
import type { Route } from '../kernel/http/route.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { pageRoutes } from '../programs/page.ts'
import { unlessRefused } from './api.ts'
import { partnerArea } from './area.ts'
import { accessBody, auditBody, newerSdkNotice, requestsBody, usageBody, workspaceChoice } from './pages.ts'
import { keySignInPages } from './sign-in.ts'
import { requestsByHour, sdkOfKey } from './store.ts'
import { testWorkspacePages } from './test-workspaces.ts'
import { shown, type View, view } from './view.ts'
import { webhookPages } from './webhook-routes.ts'

/** The partner's page: what a key has used, may use and may see, for anyone who has the key. */
const partnerPages = [
  view('', async v => {
    const { caller } = v.session.authenticated
    const [hours, newer] = await Promise.all([
      v.services.db.query(requestsByHour(caller.homeWorkspace, caller.keyId)),
      findNewer(v),
    ])
    return shown(v, {
      path: '/partner',
      title: 'Usage',
      description: 'What this key has used, and its limits.',
      body: [newer && newerSdkNotice(newer), usageBody(v.me, v.names, hours)],
    })
  }),
  ...webhookPages,
  view('/requests', async v => {
    const cursor = v.query.get('cursor') ?? ''
    const status = v.query.get('status') ?? ''
    const requestId = v.query.get('request_id')?.trim() ?? ''
    const given = Object.entries({ status, request_id: requestId, cursor }).filter(([, value]) => value !== '')
    const query = { ...v.workspaceQuery, limit: '50', ...Object.fromEntries(given) }
    const found = await unlessRefused(v.call('listRequests', {}, query))
    return shown(v, {
      path: '/partner/requests',
      title: 'Requests',
      description: 'The calls of this key in the last seven days, newest first. No bodies and no personal values.',
      body: [
        workspaceChoice('/partner/requests', v.me, v.names, v.workspace),
        requestsBody(found, { status, requestId, workspace: v.workspace }, cursor),
      ],
    })
  }),
  view('/audit', async v => {
    const cursor = v.query.get('cursor') ?? ''
    const query = { ...v.workspaceQuery, limit: '50', ...(cursor === '' ? {} : { cursor }) }
    const rows = await v.call('listPersonalDataReads', {}, query)
    return shown(v, {
      path: '/partner/audit',
      title: 'Audit',
      description: 'Every personal value that this key was shown, newest first. The values themselves are not stored.',
      body: [workspaceChoice('/partner/audit', v.me, v.names, v.workspace), auditBody(rows, v.workspace, cursor)],
    })
  }),
  view('/access', async v => {
    const { data } = await v.call('listMyAccess', {}, { limit: '100' })
    return shown(v, {
      path: '/partner/access',
      title: 'Access',
      description: 'What this key can do, and which fields it can read.',
      body: accessBody(v.me, data),
    })
  }),
  ...testWorkspacePages,
  ...keySignInPages,
]

/** Whether this service has a newer SDK than the one that the key used last. */
async function findNewer({ services, session, readDownloads }: View): Promise<NewerSdk | undefined> {
  const { caller } = session.authenticated
  const row = await services.db.one(sdkOfKey(caller.homeWorkspace, caller.keyId))
  if (!row || !readDownloads) return undefined
  return findNewerSdk(await readDownloads(), row.last_used_sdk)
}

export const partnerRoutes = (
  routes: readonly Route[],
  services: Services,
  readDownloads: ReadDownloads | undefined,
): RawRoute[] => pageRoutes(services, partnerArea(routes, readDownloads), partnerPages)
