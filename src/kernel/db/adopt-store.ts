import { sha256 } from '../crypto/signing.ts'
import type { DbSession } from './database.ts'
import { sql } from './sql.ts'

interface AppliedMigration {
  version: number
  name: string
  hash: string
}

/**
 * 0.1.0 had 55 migrations with numbers up to 113. They were replaced by the first 14 of today before the first release,
 * and make the same schema. The facts by which a store of 0.1.0 is recognized:
 */
const OLD_FIRST_HASH = '5e67f47b01f789656ae14d1be036e0c8eb8c2e4e03dff28a8eb61c0c760ca5f5'
const OLD_LAST_VERSION = 113
/** SHA-256 of a line `version hash` for each of them */
const OLD_CHAIN = 'cbe9c261b32965cf9ba7cb86c5f33fabe6d6e5ab05034c8e9a617767247fbd6e'
const REPLACED_BY = 14

/**
 * A store that has every migration of 0.1.0 gets the rows of those that replaced them, in one transaction; nothing else
 * of it changes. The caller holds the lock of migrations.
 */
export async function adoptStore(session: DbSession, migrations: readonly AppliedMigration[]): Promise<void> {
  const rows = await session.query(
    sql<{ version: number; hash: string }>`select version, hash from schema_migrations order by version`,
  )
  if (rows[0]?.hash !== OLD_FIRST_HASH) return
  const chain = rows.filter(row => row.version <= OLD_LAST_VERSION).map(row => `${row.version} ${row.hash}\n`)
  if (sha256(chain.join('')).toString('hex') !== OLD_CHAIN) {
    throw new Error(
      `this store was created by a version before 0.2.0 and does not have all its migrations (the last is ${rows.at(-1)?.version}): start it once with the last 0.1.0, which applies them up to ${OLD_LAST_VERSION}, then with this version`,
    )
  }
  const applied = migrations
    .filter(({ version }) => version <= REPLACED_BY)
    .map(({ version, name, hash }) => `(${version}, '${name}', '${hash}')`)
  await session.script(`begin;
    delete from schema_migrations;
    insert into schema_migrations (version, name, hash) values ${applied.join(', ')};
    commit;`)
}
