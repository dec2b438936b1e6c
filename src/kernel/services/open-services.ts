import { join } from 'node:path'
import { Authenticator } from '../access/authenticate.ts'
import { holdLease, KeyLease } from '../access/key-cache.ts'
import { Passwords } from '../access/password.ts'
import { type Limiter, MemoryLimiter, PostgresLimiter } from '../access/rate-limit.ts'
import { RequestLog } from '../access/request-log.ts'
import { Usage } from '../access/usage.ts'
import { WorkspaceSelector } from '../access/workspace.ts'
import { readInstallation } from '../backup/installation.ts'
import { type Blobs, BlobsMisconfigured } from '../blobs/blobs.ts'
import { openFolderBlobs } from '../blobs/folder.ts'
import { openS3Blobs } from '../blobs/s3.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { EmbeddedServer } from '../embedded-postgres/embedded.ts'
import { present } from '../errors/present.ts'
import { notifyLeader } from '../feed/notify-leader.ts'
import { resolveName, resolveTxt } from '../net/resolve-name.ts'
import type { Log } from '../telemetry/log.ts'
import { Metrics } from '../telemetry/metrics.ts'
import { setTracer, traced } from '../telemetry/trace.ts'
import { holdLock } from '../work/hold-lock.ts'
import { openMailer } from './open-mailer.ts'
import { openReadyStore, openReplica } from './open-store.ts'
import type { Services } from './services.ts'
import { StartError } from './start-error.ts'
import { watchSecretKeys } from './watch-secret-keys.ts'

export async function openServices(
  config: Config,
  log: Log,
  opening?: Promise<EmbeddedServer>,
): Promise<{ services: Services; close(): Promise<void> }> {
  const store = await openReadyStore(config, log, { opening })
  const { db, keyring } = store
  const closing: (() => Promise<void>)[] = [() => store.close()]
  const close = async () => {
    for (const step of closing.reverse()) await step()
    closing.length = 0
  }
  try {
    const watch = await watchSecretKeys(db, store.secrets, keyring, log)
    closing.push(() => watch.stop())
    const replica = await openReplica(config, db, log)
    if (replica) closing.push(() => replica.close())
    closing.push(notifyLeader(db))
    const limiter = await openLimiter(config, db, log)
    closing.push(() => limiter.close())
    const usage = new Usage(db, log)
    const lease = new KeyLease()
    if (config.ROLES.has('api')) closing.push(keepLease(db, lease, log))
    const metrics = new Metrics()
    const sendingHeld = (await readInstallation(db)).sending_held_at !== null
    if (sendingHeld) log.warn({}, 'webhooks and email are held: this store was restored from a backup')
    const parts: Omit<Services, 'blobs'> = {
      config,
      log,
      db,
      replica,
      keyring,
      passwords: new Passwords(keyring),
      limiter,
      usage,
      requestLog: new RequestLog(db, log, metrics, { enabled: config.REQUEST_LOG === 'on' }),
      authenticator: new Authenticator(db, lease),
      resolveName,
      resolveTxt,
      ownReceiver: undefined,
      isLocalDemo: false,
      sendingHeld,
      ...openMailer(sendingHeld ? { ...config, SMTP_URL: undefined } : config, db),
      workspaces: new WorkspaceSelector(db, lease),
      metrics,
      publicUrl: config.publicUrl ?? '',
    }
    // the same object: URLs of files read its `publicUrl`, which is known when the server listens
    const services: Services = Object.assign(parts, { blobs: await openBlobs(config, parts) })
    closing.push(() => services.blobs.close())
    if (config.OTEL_EXPORTER_OTLP_ENDPOINT) closing.push(await startTracing(services))
    await checkFiles(services)
    return { services, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Holds the lease until the returned function is called. */
function keepLease(db: Database, lease: KeyLease, log: Log): () => Promise<void> {
  const stop = new AbortController()
  const held = holdLease(db, lease, log, stop.signal)
  return async () => {
    stop.abort()
    await held
  }
}

/** Traces go to a collector from here on. What is loaded for it is loaded only now. */
async function startTracing(services: Services): Promise<() => Promise<void>> {
  const { OtlpTracer } = await import('../telemetry/otlp.ts')
  const tracer = new OtlpTracer(services.config, services.metrics, services.log)
  setTracer(tracer)
  const { mailer, blobs } = services
  services.mailer = {
    send: mail =>
      traced(
        () => ({ name: 'mail send', kind: 'client' }),
        () => mailer.send(mail),
      ),
    check: () => mailer.check(),
  }
  // the same object: the routes of /storage need the folder itself
  const put = blobs.put.bind(blobs)
  const get = blobs.get.bind(blobs)
  const stat = blobs.stat.bind(blobs)
  const spanOf = (name: string) => () => ({ name: `files ${name}`, kind: 'client' as const })
  blobs.put = (...args) => traced(spanOf('put'), () => put(...args))
  blobs.get = key => traced(spanOf('get'), () => get(key))
  blobs.stat = key => traced(spanOf('stat'), () => stat(key))
  return async () => {
    setTracer(undefined)
    await tracer.close()
  }
}

/**
 * A store that refuses will refuse until the settings are changed, so the start fails. One that is unavailable may come
 * back: the service starts and is not ready until then.
 */
async function checkFiles({ blobs, log }: Services): Promise<void> {
  try {
    await blobs.check()
  } catch (error) {
    if (error instanceof BlobsMisconfigured) throw new StartError(error.message)
    log.warn({ err: error }, 'file store unavailable; the service is not ready until it is available')
  }
}

export async function openBlobs(
  config: Config,
  services: Pick<Services, 'keyring' | 'publicUrl'> & { db: Pick<Database, 'now'> },
): Promise<Blobs> {
  const now = () => services.db.now()
  if (config.S3_BUCKET) {
    return openS3Blobs({
      ...(config.S3_ENDPOINT ? { endpoint: config.S3_ENDPOINT } : {}),
      ...(config.S3_PUBLIC_ENDPOINT ? { publicEndpoint: config.S3_PUBLIC_ENDPOINT } : {}),
      region: config.S3_REGION,
      bucket: config.S3_BUCKET,
      accessKeyId: present(config.S3_ACCESS_KEY_ID, 'S3_ACCESS_KEY_ID'),
      secretAccessKey: present(config.S3_SECRET_ACCESS_KEY, 'S3_SECRET_ACCESS_KEY'),
      forcePathStyle: config.S3_FORCE_PATH_STYLE === 'on',
      prefix: config.S3_PREFIX ?? '',
      now,
    })
  }
  return openFolderBlobs({
    folder: join(config.DATA_DIR, 'files'),
    publicUrl: () => services.publicUrl,
    signingKeys: () => services.keyring.keysFor('storage'),
    now,
  })
}

async function openLimiter(config: Config, db: Database, log: Log): Promise<Limiter> {
  if (config.limiter === 'redis') {
    const { RedisLimiter } = await import('../access/rate-limit-redis.ts')
    return new RedisLimiter(present(config.REDIS_URL, 'REDIS_URL'), log)
  }
  if (config.limiter === 'postgres' || !config.ROLES.has('api')) return new PostgresLimiter(db)
  // Counting in memory is exact for one API process only: a lock says that there is no other.
  const lock = await holdLock(db, 'memoryLimiter', log)
  if (!lock) {
    throw new StartError(
      'another service already uses this database and counts rate limits in memory; stop it, or set LIMITER=postgres for both',
    )
  }
  return Object.assign(new MemoryLimiter(), { close: lock.release })
}
