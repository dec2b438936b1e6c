import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { offerPackage } from '../../src/resources/packages/index.ts'
import { apply, newTenant, readEvents, type World } from '../applications/setup.ts'
import type { TestResponse } from '../harness/service.ts'

export { apply, readEvents, sharedWorld, startWorld } from '../applications/setup.ts'

/** What a vendor's key is given: nothing of the rest of the workspace. */
export const VENDOR_SCOPES = ['orders:fulfill', 'orders:candidate:read', 'events:read'] as const

export interface Vendor {
  key: IssuedKey
  host: string
}

export type Tenant = Awaited<ReturnType<typeof newTenant>>

/** A workspace of its own, in the service of a world. */
export const otherTenant = async (world: World): Promise<World> => ({
  service: world.service,
  ...(await newTenant(world.service)),
})

export async function newVendor({ service, workspace, userId }: World, scopes = [...VENDOR_SCOPES]): Promise<Vendor> {
  const user = await service.services.db.only(
    sql<{ email: string }>`select email from users where workspace_id = ${workspace} and id = ${userId}`,
  )
  const key = await service.key({ workspace, userEmail: user.email, scopes, name: 'Example Tests' })
  return { key, host: 'tests.example.com' }
}

export const packageBody = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  external_id: newHandle('upload'),
  kind: 'skills_test',
  name: 'Typing test',
  privacy_url: 'https://tests.example.com/privacy',
  invitation: 'service',
  candidate_host: 'tests.example.com',
  shares: ['email'],
  ...more,
})

/** A package that can be ordered. */
export async function offeredPackage(
  { service, workspace }: World,
  vendor: Vendor,
  more: Record<string, unknown> = {},
): Promise<string> {
  const made = await service.post('/packages', vendor.key, packageBody(more))
  if (made.status !== 201) throw new Error(made.text)
  await service.services.db.transaction(tx => offerPackage(tx, { workspace, id: made.body.id }))
  return made.body.id
}

export interface Ordered {
  vendor: Vendor
  package: string
  application: string
  id: string
  placed: TestResponse['body']
}

/** An order that was just placed over the API. */
export async function newOrder(
  world: World,
  given: { vendor?: Vendor; package?: Record<string, unknown>; packageId?: string; application?: string } = {},
): Promise<Ordered> {
  const vendor = given.vendor ?? (await newVendor(world))
  const packageId = given.packageId ?? (await offeredPackage(world, vendor, given.package))
  const application = given.application ?? (await apply(world)).id
  const placed = await world.service.post('/orders', world.key, { application_id: application, package_id: packageId })
  if (placed.status !== 201) throw new Error(placed.text)
  return { vendor, package: packageId, application, id: placed.body.id, placed: placed.body }
}

/** An order of this vendor, by a call of the vendor's. */
export const act = ({ service }: Pick<World, 'service'>, { vendor, id }: Ordered, name: string, body: object = {}) =>
  service.post(`/orders/${id}/${name}`, vendor.key, body)

export const acceptance = (more: Record<string, unknown> = {}) => ({
  external_id: newHandle('upload'),
  candidate_url: 'https://tests.example.com/t/1',
  ...more,
})

export async function accepted(world: World, ordered: Ordered, more: Record<string, unknown> = {}): Promise<Ordered> {
  const response = await act(world, ordered, 'accept', acceptance(more))
  if (response.status !== 200) throw new Error(response.text)
  return ordered
}

/** Events of orders of the workspace so far. */
export const orderEvents = async (world: World) =>
  (await readEvents(world, world.workspace)).filter(event => event.type.startsWith('order.'))

export const shown = ({ status, body }: TestResponse) => [status, body?.status ?? body?.detail?.code]

/** Reserves a report of an order and sends the file. */
export async function report(
  world: Pick<World, 'service'>,
  ordered: Ordered,
  file = Buffer.from('%PDF-1.7\n%%EOF\n'),
): Promise<string> {
  const reserved = await act(world, ordered, 'reports', {
    filename: 'report.pdf',
    size_bytes: file.length,
    content_type: 'application/pdf',
  })
  if (reserved.status !== 201) throw new Error(reserved.text)
  const { url, headers } = reserved.body.upload
  const put = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(file) })
  if (put.status !== 200) throw new Error(`PUT ${put.status}`)
  return reserved.body.upload_id
}
