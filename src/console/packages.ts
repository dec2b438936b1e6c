import { listParam } from '../kernel/http/params.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { fields } from '../programs/fields.ts'
import {
  offerPackage,
  packagesPage,
  type StoredPackage,
  toPackage,
  withdrawPackage,
} from '../resources/packages/index.ts'
import { PACKAGE_STATUSES } from '../resources/packages/shape.ts'
import { type Call, list, post } from './program.ts'

const PACKAGE = {
  ...fields('id', 'external_id', 'kind', 'name', 'description', 'duration_minutes', 'languages', 'countries'),
  ...fields('info_url', 'privacy_url', 'invitation', 'candidate_host', 'shares', 'completion_days', 'status'),
  ...fields('created_at', 'updated_at'),
  vendor: fields('id', 'name'),
} as const

/** Changes one package of the workspace; another's is not there. */
const change =
  (act: (...given: Parameters<typeof offerPackage>) => Promise<StoredPackage | undefined>) =>
  async ({ db, session, params: { id } }: Pick<Call<'id'>, 'db' | 'session' | 'params'>) =>
    isHandle('package', id) ? db.transaction(tx => act(tx, { workspace: session.workspaceId, id })) : undefined

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
  // it opens contact data of candidates to a vendor, as a new key does
  post({ path: '/packages/{id}/offer', sensitive: true, returns: PACKAGE, handler: change(offerPackage) }),
  post({ path: '/packages/{id}/withdraw', returns: PACKAGE, handler: change(withdrawPackage) }),
]
