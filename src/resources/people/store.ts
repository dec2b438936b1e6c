import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Match, PersonIdentifier } from './rules.ts'
import type { IdentityKind, ProfileObject } from './shape.ts'

/**
 * Records that carry the identifiers, of the kinds that the key can read. LinkedIn addresses are looked for in all of
 * them, email addresses among applicants only. Records whose processing was stopped do not count, nor does a pool
 * profile of a person whom this workspace erased or stopped processing: the profile stays, for the other workspaces.
 */
export const selectMatches = (
  workspace: string,
  emails: readonly string[],
  linkedins: readonly string[],
  kinds: Record<ProfileObject, boolean>,
): Sql<Match> =>
  sql<Match>`
    select 'linkedin_url' as kind, linkedin_key as value, 'applicant' as object, id, workspace_id, full_name,
      null as headline, location, null as photo_url, origin, provider
    from applicants
    where workspace_id = ${workspace} and linkedin_key = any(${linkedins}::text[]) and suppressed_at is null
      and ${kinds.applicant}::boolean
    union all
    select 'email', email_key, 'applicant', id, workspace_id, full_name, null, location, null, origin, provider
    from applicants
    where workspace_id = ${workspace} and email_key = any(${emails}::text[]) and suppressed_at is null
      and ${kinds.applicant}::boolean
    union all
    select 'linkedin_url', linkedin_key, 'sourced_profile', id, workspace_id, full_name, headline, location_full,
      photo_url, 'sourced', provider
    from sourced_profiles
    where workspace_id = ${workspace} and linkedin_key = any(${linkedins}::text[]) and suppressed_at is null
      and ${kinds.sourced_profile}::boolean
    union all
    select 'linkedin_url', linkedin_key, 'pool_profile', id, null, full_name, headline, location_full,
      photo_url, 'shared_pool', provider
    from pool_profiles
    where linkedin_key = any(${linkedins}::text[]) and suppressed_at is null and ${kinds.pool_profile}::boolean
      and not exists (select from suppressed_identifiers s where s.reach = ${workspace} and s.kind = 'linkedin_url'
        and s.sha256 = sha256(convert_to(linkedin_key, 'UTF8')))
    order by object, id`

export interface IdentityLink {
  email_key: string
  linkedin_key: string
}

/** Applicants who gave both identifiers: the only way in which the product knows that two belong together. */
export const linksAmong = (
  workspace: string,
  emails: readonly string[],
  linkedins: readonly string[],
): Sql<IdentityLink> =>
  sql<IdentityLink>`
    with near as (
      select linkedin_key from applicants
      where workspace_id = ${workspace} and email_key = any(${emails}::text[]) and suppressed_at is null
      union select unnest(${linkedins}::text[])
    )
    select a.email_key, a.linkedin_key from applicants a
    where a.workspace_id = ${workspace} and a.linkedin_key in (select linkedin_key from near)
      and a.email_key is not null and a.suppressed_at is null
    order by a.created_at, a.id`

export interface IdentityRow extends PersonIdentifier {
  person_id: string
  canonical_id: string
}

const IDENTITY = sql`kind, value, person_id, canonical_id`

/**
 * Kinds and values apart, which a cluster sends to the shard without planning it. That finds no other rows: only an email
 * address contains an `@`, so no value is of both kinds.
 */
const isAmong = (identifiers: readonly PersonIdentifier[]) => sql`
  kind = any(${[...new Set(identifiers.map(i => i.kind))]}::text[]) and value = any(${identifiers.map(i => i.value)}::text[])`

export const selectIdentities = (workspace: string, identifiers: readonly PersonIdentifier[]): Sql<IdentityRow> =>
  sql<IdentityRow>`
    select ${IDENTITY} from identities where workspace_id = ${workspace} and ${isAmong(identifiers)}`

export const lockIdentities = (workspace: string, identifiers: readonly PersonIdentifier[]): Sql<IdentityRow> =>
  sql<IdentityRow>`
    select ${IDENTITY} from identities
    where workspace_id = ${workspace} and ${isAmong(identifiers)}
    order by kind, value for update`

/** Rows that a concurrent call has inserted stay unchanged. */
export const insertIdentities = (workspace: string, rows: readonly IdentityRow[]): Sql<IdentityRow> =>
  rows.length === 1 && rows[0] ? insertIdentity(workspace, rows[0]) : insertMany(workspace, rows)

/** Written out, the row of a new applicant goes to the shard of its workspace in one step. */
const insertIdentity = (workspace: string, row: IdentityRow) =>
  sql<IdentityRow>`
    insert into identities (workspace_id, kind, value, person_id, canonical_id)
    values (${workspace}, ${row.kind}, ${row.value}, ${row.person_id}, ${row.canonical_id})
    on conflict (workspace_id, kind, value) do nothing
    returning ${IDENTITY}`

const insertMany = (workspace: string, rows: readonly IdentityRow[]) =>
  sql<IdentityRow>`
    insert into identities (workspace_id, kind, value, person_id, canonical_id)
    select ${workspace}, kind, value, person_id, canonical_id
    from unnest(${rows.map(r => r.kind)}::text[], ${rows.map(r => r.value)}::text[],
      ${rows.map(r => r.person_id)}::text[], ${rows.map(r => r.canonical_id)}::text[])
      as n (kind, value, person_id, canonical_id)
    order by kind, value
    on conflict (workspace_id, kind, value) do nothing
    returning ${IDENTITY}`

export const setCanonicals = (
  workspace: string,
  rows: readonly Pick<IdentityRow, 'person_id' | 'canonical_id'>[],
): Sql<{ at: string }> =>
  sql<{ at: string }>`
    with moved as (
      update identities i set canonical_id = n.canonical_id
      from unnest(${rows.map(r => r.person_id)}::text[], ${rows.map(r => r.canonical_id)}::text[])
        as n (person_id, canonical_id)
      where i.workspace_id = ${workspace} and i.person_id = n.person_id returning 1
    )
    select app_now() as at from moved limit 1`

export const identityByHandle = (workspace: string, personId: string): Sql<{ kind: IdentityKind; value: string }> =>
  sql<{ kind: IdentityKind; value: string }>`
    select kind, value from identities where workspace_id = ${workspace} and person_id = ${personId}`

export const selectNow = (): Sql<{ at: string }> => sql<{ at: string }>`select app_now() as at`
