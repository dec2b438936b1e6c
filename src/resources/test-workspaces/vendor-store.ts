import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { TAKEN_FURTHER, TEST_VENDOR, type TestOrderStatus, type TestPackageName } from './vendor-rules.ts'

export interface TestOrder {
  workspace_id: string
  id: string
  status: TestOrderStatus
  package: TestPackageName
}

const quoted = (text: string): Sql => raw(`'${text}'`)

const isTaken = (status: TestOrderStatus): Sql =>
  sql`(o.status = ${quoted(status)} and p.external_id = any(${TAKEN_FURTHER[status]}::text[]))`

/** Orders of any workspace that the vendor takes further. Vendor and statuses are part of the text: an index has them. */
export const openTestOrders = (limit: number): Sql<TestOrder> =>
  sql<TestOrder>`
    select o.workspace_id, o.id, o.status, p.external_id as package
    from orders o join packages p on p.workspace_id = o.workspace_id and p.id = o.package_id
    where o.vendor_id = ${quoted(TEST_VENDOR.id)} and o.status in ('requested', 'invited', 'in_progress')
      and (${isTaken('requested')} or ${isTaken('invited')} or ${isTaken('in_progress')})
    order by o.requested_at limit ${limit}`
