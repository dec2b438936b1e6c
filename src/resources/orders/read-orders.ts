import type { Queryable } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { selectProcessing } from '../suppressions/index.ts'
import { selectReports, selectResult, toResult } from './results-store.ts'
import type { OrderDetailRow, OrderResultRow, OrderRow } from './shape.ts'
import { type StoredOrder, stoppedPeople } from './store.ts'

/** Nothing is shown that leads to more about a person whose processing was stopped. */
const withoutContent = <R extends OrderRow>(row: R): R => ({
  ...row,
  candidate_url: null,
  external_url: null,
  status_reason: row.status_reason && { ...row.status_reason, message: null },
  result_received: false,
})

const hasContent = (row: OrderRow): boolean =>
  row.result_received || row.candidate_url !== null || row.external_url !== null || !!row.status_reason?.message

/** Orders as the API shows them. Only rows with something to hide cost a statement. */
export async function hideStoppedOrders<R extends OrderRow>(
  db: Queryable,
  workspace: string,
  rows: readonly R[],
): Promise<R[]> {
  const people = rows.flatMap(row => (row.applicant_id !== null && hasContent(row) ? [row.applicant_id] : []))
  const found = people.length === 0 ? [] : await db.query(stoppedPeople(workspace, [...new Set(people)]))
  const stopped = new Set(found.map(({ id }) => id))
  return rows.map(row => (stopped.has(row.applicant_id ?? '') ? withoutContent(row) : row))
}

/** Whether nothing of the person may be read any more. */
export const isOrderStopped = async (db: Queryable, { workspace_id, application_id }: StoredOrder): Promise<boolean> =>
  (await db.one(selectProcessing(workspace_id, 'application', application_id)))?.stopped === true

/** Nothing more is stored about a person whose processing was stopped. */
export async function refuseStopped(db: Queryable, order: StoredOrder): Promise<void> {
  if (await isOrderStopped(db, order)) fail('applicant_suppressed')
}

/** The result with its reports; undefined where there is none, or processing of the person was stopped. */
export async function readResult(db: Queryable, order: StoredOrder): Promise<OrderResultRow | undefined> {
  if (!order.result_received) return undefined
  const { workspace_id, id } = order
  const [stopped, result, reports] = await Promise.all([
    isOrderStopped(db, order),
    db.one(selectResult(workspace_id, id)),
    db.query(selectReports(workspace_id, id)),
  ])
  return result && !stopped ? toResult(result, reports) : undefined
}

/** An order as its own endpoint shows it. */
export async function showOrder(db: Queryable, order: StoredOrder): Promise<OrderDetailRow> {
  const [[shown = order], result] = await Promise.all([
    hideStoppedOrders(db, order.workspace_id, [order]),
    readResult(db, order),
  ])
  return { ...shown, result: result ?? null }
}
