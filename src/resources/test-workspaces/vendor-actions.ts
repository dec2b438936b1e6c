import type { Database, Transaction } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import type { Services } from '../../kernel/services/services.ts'
import { acceptOrder, completeOrder, progressOrder } from '../orders/index.ts'
import { offerPackage, publishPackage } from '../packages/index.ts'
import { TEST_PACKAGES, TEST_RESULTS, TEST_VENDOR, TEST_VENDOR_HOST } from './vendor-rules.ts'
import { openTestOrders, type TestOrder } from './vendor-store.ts'

/** The packages of the vendor that the service plays, ready to be ordered. A repeat changes nothing. */
export const offerTestPackages = (db: Database, workspace: string): Promise<void> =>
  db.transaction(async tx => {
    for (const [external_id, described] of Object.entries(TEST_PACKAGES)) {
      const { package: published } = await publishPackage(tx, workspace, TEST_VENDOR, {
        ...described,
        external_id,
        duration_minutes: 30,
        privacy_url: `https://${TEST_VENDOR_HOST}/privacy`,
        invitation: 'service',
        candidate_host: TEST_VENDOR_HOST,
        shares: ['email'],
      })
      await offerPackage(tx, { workspace, id: published.id })
    }
  })

type VendorServices = Pick<Services, 'db' | 'blobs' | 'log'>

/**
 * Takes orders of the vendor one step further, each in a transaction of its own and by the calls of any vendor; returns how
 * many there were. A step that was done already changes nothing, so every process may do it.
 */
export async function takeTestOrdersFurther(services: VendorServices, batchSize: number): Promise<number> {
  const { db, log } = services
  const open = await db.query(openTestOrders(batchSize))
  let taken = 0
  for (const order of open) {
    try {
      await db.transaction(tx => takeFurther(tx, services, order))
      taken++
    } catch (error) {
      // it was canceled in the meantime, or its candidate may not be processed
      if (!(error instanceof ApiError)) throw error
      log.debug({ err: error, workspace: order.workspace_id, order: order.id }, 'an order of the test vendor stays')
    }
  }
  return taken
}

async function takeFurther(tx: Transaction, { blobs }: VendorServices, order: TestOrder): Promise<void> {
  const change = { workspace: order.workspace_id, id: order.id, vendor: TEST_VENDOR.id, originKeyId: null }
  const result = TEST_RESULTS[order.package]
  if (order.status === 'requested') {
    const candidate_url = `https://${TEST_VENDOR_HOST}/orders/${order.id}`
    await acceptOrder(tx, change, { external_id: order.id, candidate_url })
  } else if (order.status === 'invited')
    await progressOrder(tx, change, { waiting_on: result ? 'vendor' : 'candidate' })
  else if (result) {
    const { outcome, score: value, summary } = result
    const score = { value, min: 0, max: 100, passing: 60, unit: 'points' } as const
    const sections = [{ name: 'Tasks', score, comment: null }]
    await completeOrder(tx, blobs, change, { outcome, score, sections, summary, report_upload_ids: [] })
  }
}
