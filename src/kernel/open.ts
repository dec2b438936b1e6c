import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Authenticator } from './access/authenticate.ts'
import { type Limiter, MemoryLimiter, PostgresLimiter } from './access/rate-limit.ts'
import { RedisLimiter } from './access/rate-limit-redis.ts'
import { Usage } from './access/usage.ts'
import type { Blobs } from './blobs/blobs.ts'
import { openFolderBlobs } from './blobs/folder.ts'
import { openS3Blobs } from './blobs/s3.ts'
import type { Config } from './config.ts'
import { Database } from './db/database.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { sql } from './db/sql.ts'
import type { Log } from './log.ts'
import { Metrics } from './metrics.ts'
import { resolveName } from './net/resolve-name.ts'
import type { Services } from './services.ts'
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
    log: line => log.warn({ embedded: true }, line),
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

export async function openServices(config: Config, log: Log): Promise<{ services: Services; close(): Promise<void> }> {
  const store = await openReadyStore(config, log)
  const { db, keyring } = store
  const closing: (() => Promise<void>)[] = [() => store.close()]
  const close = async () => {
    for (const step of closing.reverse()) await step()
    closing.length = 0
  }
  try {
    const limiter = await openLimiter(config, db, log)
    closing.push(() => limiter.close())
    const usage = new Usage(db, log)
    const services: Services = {
      config,
      log,
      db,
      keyring,
      limiter,
      usage,
      authenticator: new Authenticator(db),
      metrics: new Metrics(),
      resolveName,
      publicUrl: config.publicUrl ?? '',
      blobs: undefined as unknown as Blobs, // the next line: its addresses need `services`
    }
    services.blobs = await openBlobs(config, services)
    closing.push(() => services.blobs.close())
    return { services, close }
  } catch (error) {
    await close()
    throw error
  }
}

export async function openBlobs(
  config: Config,
  services: Pick<Services, 'keyring' | 'db' | 'publicUrl'>,
): Promise<Blobs> {
  const now = () => services.db.now()
  if (config.S3_BUCKET) {
    return openS3Blobs({
      ...(config.S3_ENDPOINT ? { endpoint: config.S3_ENDPOINT } : {}),
      region: config.S3_REGION,
      bucket: config.S3_BUCKET,
      accessKeyId: config.S3_ACCESS_KEY_ID!,
      secretAccessKey: config.S3_SECRET_ACCESS_KEY!,
      forcePathStyle: config.S3_FORCE_PATH_STYLE === 'on',
      prefix: config.S3_PREFIX ?? '',
      now,
    })
  }
  return openFolderBlobs({
    folder: join(config.DATA_DIR, 'files'),
    publicUrl: () => services.publicUrl,
    signingKey: services.keyring.keyFor('storage'),
    now,
  })
}

const MEMORY_LIMITER_LOCK = 4_817_203

async function openLimiter(config: Config, db: Database, log: Log): Promise<Limiter> {
  if (config.limiter === 'redis') return new RedisLimiter(config.REDIS_URL!, log)
  if (config.limiter === 'postgres' || !config.ROLES.has('api')) return new PostgresLimiter(db)
  // Counting in memory is exact for one API process only: the lock lives as long as this process's session.
  const session = await db.session()
  const held = await session.one(sql<{ held: boolean }>`select pg_try_advisory_lock(${MEMORY_LIMITER_LOCK}) as held`)
  if (!held?.held) {
    await session.close()
    throw new StartError(
      'another service already answers on this store and counts rate limits in memory; stop it, or set LIMITER=postgres for both',
    )
  }
  const limiter = new MemoryLimiter()
  return Object.assign(limiter, { close: () => session.close() })
}
