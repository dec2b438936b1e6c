import type { Queryable } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { keysWithEndpoints, type PersonRecord, selectProcessing, unconfirmed, vendorsOfOrders } from './store.ts'

/**
 * Everything that the API shows about a person beyond the records themselves is read through here. The records of a
 * person whose processing was stopped stay readable: applicant, application with its stage history, sourced profile,
 * list membership. Nothing else is shown: `whenStopped` is returned and `read` does not run. 404 without the record.
 */
export async function readUnlessStopped<T>(
  { db, workspace }: { db: Queryable; workspace: string },
  record: PersonRecord,
  id: string,
  read: () => Promise<T>,
  whenStopped: T,
): Promise<T> {
  const processing = (await db.one(selectProcessing(workspace, record, id))) ?? fail('not_found')
  return processing.stopped ? whenStopped : read()
}

interface Subject {
  object: string
  id: string
}

/** The subjects of a notice with the vendors of the orders among them, which no one finds once the orders are gone. */
export async function withVendors<S extends Subject>(
  db: Queryable,
  workspace: string | null,
  subjects: readonly S[],
): Promise<(S & { vendor_id?: string })[]> {
  const orders = subjects.flatMap(({ object, id }) => (object === 'order' ? [id] : []))
  if (workspace === null || orders.length === 0) return [...subjects]
  const rows = await db.query(vendorsOfOrders(workspace, orders))
  const vendors = new Map(rows.map(row => [row.id, row.vendor_id]))
  return subjects.map(subject => {
    const vendor_id = subject.object === 'order' ? vendors.get(subject.id) : undefined
    return vendor_id === undefined ? subject : { ...subject, vendor_id }
  })
}

/** Finds the keys of a workspace that owe a confirmation of these suppressions. */
export async function unconfirmedKeys(
  db: Queryable,
  workspace: string,
  ids: readonly string[],
): Promise<{ suppression_id: string; id: string; name: string }[]> {
  const withEndpoints = (await db.query(keysWithEndpoints(workspace))).map(({ key_id }) => key_id)
  return db.query(unconfirmed(workspace, ids, withEndpoints))
}
