import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../crypto/signing.ts'
import { adoptStore } from './adopt-store.ts'
import type { Database, Queryable } from './database.ts'
import { LOCKS } from './locks.ts'
import { sql } from './sql.ts'

export interface Migration {
  version: number
  name: string
  text: string
  hash: string
}

const FOLDER = join(import.meta.dirname, '../../../migrations')

export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter(file => /^\d{6}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map(file => {
      const text = readFileSync(join(folder, file), 'utf8')
      return { version: Number(file.slice(0, 6)), name: file.slice(7, -4), text, hash: sha256(text).toString('hex') }
    })
}

/** Brings the schema up to date. Processes that start together wait for one another; each migration is a transaction. */
export async function migrate(db: Database, migrations = readMigrations()): Promise<{ applied: string[] }> {
  const session = await db.session({ timeouts: 'off' })
  try {
    await session.query(sql`select pg_advisory_lock(${LOCKS.migrations})`)
    await session.script(
      'create table if not exists schema_migrations (version integer primary key, name text not null, hash text not null, applied_at timestamptz(3) not null default now())',
    )
    await adoptStore(session, migrations)
    const done = await appliedVersions(session)
    const applied: string[] = []
    for (const migration of migrations) {
      const earlier = done.get(migration.version)
      if (earlier === migration.hash) continue
      if (earlier !== undefined) {
        throw new Error(
          `migration ${migration.version} (${migration.name}) was changed after it was applied to this database; restore the file, or start with an empty database`,
        )
      }
      const { version, name, hash } = migration
      const applying = `insert into schema_migrations (version, name, hash) values (${version}, '${name}', '${hash}')`
      // The schema and the row that records it are committed together.
      await session.script(`begin;\n${migration.text}\n;${applying};\ncommit;`)
      applied.push(name)
    }
    return { applied }
  } finally {
    await session.close()
  }
}

async function appliedVersions(db: Queryable): Promise<Map<number, string>> {
  const rows = await db.query(sql<{ version: number; hash: string }>`select version, hash from schema_migrations`)
  return new Map(rows.map(row => [row.version, row.hash]))
}

/** Whether every migration this program knows has been applied; for /readyz. */
export async function isMigrated(db: Queryable, migrations = readMigrations()): Promise<boolean> {
  const done = await appliedVersions(db)
  return migrations.every(m => done.get(m.version) === m.hash)
}
