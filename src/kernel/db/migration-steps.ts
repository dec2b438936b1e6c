import { ROLE_SCOPES, ROLES } from '../../contract/scopes.ts'
import { accountKey } from '../text/person-keys.ts'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** The part of a migration that SQL cannot compute. Returns what an operator should know, without personal values. */
export type MigrationStep = (db: Queryable) => Promise<string[]>

/** By the number of the migration, run after its SQL in the same transaction. */
export const MIGRATION_STEPS: Readonly<Record<number, MigrationStep>> = {
  90: async db => {
    await fillContactKeys(db)
    return fillMemberKeys(db)
  },
  91: async db => {
    for (const role of ROLES) {
      await db.query(sql`
        update api_keys k set scopes = array(
          select g.scope from unnest(k.granted_scopes) with ordinality as g (scope, place)
          where g.scope = any(${ROLE_SCOPES[role]}::text[]) order by g.place)
        from users u
        where u.workspace_id = k.workspace_id and u.id = k.user_id and u.role = ${role}
          and not k.granted_scopes <@ ${ROLE_SCOPES[role]}::text[]`)
    }
    return []
  },
}

const BATCH = 5_000

/**
 * Members of one workspace whose addresses have the same key (one of them with the domain in ASCII, say) all keep their
 * membership: each is found by the key, and each exact address is mailed a link of its own.
 */
async function fillMemberKeys(db: Queryable): Promise<string[]> {
  const members = await db.query(sql<{ workspace_id: string; id: string; email: string }>`
    select workspace_id, id, email from users where email is not null order by workspace_id, created_at, id`)
  const ranks = new Map<string, number>()
  const keyed = members.map(({ workspace_id, id, email }) => {
    const key = accountKey(email)
    const rank = ranks.get(`${workspace_id} ${key}`) ?? 0
    ranks.set(`${workspace_id} ${key}`, rank + 1)
    return { workspace_id, id, key, rank }
  })
  for (let at = 0; at < keyed.length; at += BATCH) {
    const batch = keyed.slice(at, at + BATCH)
    await db.query(sql`
      update users u set email_key = k.key, email_key_rank = k.rank
      from unnest(${batch.map(k => k.workspace_id)}::text[], ${batch.map(k => k.id)}::text[],
        ${batch.map(k => k.key)}::text[], ${batch.map(k => k.rank)}::integer[]) as k (workspace_id, id, key, rank)
      where u.workspace_id = k.workspace_id and u.id = k.id`)
  }
  await db.query(sql`alter table users validate constraint users_email_has_key`)
  const repeated = keyed.filter(({ rank }) => rank > 0).map(({ workspace_id, id }) => `${id} of ${workspace_id}`)
  if (repeated.length === 0) return []
  return [
    `these members have the address of an older member of their workspace, in another spelling; remove those that are not needed: ${repeated.join(', ')}`,
  ]
}

/** Those that are not ASCII; the others were filled by SQL. */
async function fillContactKeys(db: Queryable): Promise<void> {
  for (;;) {
    const rows = await db.query(sql<{ value: string }>`
      select distinct value from contact_values where field = 'email' and email_key is null limit ${BATCH}`)
    if (rows.length === 0) return
    const values = rows.map(({ value }) => value)
    await db.query(sql`
      update contact_values c set email_key = k.key
      from unnest(${values}::text[], ${values.map(value => accountKey(value))}::text[]) as k (value, key)
      where c.field = 'email' and c.value = k.value and c.email_key is null`)
  }
}
