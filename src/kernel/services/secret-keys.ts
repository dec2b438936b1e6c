import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { deriveKeyId, type KeptKeys, Keyring, type KeyringState, sameBytes } from '../crypto/signing.ts'
import type { Database, Queryable } from '../db/database.ts'
import { LOCKS } from '../db/locks.ts'
import { onlyRow } from '../db/queryable.ts'
import { sql } from '../db/sql.ts'
import { present } from '../errors/present.ts'
import { StartError } from './start-error.ts'

/** Where this process has its secret keys from. */
export interface SecretSource {
  /** undefined: they are in SECRET_KEY */
  path: string | undefined
  read(): readonly Buffer[]
}

export function secretSource(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): SecretSource {
  const given = config.SECRET_KEY
  if (given) return { path: undefined, read: () => given }
  const path = join(config.DATA_DIR, 'secret.key')
  if (!existsSync(path)) createKeyFile(path)
  let known: { version: string; secrets: readonly Buffer[] } | undefined
  return {
    path,
    read() {
      const { ino, mtimeMs, size } = statSync(path)
      const version = `${ino} ${mtimeMs} ${size}`
      if (known?.version !== version) known = { version, secrets: readKeyFile(path) }
      return known.secrets
    },
  }
}

/** The same, but nothing is made: undefined where there is no key yet. */
export function findSecrets(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): readonly Buffer[] | undefined {
  const path = join(config.DATA_DIR, 'secret.key')
  return config.SECRET_KEY ?? (existsSync(path) ? readKeyFile(path) : undefined)
}

/**
 * Refuses a process without a key at a store that was made with one, before a key is generated for it. A process that is
 * the first to start writes its key before the row, so a process that sees the row sees the key of the same DATA_DIR, too.
 */
export async function requireKeyOfStore(db: Queryable, config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Promise<void> {
  if (findSecrets(config)) return
  const known = await db.one(sql`select 1 from installation`)
  if (known && !findSecrets(config)) throw new StartError(WRONG_KEY)
}

/**
 * Made once. It appears whole or not at all: a link to a finished draft, which fails if another process was first, and
 * then that one's key counts.
 */
function createKeyFile(path: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${newInstallationSecret().toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

export const newInstallationSecret = (): Buffer => randomBytes(32)

/** One key on each line. */
function readKeyFile(path: string): Buffer[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  if (!lines.every(line => /^[0-9a-f]{64}$/.test(line.trim()))) {
    throw new StartError(`${path} is damaged: each line must hold 64 hexadecimal digits`)
  }
  return lines.map(line => Buffer.from(line.trim(), 'hex'))
}

/** Replaces the file as a whole, durably: a key that was lost after something was sealed with it would lose that, too. */
export function writeKeyFile(path: string, secrets: readonly Buffer[]): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, secrets.map(secret => `${secret.toString('hex')}\n`).join(''), { mode: 0o600, flush: true })
  renameSync(draft, path)
  const folder = openSync(join(path, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

export interface SecretKeyRow {
  id: string
  is_first: boolean
  secret_check: Buffer
  added_at: string
  used_from: string | null
  retired_at: string | null
  kept_sealed: Buffer | null
}

export const secretKeyRows = () => sql<SecretKeyRow>`
  select id, is_first, secret_check, added_at, used_from, retired_at, kept_sealed from secret_keys
  order by used_from desc nulls last, added_at desc, id`

/** Returns the proof that a key belongs to this secret. */
export const secretCheck = (secret: Buffer): Buffer => new Keyring(secret).sign('check', 'installation')

/** The key that signs and seals. */
export const keyInUse = (rows: readonly SecretKeyRow[]): SecretKeyRow =>
  onlyRow(rows.filter(row => row.used_from !== null && row.retired_at === null))

/** The key that the store was made with. */
export const firstKey = (rows: readonly SecretKeyRow[]): SecretKeyRow => onlyRow(rows.filter(row => row.is_first))

export const keptContext = (id: string): string => `kept keys ${id}`

const WRONG_KEY =
  'the secret key is not the one this store was made with: set SECRET_KEY to it, or use the DATA_DIR that holds its secret.key'

/**
 * Reads which keys the store uses and gives them to the keyring. With another key nothing that was sealed could be opened
 * again, so a process without a key that is needed is refused. In a transaction with the shared lock, so that the key in
 * use does not change between this and what the caller writes about the process.
 */
export async function loadSecretKeys(
  tx: Queryable,
  secrets: readonly Buffer[],
  keyring: Keyring = new Keyring(present(secrets[0], 'the secret key')),
): Promise<Keyring> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${LOCKS.secretKeys})`)
  const checks = secrets.map(secret => ({ id: deriveKeyId(secret), check: secretCheck(secret) }))
  let rows = await tx.query(secretKeyRows())
  if (rows.length === 0) {
    const own = present(checks[0], 'the secret key')
    // Two statements: one alone would not see the row of a process that was first by a moment.
    await tx.query(sql`insert into installation (secret_check) values (${own.check}) on conflict do nothing`)
    const row = await tx.one(sql<{ secret_check: Buffer }>`select secret_check from installation`)
    const first = checks.find(({ check }) => row && sameBytes(check, row.secret_check))
    if (!first) throw new StartError(WRONG_KEY)
    await tx.query(sql`
      insert into secret_keys (id, is_first, secret_check, used_from) values (${first.id}, true, ${first.check}, app_now())
      on conflict do nothing`)
    rows = await tx.query(secretKeyRows())
  }
  const has = (row: SecretKeyRow) => checks.some(({ id, check }) => id === row.id && sameBytes(check, row.secret_check))
  if (!has(keyInUse(rows))) throw new StartError(WRONG_KEY)
  const missing = rows.find(row => row.used_from !== null && row.retired_at === null && !has(row))
  if (missing) {
    throw new StartError(
      `the secret key ${missing.id} is missing, which is needed until it is retired (hiring secret status): add it to SECRET_KEY, or use the DATA_DIR whose secret.key has it`,
    )
  }
  applySecretKeys(keyring, secrets, rows)
  return keyring
}

/** Combines the rows with the secrets that this process has. A retired one is used for nothing. */
export function applySecretKeys(keyring: Keyring, secrets: readonly Buffer[], rows: readonly SecretKeyRow[]): void {
  const retired = new Set(rows.filter(row => row.retired_at !== null).map(row => row.id))
  const state: KeyringState = {
    secrets: secrets.filter(secret => !retired.has(deriveKeyId(secret))),
    used: keyInUse(rows).id,
    first: firstKey(rows).id,
    kept: new Map(),
  }
  keyring.use(state)
  // sealed with a key that the keyring has only now
  const kept = rows.flatMap(({ id, kept_sealed }) =>
    kept_sealed ? [[id, JSON.parse(keyring.unseal(kept_sealed, keptContext(id)).toString()) as KeptKeys] as const] : [],
  )
  if (kept.length > 0) keyring.use({ ...state, kept: new Map(kept) })
}

/** For a command: reads the keys once. */
export const openKeyring = (db: Database, secrets: readonly Buffer[]): Promise<Keyring> =>
  db.transaction(tx => loadSecretKeys(tx, secrets))
