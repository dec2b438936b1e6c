import { restoreBegun } from '../backup/marker.ts'
import type { Config } from '../config/config.ts'
import type { Keyring } from '../crypto/signing.ts'
import { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { Replica } from '../db/replica.ts'
import { sql } from '../db/sql.ts'
import type { EmbeddedServer } from '../embedded-postgres/embedded.ts'
import { SearchCluster, useSearchCluster } from '../search-cluster/search-cluster.ts'
import type { Log } from '../telemetry/log.ts'
import { checkDataDir, openEmbeddedStore } from './embedded-store.ts'
import { openKeyring, requireKeyOfStore, type SecretSource, secretSource } from './secret-keys.ts'
import { StartError } from './start-error.ts'

export interface Store {
  db: Database
  close(): Promise<void>
}

export interface ReadyStore extends Store {
  keyring: Keyring
  secrets: SecretSource
  /** the names of migrations that were applied */
  applied: string[]
}

/** The database: the user's own, or the embedded one, which may be `opening` already. Not migrated yet. */
export async function openStore(config: Config, log: Log, opening?: Promise<EmbeddedServer>): Promise<Store> {
  checkDataDir(config.DATA_DIR)
  const options = {
    connections: config.DATABASE_CONNECTIONS,
    waitMs: config.DATABASE_WAIT_SECONDS * 1_000,
    slowMs: config.SLOW_STATEMENT_MS,
    log,
  }
  if (config.DATABASE_URL) {
    const db = new Database({ connectionString: config.DATABASE_URL }, options)
    const closeSearch = connectSearch(db, config)
    return {
      db,
      async close() {
        await db.close()
        await closeSearch()
      },
    }
  }
  const server = await (opening ?? openEmbeddedStore(config, log))
  const db = new Database(server.connection, options)
  const closeSearch = connectSearch(db, config)
  return {
    db,
    async close() {
      await db.close()
      await closeSearch()
      await server.release()
    },
  }
}

/** Here, so that every process and command that uses a database knows where its pool is searched. */
function connectSearch(db: Database, config: Config): () => Promise<void> {
  if (config.SEARCH_URL.length === 0) return async () => {}
  const cluster = new SearchCluster(config)
  useSearchCluster(db, cluster)
  return () => cluster.close()
}

/** The standby for reads that may be old. No start waits for it to be usable. */
export async function openReplica(config: Config, db: Database, log: Log): Promise<Replica | undefined> {
  const url = config.DATABASE_REPLICA_URL
  if (url === undefined) return undefined
  const standby = new Database(
    { connectionString: url },
    { connections: REPLICA_CONNECTIONS, slowMs: config.SLOW_STATEMENT_MS, role: 'any', log },
  )
  const replica = new Replica(db, standby, log)
  await replica.start()
  return replica
}

/** A process has so many; exports use a further one. */
const REPLICA_CONNECTIONS = 4

const OLDEST_POSTGRES = 15

export async function checkPostgresVersion(db: Database): Promise<void> {
  const row = await db.only(sql<{ major: number }>`select current_setting('server_version_num')::int / 10000 as major`)
  if (row.major < OLDEST_POSTGRES) {
    throw new StartError(`DATABASE_URL is a PostgreSQL ${row.major}; ${OLDEST_POSTGRES} or newer is needed`)
  }
}

/** The store with its schema in place, and the key that its secrets are sealed with. */
export async function openReadyStore(
  config: Config,
  log: Log,
  opts: { opening?: Promise<EmbeddedServer> | undefined; onMigration?: (line: string) => void } = {},
): Promise<ReadyStore> {
  const store = await openStore(config, log, opts.opening)
  try {
    await checkPostgresVersion(store.db)
    await refuseHalfRestored(store.db)
    const { applied } = await migrate(store.db, { onProgress: opts.onMigration ?? (line => log.info(line)) })
    await requireKeyOfStore(store.db, config)
    const secrets = secretSource(config)
    const keyring = await openKeyring(store.db, secrets.read())
    return { ...store, keyring, secrets, applied }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function refuseHalfRestored(db: Database): Promise<void> {
  const begun = await restoreBegun(db)
  if (!begun) return
  throw new StartError(
    `a restore of the backup ${begun.backup} into this database did not end: run hiring restore again, or use an empty database`,
  )
}
