import { COUNTRY_CODES } from '../../contract/countries.ts'
import { vendorOf } from '../../kernel/access/vendor.ts'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { BY_UPDATED } from '../../kernel/http/list.ts'
import { listParam, oneOfParam, textParam } from '../../kernel/http/params.ts'
import { HandlerResponse, type Route, readOne, readPage, writeOne } from '../../kernel/http/route.ts'
import { Type } from '../../kernel/schema/types.ts'
import { publishPackage, withdrawPackage } from './actions.ts'
import { packageInput } from './fields.ts'
import { PACKAGE_KINDS, PACKAGE_STATUSES, packageRecord, packageShape } from './shape.ts'
import { packageById, packagesPage, toPackage } from './store.ts'

const group = 'Checks and assessments'
const params = { package_handle: 'package' } as const
const or = ['orders:write', 'orders:fulfill'] as const

export const packageRoutes: readonly Route[] = [
  readPage({
    path: '/packages',
    operationId: 'listPackages',
    limited: 'open',
    tool: { whole: true },
    summary: 'List the tests and checks that vendors offer',
    description: 'Most recently updated first. A vendor lists its own.',
    group,
    scope: 'orders:read',
    or,
    query: {
      kind: listParam('Only these kinds.', PACKAGE_KINDS),
      status: listParam('Only these statuses.', PACKAGE_STATUSES),
      country: oneOfParam('Only packages for candidates of this country.', COUNTRY_CODES),
      external_id: textParam('Only the package with this id of the vendor.'),
    },
    shape: packageShape,
    order: BY_UPDATED,
    handler: async ({ db, workspace, onlyVendor: vendor, query, page }) => {
      const { external_id: externalId, ...filter } = query
      return (await db.query(packagesPage(workspace, { ...filter, externalId, vendor }, page))).map(toPackage)
    },
  }),
  readOne({
    path: '/packages/{package_handle}',
    operationId: 'getPackage',
    limited: 'open',
    tool: { leftOut: 'list_packages shows whole packages' },
    summary: 'Get a test or check that a vendor offers',
    group,
    scope: 'orders:read',
    or,
    params,
    shape: packageShape,
    handler: async ({ db, workspace, onlyVendor, params }) => {
      const found = await db.one(packageById(workspace, params.package_handle, onlyVendor))
      return found && toPackage(found)
    },
  }),
  writeOne({
    path: '/packages',
    operationId: 'publishPackage',
    limited: 'keys',
    tool: { leftOut: 'for the system of a vendor' },
    summary: 'Publish a test or check',
    description:
      'Creates the package with this `external_id`, or changes it: a field that is left out stays, null clears it. A new package waits as `pending` until an owner or admin offers it. So does an active one when it shares more, or when `name`, `kind`, `invitation`, `candidate_host` or `privacy_url` change. Packages of an installed app are `active` immediately, and their `candidate_host`, `privacy_url` and `info_url` are in a domain of the app. Their `kind` stays once it is `background_check` or `identity_check`.',
    group,
    scope: 'orders:fulfill',
    tier: 'expensive',
    status: 201,
    orStatus: 200,
    shape: packageShape,
    body: withRules(packageInput, packageRecord.faults),
    errors: ['order_limit_reached'],
    handler: async ({ tx, workspace, caller, body }) => {
      const { package: row, isNew } = await publishPackage(tx, workspace, vendorOf(caller), body)
      return new HandlerResponse(row, isNew ? 201 : 200)
    },
  }),
  writeOne({
    path: '/packages/{package_handle}/withdraw',
    operationId: 'withdrawPackage',
    limited: 'keys',
    tool: { leftOut: 'for the system of a vendor' },
    summary: 'Withdraw a test or check',
    description: 'No one can order it from now on. Open orders go on.',
    group,
    scope: 'orders:fulfill',
    params,
    shape: packageShape,
    body: Type.Object({}, closed),
    bodyOptional: true,
    handler: ({ tx, workspace, onlyVendor: vendor, params }) =>
      withdrawPackage(tx, { workspace, id: params.package_handle, vendor }),
  }),
]
