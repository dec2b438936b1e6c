import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { Database } from './db/database.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { sql } from './db/sql.ts'
import type { Log } from './log.ts'
import { Keyring, sameBytes } from './signing.ts'

/** A start that cannot succeed, said in one line. */
export class StartError extends Error {}

export interface Store {
  db: Database
  close(): Promise<void>
}

/** The database: the user's own, or the embedded one, started or joined. Not migrated yet. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  if (config.DATABASE_URL) {
    const db = new Database(
      { connectionString: config.DATABASE_URL },
      { connections: config.DATABASE_CONNECTIONS, log },
    )
    return { db, close: () => db.close() }
  }
  const server = await openEmbedded({
    directory: join(config.DATA_DIR, 'postgres'),
    log: line => log.info({ embedded: true }, line),
  })
  const db = new Database(server.connection, { connections: config.DATABASE_CONNECTIONS, log })
  return {
    db,
    async close() {
      await db.close()
      await server.release()
    },
  }
}

/** The store with its schema in place, and the key that its secrets are sealed with. */
export async function openReadyStore(
  config: Config,
  log: Log,
): Promise<Store & { keyring: Keyring; applied: string[] }> {
  const store = await openStore(config, log)
  try {
    const { applied } = await migrate(store.db)
    const keyring = new Keyring(config.SECRET_KEY ?? secretKeyFile(config.DATA_DIR))
    await checkSecretKey(store.db, keyring)
    return { ...store, keyring, applied }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Made once. Two processes that start together both end up with the key of the one that was first. */
function secretKeyFile(dataDir: string): Buffer {
  const path = join(dataDir, 'secret.key')
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new StartError(`${path} is damaged: it must hold 64 hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

/** With another key nothing that was sealed could be opened again, so a start with one is refused. */
async function checkSecretKey(db: Database, keyring: Keyring): Promise<void> {
  const proof = keyring.sign('check', 'installation')
  const row = await db.one(sql<{ secret_check: Buffer }>`
    with added as (
      insert into installation (secret_check) values (${proof}) on conflict do nothing returning secret_check
    )
    select secret_check from added union all select secret_check from installation limit 1`)
  if (row && sameBytes(row.secret_check, proof)) return
  throw new StartError(
    'the secret key is not the one this store was made with: set SECRET_KEY to it, or use the DATA_DIR that holds its secret.key',
  )
}
