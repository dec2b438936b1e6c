import { readInstallation } from '../kernel/backup/installation.ts'
import type { Config } from '../kernel/config/config.ts'
import type { Database } from '../kernel/db/database.ts'
import { isMigrated, migrationStatus } from '../kernel/db/migrate.ts'
import { sql } from '../kernel/db/sql.ts'
import { present } from '../kernel/errors/present.ts'
import { checkPostgresVersion, openReplica, openStore } from '../kernel/services/open-store.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { clock } from '../kernel/time/clock.ts'
import { attemptOrFail, attemptOrWarn, type DoctorCheck, describeFailure } from './check.ts'
import { checkCluster } from './check-cluster.ts'

/** What `hiring doctor` says about the database and what is in it. Each line after the first needs those before it. */
export async function checkStore(config: Config): Promise<DoctorCheck[]> {
  const configured = config.DATABASE_URL ? 'DATABASE_URL' : 'embedded'
  let store: Awaited<ReturnType<typeof openStore>>
  try {
    store = await openStore(config, createLog('silent'))
  } catch (error) {
    return [
      { name: 'database', configured, state: 'failing', detail: describeFailure(error) },
      ...waitFor('database', ofStore(config)),
    ]
  }
  try {
    const { db } = store
    const database = await attemptOrFail('database', configured, () => describeServer(db))
    if (database.state !== 'ok') return [database, ...waitFor('database', ofStore(config))]
    const replica = await checkReplica(config, db)
    const schema = await attemptOrFail('schema', 'migrations/', () => describeSchema(db))
    if (schema.state !== 'ok') return [database, ...replica, schema, ...waitFor('schema', OF_SCHEMA)]
    const cluster = await checkCluster(db).catch(error => [
      { name: 'distribution', configured: '-', state: 'failing' as const, detail: describeFailure(error) },
    ])
    const checks = [checkClock, checkBacklog, checkBackup, checkSending, checkSearch]
    const lines: DoctorCheck[] = []
    for (const check of checks) lines.push(await check(db, config))
    return [database, ...replica, schema, ...cluster, ...lines]
  } finally {
    await store.close()
  }
}

const OF_SCHEMA = ['clock', 'background work', 'backup', 'sending', 'search']
const ofStore = ({ DATABASE_REPLICA_URL }: Config) => [
  ...(DATABASE_REPLICA_URL === undefined ? [] : ['replica']),
  'schema',
  ...OF_SCHEMA,
]

const waitFor = (part: string, names: readonly string[]): DoctorCheck[] =>
  names.map(name => ({ name, configured: '-', state: 'unknown', detail: `needs the ${part}` }))

/** The version that the service needs is asked for in the same way as at its start. */
async function describeServer(db: Database): Promise<string> {
  await checkPostgresVersion(db)
  const row = await db.only(sql<{ version: string; name: string; address: string | null; port: number | null }>`
    select current_setting('server_version') as version, current_database()::text as name,
      host(inet_server_addr()) as address, inet_server_port() as port`)
  const { version, name, address, port } = row
  return `PostgreSQL ${version}, ${name} at ${address === null ? 'a socket of this machine' : `${address}:${port}`}`
}

async function describeSchema(db: Database): Promise<string> {
  const migrations = await migrationStatus(db)
  const missing = migrations.filter(({ applied }) => !applied).length
  if (missing === migrations.length) throw new Error('empty: run hiring migrate')
  if (missing > 0) throw new Error(`${missing} of ${migrations.length} migrations are missing: run hiring migrate`)
  if (!(await isMigrated(db)))
    throw new Error('made by other migrations than those of this program: run hiring migrate')
  return 'up to date'
}

/** Nothing but reads that may be old uses it, and the primary serves them without it. */
async function checkReplica(config: Config, db: Database): Promise<DoctorCheck[]> {
  if (!config.DATABASE_REPLICA_URL) return []
  const check = await attemptOrWarn('replica', 'DATABASE_REPLICA_URL', async () => {
    const replica = present(await openReplica(config, db, createLog('silent')), 'the replica')
    try {
      return await replica.check()
    } finally {
      await replica.close()
    }
  })
  return [check]
}

/** Links, sessions and signatures are valid for minutes by the clock of the database. */
const MAX_SKEW_MS = 2_000

async function checkClock(db: Database): Promise<DoctorCheck> {
  return attemptOrWarn('clock', 'this machine and the database', async () => {
    const sentAt = clock.now()
    const there = await db.now()
    const skew = there - (sentAt + clock.now()) / 2
    if (Math.abs(skew) > MAX_SKEW_MS) throw new Error(`they differ by ${(Math.abs(skew) / 1000).toFixed(1)} s`)
    return 'the same time'
  })
}

/** Queues of a service that does not run are not a fault: nothing is done there. */
const LATE_QUEUE_SECONDS = 900

async function checkBacklog(db: Database): Promise<DoctorCheck> {
  return attemptOrWarn('background work', '-', async () => {
    const { readQueues } = await import('../app.ts')
    const { checkLeader } = await import('../kernel/services/readiness.ts')
    const led = await checkLeader(db).then(
      () => [],
      error => [describeFailure(error)],
    )
    const queues = await readQueues({ db, log: createLog('silent') })
    const late = [...queues]
      .filter(([, queue]) => queue.oldest_seconds > LATE_QUEUE_SECONDS)
      .map(
        ([name, queue]) =>
          `${name} (${queue.waiting} wait, the oldest for ${Math.round(queue.oldest_seconds / 60)} min)`,
      )
    const faults = [...led, ...(late.length > 0 ? [`late: ${late.join(', ')}`] : [])]
    if (faults.length > 0) throw new Error(faults.join('; '))
    return 'a worker process runs, and no queue is late'
  })
}

/** Who backs up by other means sees a warning, which is right: this program cannot know. */
async function checkBackup(db: Database, { BACKUP_MAX_AGE_HOURS: most }: Config): Promise<DoctorCheck> {
  return attemptOrWarn('backup', `at most ${most} h old`, async () => {
    const { last_backup_at, last_backup_name } = await readInstallation(db)
    if (last_backup_at === null) throw new Error('never made: run hiring backup')
    const hours = ((await db.now()) - Date.parse(last_backup_at)) / 3_600_000
    const detail = `${last_backup_name}, ${hours < 1 ? 'less than an hour' : `${Math.floor(hours)} h`} old`
    if (hours > most) throw new Error(`the last one is too old: ${detail}`)
    return detail
  })
}

async function checkSending(db: Database): Promise<DoctorCheck> {
  return attemptOrWarn('sending', '-', async () => {
    const { sending_held_at } = await readInstallation(db)
    if (sending_held_at === null) return 'webhooks and email are sent'
    throw new Error('held, because this store was restored: run hiring sending on if it replaces the original')
  })
}

async function checkSearch(db: Database, { SEARCH_URL, SEARCH_INDEX }: Config): Promise<DoctorCheck> {
  if (SEARCH_URL.length === 0)
    return { name: 'search', configured: '-', state: 'not used', detail: 'every process has its own index of the pool' }
  return attemptOrFail('search', `SEARCH_URL, ${SEARCH_INDEX}`, async () => {
    const { poolWriter } = await import('../resources/pool/index.ts')
    const { indexes } = await present(poolWriter(db), 'the search cluster').status()
    const used = indexes.find(index => index.state === 'in use')
    if (!used) throw new Error('no index is in use; a process with the role worker builds one')
    return `${used.name}, ${used.documents} documents`
  })
}
