import { batched } from '../kernel/async/batch.ts'
import type { Transaction } from '../kernel/db/database.ts'
import type { Partition } from '../kernel/db/partitions.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import { tryLockSuppressionsShared } from '../resources/suppressions/index.ts'
import { cancelWaiting } from '../resources/webhooks/index.ts'
import { forceIndexPlans } from './lease-store.ts'
import { type ErasedAmong, erasedAmong, finishAttempts, lockEndpoints } from './result-store.ts'
import type { EndedDelivery, RecordedDelivery } from './states.ts'

/**
 * Records the results of attempts, and what receivers returned. While a person is being suppressed, responses are left
 * out, so that recording never waits for it.
 */
export async function recordAttempts(tx: Transaction, part: Partition<EndedDelivery>): Promise<void> {
  const { only, rows: attempts } = part
  const withText = attempts.filter(attempt => attempt.response !== null)
  const [, lock, erased] = await Promise.all([
    tx.query(forceIndexPlans('transaction', only !== undefined)),
    withText.length > 0 ? tx.one(tryLockSuppressionsShared()) : undefined,
    withText.length > 0 ? tx.query(erasedAmong(withText)) : [],
    tx.query(lockEndpoints(part)),
  ])
  const rows = recorded(attempts, lock?.locked ? erased : 'unknown')
  const disabled = await tx.query(finishAttempts({ only, rows }))
  if (disabled.length > 0) await tx.query(cancelWaiting({ only, rows: disabled }))
}

/**
 * A response is not stored if it could show more of an erased person than an erasure has seen: if its event concerns such
 * a person, or if its attempt began before an erasure in the workspace had deleted the stored responses. So an attempt in
 * flight during an erasure stores nothing.
 */
function recorded(
  attempts: readonly EndedDelivery[],
  erased: readonly ErasedAmong[] | 'unknown',
): readonly RecordedDelivery[] {
  const known = new Map(erased === 'unknown' ? [] : erased.map(row => [`${row.workspace_id} ${row.id}`, row]))
  return attempts.map(({ response, ...attempt }) => {
    const of = (id: string) => known.get(`${attempt.workspace_id} ${id}`)
    const isStored =
      response !== null &&
      erased !== 'unknown' &&
      ![attempt.workspace_id, ...response.about].some(id => of(id)?.blocked)
    return {
      ...attempt,
      responseBody: isStored ? response.body : null,
      begunAfter: of(attempt.workspace_id)?.done_at ?? null,
    }
  })
}

/** Results are recorded together: as many as end in this time. */
const GATHER_MS = 10
/** Waits between retries of recording results: together with an attempt's ten seconds well within its lease. */
const RECORD_RETRY_MS = [100, 500, 2_000, 4_000] as const

/** A result that is not recorded causes a second delivery, so a failed write is retried. Recording twice is harmless. */
export const createRecorder = ({ db, log }: Pick<Services, 'db' | 'log'>): ((ended: EndedDelivery) => Promise<void>) =>
  batched(
    async (ended: EndedDelivery[]) => {
      for (const waitMs of [...RECORD_RETRY_MS, null]) {
        try {
          // in a cluster, the results of each workspace are a transaction of its node
          await db.eachPartition(ended, part => db.transaction(tx => recordAttempts(tx, part)))
          break
        } catch (error) {
          if (waitMs === null) throw error
          log.warn({ attempts: ended.length, err: error }, 'recording webhook attempts failed, retrying')
          await pause(waitMs)
        }
      }
      return ended.map(() => undefined)
    },
    { gatherMs: GATHER_MS },
  )
