import type { Queryable } from '../kernel/db/database.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import {
  endInstallation,
  type InstallationRow,
  readInstallation,
  selectInstallations,
  suspendInstallation,
} from '../resources/installations/index.ts'
import { endpointHealth, installationUse, readToday, unusedScopes } from './installation-store.ts'
import { memberNames } from './members.ts'
import { type Call, get, post } from './program.ts'

/** Apps of other publishers that are installed in this workspace. */
export const installationEndpoints = [
  get({
    path: '/installations',
    handler: async ({ db, session }) => {
      const rows = await db.query(selectInstallations(session.workspaceId))
      return { data: await Promise.all(rows.map(row => toResponse(db, row))) }
    },
  }),
  get({
    path: '/installations/{id}',
    handler: async call => withUnusedScopes(call.db, await installationOf(call)),
  }),
  // not `sensitive`, as with keys: a person who sees that something is wrong can end it immediately
  post({
    path: '/installations/{id}/suspend',
    handler: call => suspended(call, true),
  }),
  post({
    path: '/installations/{id}/resume',
    sensitive: true,
    handler: call => suspended(call, false),
  }),
  post({
    path: '/installations/{id}/uninstall',
    handler: async call => {
      const { services, db, session } = call
      const row = await installationOf(call)
      const actor = { by: 'workspace', user: session.userId } as const
      return toResponse(db, await services.db.transaction(tx => endInstallation(tx, row, actor)))
    },
  }),
]

type InstallationCall = Pick<Call<'id'>, 'services' | 'db' | 'session' | 'params'>

async function suspended(call: InstallationCall, on: boolean) {
  const { services, db, session } = call
  const row = await installationOf(call)
  const changed = await services.db.transaction(tx => suspendInstallation(tx, row, on, session.userId))
  return toResponse(db, changed)
}

/** An installation in this workspace; another's is not there. */
async function installationOf({ db, session, params }: InstallationCall): Promise<InstallationRow> {
  const row = await readInstallation(db, session.workspaceId, params.id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** The page says of a scope that was not used for so long that the app could do without it. */
const UNUSED_DAYS = 90

async function withUnusedScopes(db: Queryable, row: InstallationRow) {
  const [response, found] = await Promise.all([
    toResponse(db, row),
    db.query(unusedScopes(row.workspace_id, row.id, UNUSED_DAYS)),
  ])
  const unused = new Set(row.status === 'ended' ? [] : found.map(({ scope }) => scope))
  return { ...response, unused_scopes: row.scopes.filter(scope => unused.has(scope)) }
}

async function toResponse(db: Queryable, row: InstallationRow) {
  const [use, today, names, endpoint] = await Promise.all([
    db.one(installationUse(row.workspace_id, row.id)),
    db.one(readToday(row.workspace_id, row.id)),
    memberNames(db, row.workspace_id),
    db.one(endpointHealth(row.workspace_id, row.credential_id)),
  ])
  return {
    id: row.id,
    app: { id: row.app_id, name: row.app_name },
    status: row.status,
    suspended_by: row.suspended_by,
    scopes: row.scopes,
    scopes_pending: row.scopes_pending,
    credential_id: row.credential_id,
    budget: row.personal_data_reads_per_day,
    personal_data_today: today?.used ?? 0,
    requests_24_hours: use?.requests ?? 0,
    last_used_at: use?.last_used_at ?? null,
    webhooks: endpoint ?? null,
    installed_by: row.installed_by === null ? null : (names.get(row.installed_by) ?? null),
    installed_at: row.installed_at,
    ended_at: row.ended_at,
    delete_by: row.delete_by,
    deletion_confirmed_at: row.deletion_confirmed_at,
  }
}
