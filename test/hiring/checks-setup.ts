import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import {
  acceptOrder,
  type Completion,
  completeOrder,
  declineOrder,
  orderById,
  progressOrder,
} from '../../src/resources/orders/index.ts'
import { offerPackage, publishPackage, withdrawPackage } from '../../src/resources/packages/index.ts'
import type { World } from '../applications/setup.ts'

type OrderChange = Parameters<typeof acceptOrder>[1]

/** A vendor with a key of the workspace. Its calls are made by the actions behind them. */
export interface CheckVendor {
  id: string
  /** a package that can be ordered, or waits to be offered */
  package(more?: Record<string, unknown>, state?: 'active' | 'pending' | 'withdrawn'): Promise<string>
  accept(order: string): Promise<void>
  progress(order: string, waiting_on?: 'vendor' | 'candidate' | 'workspace', message?: string): Promise<void>
  decline(order: string, message?: string): Promise<void>
  complete(order: string, result?: Partial<Completion>): Promise<void>
}

let packages = 0

export const HOST = 'tests.vendor.example'

export function checkVendor(
  { service, workspace }: Pick<World, 'service' | 'workspace'>,
  name = 'Codecraft',
): CheckVendor {
  const { db, blobs } = service.services
  const id = `pk_${name.toLowerCase()}`
  const run = async (order: string, act: (tx: Transaction, change: OrderChange) => Promise<unknown>) => {
    const change = { workspace, id: order, vendor: id, originKeyId: null }
    const done = await db.transaction(tx => act(tx, change))
    if (done === undefined || done instanceof Error) throw done ?? new Error(`no order ${order}`)
  }
  return {
    id,
    package: (more = {}, state = 'active') =>
      db.transaction(async tx => {
        const { package: published } = await publishPackage(tx, workspace, { id, name }, {
          external_id: `package ${++packages}`,
          kind: 'skills_test',
          name: `Skills test ${packages}`,
          privacy_url: 'https://vendor.example/privacy',
          invitation: 'service',
          candidate_host: HOST,
          shares: ['email', 'resume'],
          ...more,
        } as Parameters<typeof publishPackage>[3])
        if (state === 'active') await offerPackage(tx, { workspace, id: published.id })
        if (state === 'withdrawn') await withdrawPackage(tx, { workspace, id: published.id })
        return published.id
      }),
    accept: async order => {
      const invites = (await db.only(orderById(workspace, order))).invitation_by !== 'vendor'
      const given = { external_id: `external ${order}`, external_url: `https://vendor.example/${order}` }
      await run(order, (tx, change) =>
        acceptOrder(tx, change, invites ? { ...given, candidate_url: `https://${HOST}/t/${order}` } : given),
      )
    },
    progress: (order, waiting_on, message) =>
      run(order, (tx, change) => progressOrder(tx, change, { waiting_on, message })),
    decline: (order, message) => run(order, (tx, change) => declineOrder(tx, change, { code: 'other', message })),
    complete: (order, result = {}) =>
      run(order, (tx, change) =>
        completeOrder(tx, blobs, change, {
          outcome: 'recommended',
          score: null,
          sections: [],
          summary: null,
          report_upload_ids: [],
          ...result,
        }),
      ),
  }
}

/** Emails about checks that are queued for an order, by kind. */
export const readMailKinds = async ({ service }: Pick<World, 'service'>, order: string): Promise<string[]> =>
  (
    await service.services.db.query(
      sql<{ kind: string }>`select kind from candidate_mails where order_id = ${order} order by created_at, kind`,
    )
  ).map(({ kind }) => kind)
