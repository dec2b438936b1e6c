import type { Config } from '../kernel/config/config.ts'
import type { ReadyStore } from '../kernel/services/open-store.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import type { ActivityNeeds } from '../resources/test-workspaces/index.ts'

/** Opens what the operations of `hiring trigger` and the seeds of test workspaces need besides the store. */
export async function withActivityNeeds<T>(
  { db, keyring }: ReadyStore,
  config: Config,
  work: (needs: ActivityNeeds) => Promise<T>,
): Promise<T> {
  const [{ openBlobs }, { openTransport }] = await Promise.all([
    import('../kernel/services/open-services.ts'),
    import('../kernel/services/open-mailer.ts'),
  ])
  const blobs = await openBlobs(config, { db, keyring, publicUrl: config.publicUrl ?? '' })
  try {
    const { outbox } = openTransport(config)
    return await work({ db, blobs, outbox, log: createLog('error') })
  } finally {
    await blobs.close()
  }
}
