import { closed } from '../kernel/http/closed.ts'
import { bodyTime } from '../kernel/http/formats.ts'
import { listParam } from '../kernel/http/params.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { fields } from '../programs/fields.ts'
import {
  offerPackage,
  packageById,
  packagesPage,
  type StoredPackage,
  toPackage,
  withdrawPackage,
} from '../resources/packages/index.ts'
import { PACKAGE_STATUSES } from '../resources/packages/shape.ts'
import { type Call, get, list, post } from './program.ts'

const PACKAGE = {
  ...fields('id', 'external_id', 'kind', 'name', 'description', 'duration_minutes', 'languages', 'countries'),
  ...fields('info_url', 'privacy_url', 'invitation', 'candidate_host', 'shares', 'completion_days', 'status'),
  ...fields('created_at', 'updated_at'),
  vendor: fields('id', 'name'),
} as const

/** Changes one package of the workspace; another's is not there. */
const changeOne = async (
  { db, session, params: { id } }: Pick<Call<'id'>, 'db' | 'session' | 'params'>,
  act: typeof offerPackage,
  expectedUpdatedAt?: string,
): Promise<StoredPackage | undefined> => {
  const change = { workspace: session.workspaceId, id, userId: session.userId, expectedUpdatedAt }
  return isHandle('package', id) ? db.transaction(tx => act(tx, change)) : undefined
}

/** What vendors publish. Owners and admins decide which of it recruiters can order. */
export const packageEndpoints = [
  list({
    path: '/packages',
    query: { status: listParam('Only these statuses.', PACKAGE_STATUSES) },
    returns: PACKAGE,
    order: { by: 'updated_at', tiebreaker: 'id', direction: 'desc' },
    handler: async ({ db, session, query, page }) =>
      (await db.query(packagesPage(session.workspaceId, { status: query.status }, page))).map(toPackage),
  }),
  get({
    path: '/packages/{id}',
    returns: PACKAGE,
    handler: async ({ db, session, params: { id } }) => {
      const found = isHandle('package', id) ? await db.one(packageById(session.workspaceId, id)) : undefined
      return found && toPackage(found)
    },
  }),
  // it opens contact data of candidates to a vendor, as a new key does; and what was read is what is offered
  post({
    path: '/packages/{id}/offer',
    sensitive: true,
    returns: PACKAGE,
    body: Type.Object({ expected_updated_at: bodyTime() }, closed),
    handler: call => changeOne(call, offerPackage, call.body.expected_updated_at),
  }),
  post({ path: '/packages/{id}/withdraw', returns: PACKAGE, handler: call => changeOne(call, withdrawPackage) }),
]
