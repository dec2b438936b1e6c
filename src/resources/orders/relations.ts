import { relationToMany } from '../../kernel/http/include.ts'
import { hideStoppedOrders } from './read-orders.ts'
import { type OrderRow, orderRowShape } from './shape.ts'
import { selectNewestOrders, toOrder } from './store.ts'

/** The newest orders of an application, for `include=orders`. */
export const ordersRelation = relationToMany<{ id: string }, OrderRow>({
  scope: 'orders:read',
  shape: orderRowShape,
  read: async ({ db, workspace, caller }, ids) =>
    hideStoppedOrders(
      db,
      workspace,
      (await db.query(selectNewestOrders(workspace, ids, caller.limitedTo))).map(toOrder),
    ),
  keyOf: order => order.application_id,
})
