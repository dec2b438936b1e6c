import { deriveKeyId, type Keyring } from '../crypto/signing.ts'
import type { Database, Queryable } from '../db/database.ts'
import { LOCKS } from '../db/locks.ts'
import { sql } from '../db/sql.ts'
import { UserError } from '../errors/user-error.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { holdLock } from '../work/hold-lock.ts'
import { countSealed, resealColumns, type SealedColumn } from './sealed-columns.ts'
import {
  firstKey,
  keptContext,
  keyInUse,
  loadSecretKeys,
  newInstallationSecret,
  type SecretKeyRow,
  type SecretSource,
  secretCheck,
  secretKeyRows,
  writeKeyFile,
} from './secret-keys.ts'

/**
 * A replaced key still verifies for this time: a session of seven days is the longest-lived thing whose pages carry a
 * signature. Cursors and file URLs live for an hour, application forms for a day. What lives longer is described in
 * docs/operating.md.
 */
export const VERIFY_DAYS = 7

export interface SecretNeeds {
  db: Database
  keyring: Keyring
  source: SecretSource
  columns: readonly SealedColumn[]
  log: Log
}

interface Holder {
  name: string
  known: string[]
  used: string
}

/** Processes that run: their session exists, or they had one moments ago. */
const holders = () => sql<Holder>`
  select h.name, h.known, h.used from secret_key_holders h
  where h.seen_at > clock_timestamp() - interval '15 seconds' or exists (
    select from pg_stat_activity a where a.pid = h.backend and a.backend_start = h.backend_start)
  order by h.name`

export interface SecretKeyStatus {
  id: string
  state: 'in use' | 'added' | 'replaced' | 'retired'
  added_at: string
  used_from: string | null
  retired_at: string | null
  /** values that are sealed with it */
  sealed_values: number
  /** running processes that do not have it */
  missing_in: string[]
  /** since when, or from when on, it may be retired */
  retirable_from: string | null
}

export async function readSecretStatus({
  db,
  columns,
}: Pick<SecretNeeds, 'db' | 'columns'>): Promise<SecretKeyStatus[]> {
  const rows = await db.query(secretKeyRows())
  const counts = await countSealed(db, columns, firstKey(rows).id)
  const running = await db.query(holders())
  const inUse = keyInUse(rows).id
  return rows.map(row => {
    const state = row.retired_at ? 'retired' : row.id === inUse ? 'in use' : row.used_from ? 'replaced' : 'added'
    return {
      id: row.id,
      state,
      added_at: row.added_at,
      used_from: row.used_from,
      retired_at: row.retired_at,
      sealed_values: counts.get(row.id) ?? 0,
      missing_in: state === 'retired' ? [] : running.filter(one => !one.known.includes(row.id)).map(one => one.name),
      retirable_from: state === 'replaced' ? retirableFrom(rows, row) : null,
    }
  })
}

/** A key that was never used signed nothing. */
function retirableFrom(rows: readonly SecretKeyRow[], row: SecretKeyRow): string | null {
  const later = rows.flatMap(({ used_from: from }) => (from && row.used_from && from > row.used_from ? [from] : []))
  const next = later.at(-1)
  return next === undefined ? null : new Date(Date.parse(next) + VERIFY_DAYS * 86_400_000).toISOString()
}

export interface Rotation {
  key: string
  replaced: string[]
  resealed: number
}

/**
 * Replaces the secret key without a moment in which a process meets what it cannot open: the new key is added, every
 * running process gets to know it, then it is used, then everything is sealed again. Each step is recorded, so that a
 * command that was interrupted continues when it is run again.
 */
export async function rotateInstallationSecret(
  needs: SecretNeeds,
  opts: { waitSeconds: number; onProgress: (line: string) => void },
): Promise<Rotation> {
  return alone(needs, async () => {
    const { db, keyring, source, columns } = needs
    const key = await keyToUse(needs, opts.onProgress)
    await waitFor(
      opts.waitSeconds,
      () => db.transaction(tx => useKey(tx, key)),
      names =>
        `these processes do not have the key ${key} yet: ${names.join(', ')}. Nothing uses it yet: ${
          source.path ? `give them ${source.path}` : 'restart them with it in SECRET_KEY'
        }, then run this command again`,
    )
    await db.transaction(tx => loadSecretKeys(tx, source.read(), keyring))
    opts.onProgress(`every process has the key ${key}; it is in use`)
    await waitFor(
      opts.waitSeconds,
      async () => (await db.query(holders())).filter(one => one.used !== key).map(one => one.name),
      names => `these processes still use the previous key: ${names.join(', ')}. Run this command again to continue`,
    )
    const resealed = await resealColumns(db, keyring, columns, count => opts.onProgress(`${count} values sealed again`))
    const rows = await db.query(secretKeyRows())
    const replaced = rows.filter(row => row.used_from && !row.retired_at && row.id !== key).map(row => row.id)
    return { key, replaced, resealed }
  })
}

/** The key of an unfinished rotation, or a new one that is stored and recorded. */
async function keyToUse({ db, source, columns }: SecretNeeds, onProgress: (line: string) => void): Promise<string> {
  const rows = await db.query(secretKeyRows())
  const added = rows.find(row => !row.used_from && !row.retired_at)
  const inUse = keyInUse(rows).id
  const secrets = source.read()
  if (added) {
    if (!secrets.some(secret => deriveKeyId(secret) === added.id)) {
      throw new UserError(
        `the key ${added.id} was added before, and this command does not have it: run it with the same keys, or give the key up with hiring secret retire ${added.id}`,
      )
    }
    onProgress(`continues with the key ${added.id}`)
    return added.id
  }
  let secret = secrets.find(one => !rows.some(row => row.id === deriveKeyId(one)))
  const counts = await countSealed(db, columns, firstKey(rows).id)
  if (!secret && [...counts.keys()].some(id => id !== inUse)) {
    onProgress(`continues with the key ${inUse}`)
    return inUse
  }
  if (!secret) {
    if (!source.path) {
      throw new UserError(
        'SECRET_KEY has no new key. Make one (openssl rand -hex 32), set SECRET_KEY to the new and the present key, separated by a comma, restart every process with it, one after the other, and run this command again with the same SECRET_KEY',
      )
    }
    secret = newInstallationSecret()
    writeKeyFile(source.path, [...secrets, secret])
  }
  const id = deriveKeyId(secret)
  await db.query(sql`insert into secret_keys (id, secret_check) values (${id}, ${secretCheck(secret)})`)
  onProgress(`added the key ${id}`)
  return id
}

/** Puts a key to use; the names of running processes that do not have it, if there are any. */
async function useKey(tx: Queryable, id: string): Promise<string[]> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCKS.secretKeys})`)
  const without = (await tx.query(holders())).filter(one => !one.known.includes(id))
  if (without.length > 0) return without.map(one => one.name)
  await tx.query(sql`
    update secret_keys set used_from = app_touch((select max(used_from) from secret_keys))
    where id = ${id} and used_from is null`)
  // a process of 0.2.0, which knows one key, does not start with the previous one: it could not open what is sealed now
  await tx.query(sql`
    update installation set secret_check = k.secret_check from secret_keys k where k.id = ${id} and installation.only_row`)
  return []
}

/** Until a check finds no process that is in the way. */
async function waitFor(
  seconds: number,
  check: () => Promise<string[]>,
  message: (names: string[]) => string,
): Promise<void> {
  const deadline = clock.monotonic() + seconds * 1_000
  for (let names = await check(); names.length > 0; names = await check()) {
    if (clock.monotonic() > deadline) throw new UserError(message(names))
    await pause(200)
  }
}

async function alone<T>({ db, log }: SecretNeeds, work: () => Promise<T>): Promise<T> {
  const lock = await holdLock(db, 'secretRotation', log)
  if (!lock) throw new UserError('another command is replacing or retiring a secret key')
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/**
 * Ends the use of a replaced key, also for verifying. `regardless`: of what it signed, for a key that others know. What is
 * sealed with it is never lost: then it is refused.
 */
export function retireSecret(needs: SecretNeeds, id: string, regardless: boolean): Promise<{ retired: string }> {
  return alone(needs, async () => {
    const { db, keyring, source, columns } = needs
    const rows = await db.query(secretKeyRows())
    const row = rows.find(one => one.id === id)
    if (!row) throw new UserError(`there is no key ${id}: see hiring secret status`)
    const inUse = keyInUse(rows).id
    if (id === inUse) throw new UserError(`the key ${id} is in use: replace it first with hiring secret rotate`)
    if (!row.retired_at) {
      const values = (await countSealed(db, columns, firstKey(rows).id)).get(id) ?? 0
      if (values > 0) throw new UserError(`${values} values are sealed with ${id}: run hiring secret rotate first`)
      const from = retirableFrom(rows, row)
      if (from && !regardless && Date.parse(from) > (await db.now())) {
        throw new UserError(
          `sessions, forms and links that were signed with ${id} are valid until ${from}; wait, or end them with --now`,
        )
      }
      const late = (await db.query(holders())).filter(one => one.used !== inUse).map(one => one.name)
      if (late.length > 0) throw new UserError(`these processes do not use ${inUse} yet: ${late.join(', ')}`)
      const kept = keyring.known.includes(id) ? keyring.keptOf(id) : {}
      const sealed = keyring.seal(Buffer.from(JSON.stringify(kept)), keptContext(id))
      await db.transaction(async tx => {
        await tx.query(sql`select pg_advisory_xact_lock(${LOCKS.secretKeys})`)
        await tx.query(sql`update secret_keys set retired_at = app_now(), kept_sealed = ${sealed} where id = ${id}`)
      })
    }
    const retired = new Set([id, ...rows.filter(one => one.retired_at).map(one => one.id)])
    if (source.path) {
      writeKeyFile(
        source.path,
        source.read().filter(secret => !retired.has(deriveKeyId(secret))),
      )
    }
    return { retired: id }
  })
}
