import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { restoreBegun } from '../backup/marker.ts'
import type { Config } from '../config/config.ts'
import { Keyring, sameBytes } from '../crypto/signing.ts'
import { Database } from '../db/database.ts'
import { openEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../telemetry/log.ts'

/** A start that cannot succeed, said in one line. */
export class StartError extends Error {}

export interface Store {
  db: Database
  close(): Promise<void>
}

/** The database: the user's own, or the embedded one, started or joined. Not migrated yet. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  checkDataDir(config.DATA_DIR)
  const options = {
    connections: config.DATABASE_CONNECTIONS,
    waitMs: config.DATABASE_WAIT_SECONDS * 1_000,
    slowMs: config.SLOW_STATEMENT_MS,
    log,
  }
  if (config.DATABASE_URL) {
    const db = new Database({ connectionString: config.DATABASE_URL }, options)
    return { db, close: () => db.close() }
  }
  const server = await openEmbedded({
    directory: join(config.DATA_DIR, 'postgres'),
    log: line => log.info({ embedded: true }, line),
  })
  const db = new Database(server.connection, options)
  return {
    db,
    async close() {
      await db.close()
      await server.release()
    },
  }
}

function checkDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`DATA_DIR cannot be used: ${(error as Error).message}`)
  }
}

const OLDEST_POSTGRES = 15

export async function checkVersion(db: Database): Promise<void> {
  const row = await db.one(sql<{ major: number }>`select current_setting('server_version_num')::int / 10000 as major`)
  if (row!.major < OLDEST_POSTGRES) {
    throw new StartError(`DATABASE_URL is a PostgreSQL ${row!.major}; ${OLDEST_POSTGRES} or newer is needed`)
  }
}

/** The store with its schema in place, and the key that its secrets are sealed with. */
export async function openReadyStore(
  config: Config,
  log: Log,
): Promise<Store & { keyring: Keyring; applied: string[] }> {
  const store = await openStore(config, log)
  try {
    await checkVersion(store.db)
    await refuseHalfRestored(store.db)
    const { applied } = await migrate(store.db)
    const keyring = new Keyring(readSecretKey(config))
    await checkSecretKey(store.db, keyring)
    return { ...store, keyring, applied }
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

/** The key of the settings, or of the file in DATA_DIR, which is made if it is missing. */
export const readSecretKey = (config: Config): Buffer => config.SECRET_KEY ?? secretKeyFile(config.DATA_DIR)

/** The same, but nothing is made. */
export const findSecretKey = (config: Config): Buffer | undefined =>
  config.SECRET_KEY ?? (existsSync(join(config.DATA_DIR, FILE)) ? secretKeyFile(config.DATA_DIR) : undefined)

/** For a store that is restored. */
export function writeSecretKey(dataDir: string, secret: Buffer): void {
  if (!secretKeyFile(dataDir, secret).equals(secret)) throw new StartError(`${join(dataDir, FILE)} is another key`)
}

/** What the installation's secret key signs, to recognize it. */
export const secretCheck = (secret: Buffer): Buffer => new Keyring(secret).sign('check', 'installation')

const FILE = 'secret.key'

/**
 * Made once. It appears whole or not at all: a link to a finished draft, which fails if another process was first, and
 * then that one's key counts.
 */
function secretKeyFile(dataDir: string, made: Buffer = randomBytes(32)): Buffer {
  const path = join(dataDir, FILE)
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${made.toString('hex')}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
  }
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new StartError(`${path} is damaged: it must hold 64 hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

/** With another key nothing that was sealed could be opened again, so a start with one is refused. */
async function checkSecretKey(db: Database, keyring: Keyring): Promise<void> {
  const proof = keyring.sign('check', 'installation')
  // Two statements: one alone would not see the row of a process that was first by a moment.
  await db.query(sql`insert into installation (secret_check) values (${proof}) on conflict do nothing`)
  const row = await db.one(sql<{ secret_check: Buffer }>`select secret_check from installation`)
  if (row && sameBytes(row.secret_check, proof)) return
  throw new StartError(
    'the secret key is not the one this store was made with: set SECRET_KEY to it, or use the DATA_DIR that holds its secret.key',
  )
}
