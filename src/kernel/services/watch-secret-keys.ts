import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Keyring } from '../crypto/signing.ts'
import { type Database, DatastoreUnavailable, type DbSession } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { applySecretKeys, loadSecretKeys, type SecretKeyRow, type SecretSource, secretKeyRows } from './secret-keys.ts'

/** How soon a process knows a key that was added to its file, and uses the one that is in use. */
const POLL_MS = 1_000

/** How often a process says that it runs, if nothing about its keys changes. */
const REPORT_MS = 5_000

/** Rows of processes that were killed are removed after this time. */
const FORGET_HOURS = 24

export interface SecretKeyWatch {
  stop(): Promise<void>
}

/**
 * Keeps the keyring of a running process up to date and says in `secret_key_holders` which keys it has. The session is what
 * shows that the process runs: also one that is paused could go on at any time.
 */
export async function watchSecretKeys(
  db: Database,
  source: SecretSource,
  keyring: Keyring,
  log: Log,
): Promise<SecretKeyWatch> {
  const id = randomUUID()
  const name = `${hostname()} ${process.pid}`
  let session: DbSession | undefined
  let rows: readonly SecretKeyRow[] = []
  let applied = ''
  let reported = { keys: '', at: 0 }
  let fault = ''

  const apply = (secrets: readonly Buffer[]) => {
    const state = JSON.stringify([secrets.map(secret => secret.toString('hex')), rows])
    if (state === applied) return
    applySecretKeys(keyring, secrets, rows)
    applied = state
  }

  const report = async (open: DbSession) => {
    const keys = `${keyring.used} ${keyring.known}`
    if (keys === reported.keys && clock.monotonic() - reported.at < REPORT_MS) return
    await open.query(sql`
      insert into secret_key_holders (process, name, backend, backend_start, known, used)
      select ${id}::uuid, ${name}, a.pid, a.backend_start, ${keyring.known}::text[], ${keyring.used}
      from pg_stat_activity a where a.pid = pg_backend_pid()
      on conflict (process) do update set backend = excluded.backend, backend_start = excluded.backend_start,
        known = excluded.known, used = excluded.used, seen_at = excluded.seen_at`)
    reported = { keys, at: clock.monotonic() }
  }

  /** The key in use cannot change between the check of this process's keys and its row. */
  const register = async () => {
    const open = await db.session()
    reported = { keys: '', at: 0 }
    try {
      await open.script('begin')
      await loadSecretKeys(open, source.read(), keyring)
      rows = await open.query(secretKeyRows())
      await report(open)
      await open.query(sql`
        delete from secret_key_holders where seen_at < clock_timestamp() - ${FORGET_HOURS} * interval '1 hour'`)
      await open.script('commit')
    } catch (error) {
      await open.close().catch(() => {})
      throw error
    }
    session = open
  }

  const look = async () => {
    const secrets = source.read()
    if (!session) return register()
    try {
      rows = await session.query(secretKeyRows())
      apply(secrets)
      await report(session)
    } catch (error) {
      const lost = session
      session = undefined
      await lost.close().catch(() => {})
      throw error
    }
  }

  await register()
  keyring.onMissing(() => apply(source.read()))
  const stopped = new AbortController()
  const watching = (async () => {
    while (true) {
      await pause(POLL_MS, stopped.signal)
      if (stopped.signal.aborted) break
      await look().then(
        () => {
          fault = ''
        },
        (error: Error) => {
          // the workers and /readyz tell of a database that is unavailable
          if (error instanceof DatastoreUnavailable || error.message === fault) return
          fault = error.message
          log.error({ err: error }, 'the secret keys could not be read again; the known ones stay in use')
        },
      )
    }
    await session?.query(sql`delete from secret_key_holders where process = ${id}::uuid`).catch(() => {})
    await session?.close().catch(() => {})
  })()
  return {
    async stop() {
      stopped.abort()
      await watching
    },
  }
}
