import { asPattern, containing, none, plannedEachTime, raw, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { MAX_RANKED, type Page, type RankedPage } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf } from '../../kernel/record/record.ts'
import { storedEmailKey } from '../../kernel/text/person-keys.ts'
import { LICENCE } from '../shared/provenance.ts'
import { type ContactValue, type NewProfile, PROFILE_FIELDS, PROFILE_NUMBERS, PROFILE_TEXTS } from './rules.ts'
import {
  type AttachmentType,
  attachmentRecord,
  importedFields,
  type SourcedProfileRow,
  sourcedProfileRecord,
} from './shape.ts'

const { acquisition, provider, first_seen_at, last_seen_at } = sourcedProfileRecord.stored
const shown = { ...sourcedProfileRecord.fields, acquisition, provider, first_seen_at, last_seen_at }

/** A stored row; `toProfile` converts it to the record. */
export type StoredProfile = ColumnsOf<typeof shown> & {
  attachment_types: AttachmentType[]
  unsubscribed: boolean
  suppressed: boolean
}

const COLUMNS = columnsOf(importedFields, 'p')

/** For the row `p`: the person has unsubscribed, or one of the revealed email addresses has. */
export const notToBeMailed = (
  workspace: string,
) => sql`(p.unsubscribed_at is not null or p.has_contact_info and exists (
    select from contact_values c join unsubscribes u on u.workspace_id = c.workspace_id and u.email_key = c.email_key
    where c.workspace_id = ${workspace} and c.subject_object = 'sourced_profile' and c.subject_id = p.id
      and c.field = 'email'))`

/** Flags say what can be had: nothing of a person whose processing was stopped. */
const { has_contact_info, has_linkedin_capture, ...plain } = shown
const PROFILE = columnsOf(plain, 'p')
const HAS_CONTACT_INFO = sql`(p.has_contact_info and p.suppressed_at is null)`
const profile = (workspace: string) => sql`
  ${PROFILE}, ${HAS_CONTACT_INFO} as has_contact_info,
  (p.has_linkedin_capture and p.suppressed_at is null) as has_linkedin_capture,
  ${notToBeMailed(workspace)} as unsubscribed, p.suppressed_at is not null as suppressed,
  array(select a.type from attachments a
    where a.workspace_id = ${workspace} and a.profile_id = p.id and p.suppressed_at is null) as attachment_types`

export function toProfile(row: StoredProfile): SourcedProfileRow {
  return {
    ...row,
    has_resume: row.attachment_types.includes('resume'),
    has_business_card: row.attachment_types.includes('business_card'),
    has_profile_photo: row.attachment_types.includes('profile_photo'),
    provenance: {
      origin: 'sourced',
      acquisition: row.acquisition,
      provider: row.provider,
      owner_workspace_id: row.workspace_id,
      first_seen_at: row.first_seen_at,
      last_seen_at: row.last_seen_at,
      consent: {
        basis: 'legitimate_interest_sourcing',
        candidate_facing_notice: false,
        unsubscribed: row.unsubscribed,
        suppressed: row.suppressed,
      },
      licence: LICENCE,
    },
  }
}

/** The column alone, too: it is in the index of this list. */
const WITH_CONTACT_INFO = sql`and p.has_contact_info and p.suppressed_at is null`
const WITHOUT_CONTACT_INFO = sql`and (not p.has_contact_info or p.suppressed_at is not null)`

export interface ProfileFilter {
  origin?: string
  has_contact_info?: boolean
  q?: string
}

export const allProfiles = (workspace: string, filter: ProfileFilter, page: Page): Sql<StoredProfile> => {
  const { origin, has_contact_info, q } = filter
  const conditions = sql`p.workspace_id = ${workspace}
      ${origin === undefined ? none : sql`and p.origin = ${origin}`}
      ${has_contact_info === undefined ? none : has_contact_info ? WITH_CONTACT_INFO : WITHOUT_CONTACT_INFO}
      ${
        q === undefined
          ? none
          : sql`and lower(coalesce(full_name, '') || E'\n' || coalesce(job_title, '') || E'\n' || coalesce(company_name, ''))
              like lower(${containing(q)})`
      }`
  const statement =
    q === undefined || page.offset === undefined
      ? sql<StoredProfile>`select ${profile(workspace)} from sourced_profiles p where ${conditions} ${page.clause}`
      : rankedProfiles(workspace, conditions, q, { ...page, offset: page.offset })
  // Planned with the value: a rare text is found through the trigram index, a frequent one by scanning from the newest.
  return q === undefined ? statement : plannedEachTime(statement)
}

/**
 * Best match first: those with exactly this name, then by where the text is in name, title and company, then the
 * newest. Only the newest matches are compared.
 */
function rankedProfiles(
  workspace: string,
  conditions: Sql,
  q: string,
  { limit, offset, bounds }: RankedPage,
): Sql<StoredProfile> {
  const has = (column: Sql, pattern: string) => sql`coalesce(${column} ilike ${pattern}, false)`
  const exact = (column: Sql) => has(column, asPattern(q.trim()))
  const [name, title] = [sql`p.full_name`, sql`p.job_title`]
  return sql<StoredProfile>`
    select ${profile(workspace)} from (
      select p.* from sourced_profiles p where ${conditions} ${bounds}
      order by p.updated_at desc, p.id desc limit ${MAX_RANKED + 1}
    ) p
    order by ${exact(name)} desc, ${has(name, `${asPattern(q)}%`)} desc, ${has(name, containing(q))} desc,
      ${exact(title)} desc, ${has(title, containing(q))} desc, p.updated_at desc, p.id desc
    limit ${limit + 1} offset ${offset}`
}

export const profilesById = (workspace: string, ids: readonly string[]): Sql<StoredProfile> =>
  sql<StoredProfile>`
    select ${profile(workspace)} from sourced_profiles p
    where p.workspace_id = ${workspace} and p.id = any(${ids}::text[])`

export const profileById = (workspace: string, id: string, lock?: 'for update'): Sql<StoredProfile> =>
  sql<StoredProfile>`
    select ${profile(workspace)} from sourced_profiles p where p.workspace_id = ${workspace} and p.id = ${id}
    ${lock ? sql`for update of p` : none}`

const { profile_id, blob_key } = attachmentRecord.stored
const file = { ...attachmentRecord.fields, profile_id, blob_key }
const ATTACHMENT = columnsOf(file)

export type AttachmentFile = ColumnsOf<typeof file>

export const selectAttachments = (workspace: string, profile: string, type?: AttachmentType): Sql<AttachmentFile> =>
  sql<AttachmentFile>`
    select ${ATTACHMENT} from attachments
    where workspace_id = ${workspace} and profile_id = ${profile}
      ${type === undefined ? none : sql`and type = ${type}`} order by type`

/** Queues the replaced file for deletion. */
export const upsertAttachment = (workspace: string, a: Omit<AttachmentFile, 'uploaded_at'>): Sql<AttachmentFile> =>
  sql<AttachmentFile>`
    with deletions as (
      insert into file_deletions (workspace_id, blob_key)
      select ${workspace}, blob_key from attachments
      where workspace_id = ${workspace} and profile_id = ${a.profile_id} and type = ${a.type}
      on conflict do nothing
    )
    insert into attachments (workspace_id, profile_id, type, filename, mime, bytes, blob_key)
    values (${workspace}, ${a.profile_id}, ${a.type}, ${a.filename}, ${a.mime}, ${a.bytes}, ${a.blob_key})
    on conflict (workspace_id, profile_id, type) do update set filename = excluded.filename, mime = excluded.mime,
      bytes = excluded.bytes, blob_key = excluded.blob_key, uploaded_at = excluded.uploaded_at
    returning ${ATTACHMENT}`

export const touchProfile = (workspace: string, id: string, hasContactInfo?: true): Sql<{ updated_at: string }> =>
  sql<{ updated_at: string }>`
    update sourced_profiles set updated_at = ${touched()}
      ${hasContactInfo ? sql`, has_contact_info = true` : none}
    where workspace_id = ${workspace} and id = ${id} returning updated_at`

export const revealedValues = (workspace: string, profile: string): Sql<Pick<ContactValue, 'field' | 'value'>> =>
  sql<Pick<ContactValue, 'field' | 'value'>>`
    select field, value from contact_values
    where workspace_id = ${workspace} and subject_object = 'sourced_profile' and subject_id = ${profile}
    order by created_at desc, value desc`

export const revealedAmong = (workspace: string, profiles: readonly string[]) =>
  sql<Pick<ContactValue, 'field' | 'value'> & { subject_id: string }>`
    select subject_id, field, value from contact_values
    where workspace_id = ${workspace} and subject_object = 'sourced_profile' and subject_id = any(${profiles}::text[])`

export function insertContactValues(workspace: string, contacts: ReadonlyMap<string, readonly ContactValue[]>): Sql {
  const rows = [...contacts].flatMap(([id, values]) => values.map(value => ({ ...value, id })))
  return sql`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, email_key, kind, status)
    select ${workspace}, 'sourced_profile', id, field, value, email_key, kind, status
    from unnest(${rows.map(v => v.id)}::text[], ${rows.map(v => v.field)}::text[], ${rows.map(v => v.value)}::text[],
      ${rows.map(v => storedEmailKey(v.field, v.value))}::text[], ${rows.map(v => v.kind)}::text[],
      ${rows.map(v => v.status)}::text[]) as v (id, field, value, email_key, kind, status)
    on conflict do nothing`
}

/** Profiles that have contact details now; `had`: they had some before. */
export const markRevealed = (workspace: string, ids: readonly string[]) =>
  sql<{ id: string; updated_at: string; had: boolean }>`
    with before as (
      select id, has_contact_info as had from sourced_profiles
      where workspace_id = ${workspace} and id = any(${ids}::text[])
    )
    update sourced_profiles p set updated_at = ${touched('p.updated_at')}, has_contact_info = true from before b
    where p.workspace_id = ${workspace} and p.id = b.id returning p.id, p.updated_at, b.had`

/** Returns the values that are new or whose kind, status or verification time changed. */
export const upsertContactValues = (
  workspace: string,
  profile: string,
  values: readonly ContactValue[],
): Sql<Pick<ContactValue, 'field' | 'kind'>> =>
  sql<Pick<ContactValue, 'field' | 'kind'>>`
    insert into contact_values as c
      (workspace_id, subject_object, subject_id, field, value, email_key, kind, status, verified_at)
    select ${workspace}, 'sourced_profile', ${profile}, field, value, email_key, kind, status, verified_at
    from unnest(${values.map(v => v.field)}::text[], ${values.map(v => v.value)}::text[],
      ${values.map(v => storedEmailKey(v.field, v.value))}::text[],
      ${values.map(v => v.kind)}::text[], ${values.map(v => v.status)}::text[],
      ${values.map(v => v.verified_at)}::timestamptz[]) as v (field, value, email_key, kind, status, verified_at)
    on conflict (workspace_id, subject_object, subject_id, field, value) do update
      set kind = excluded.kind, status = excluded.status, verified_at = excluded.verified_at
      where (c.kind, c.status, c.verified_at) is distinct from (excluded.kind, excluded.status, excluded.verified_at)
    returning field, kind`

export const deleteContactValues = (workspace: string, profile: string) =>
  sql`
    delete from contact_values
    where workspace_id = ${workspace} and subject_object = 'sourced_profile' and subject_id = ${profile}`

/** Also queues all files in its folder for deletion. */
export const deleteProfileRow = (workspace: string, id: string, folder: string): Sql<{ deleted_at: string }> =>
  sql<{ deleted_at: string }>`
    with deletions as (
      insert into file_deletions (workspace_id, blob_key) values (${workspace}, ${folder}) on conflict do nothing
    ), gone as (
      delete from sourced_profiles where workspace_id = ${workspace} and id = ${id} returning updated_at
    )
    select ${touched()} as deleted_at from gone`

/** One import at a time in a workspace, so that two imports of the same file create each profile once. */
export const lockWorkspaceProfiles = (workspace: string) =>
  sql<{ closing_at: string | null }>`select closing_at from workspaces where id = ${workspace} for no key update`

export const knownProfiles = (
  workspace: string,
  externalIds: readonly string[],
  linkedinKeys: readonly string[],
  lock?: 'for update',
): Sql<NewProfile & { suppressed: boolean }> =>
  sql<NewProfile & { suppressed: boolean }>`
    select p.id, p.external_id, p.linkedin_key, p.suppressed_at is not null as suppressed, ${COLUMNS}
    from sourced_profiles p
    where p.workspace_id = ${workspace}
      and (p.external_id = any(${externalIds}::text[]) or p.linkedin_key = any(${linkedinKeys}::text[]))
    order by p.id ${lock ? sql`for update` : none}`

const TYPED = raw(
  [
    'id text',
    'external_id text',
    'linkedin_key text',
    ...PROFILE_TEXTS.map(name => `${name} text`),
    ...PROFILE_NUMBERS.map(name => `${name} integer`),
  ].join(', '),
)
const NAMES = raw(['id', 'external_id', 'linkedin_key', ...PROFILE_FIELDS].join(', '))
const ASSIGNED = raw(['external_id', 'linkedin_key', ...PROFILE_FIELDS].map(name => `${name} = n.${name}`).join(', '))

export const insertProfiles = (
  workspace: string,
  how: { origin: string; acquisition: string; provider: string | null },
  rows: readonly NewProfile[],
): Sql<{ id: string; updated_at: string }> =>
  sql<{ id: string; updated_at: string }>`
    insert into sourced_profiles (workspace_id, origin, acquisition, provider, ${NAMES})
    select ${workspace}, ${how.origin}, ${how.acquisition}, ${how.provider}, ${NAMES}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (${TYPED})
    returning id, updated_at`

export const updateProfiles = (
  workspace: string,
  rows: readonly NewProfile[],
): Sql<{ id: string; updated_at: string }> =>
  sql<{ id: string; updated_at: string }>`
    update sourced_profiles p
    set ${ASSIGNED}, last_seen_at = app_now(), updated_at = ${touched('p.updated_at')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (${TYPED})
    where p.workspace_id = ${workspace} and p.id = n.id
    returning p.id, p.updated_at`

/**
 * For profiles without a visible change. The external_id may be new, so that the next import finds the profile by it.
 */
export const markProfileSeen = (workspace: string, rows: readonly Pick<NewProfile, 'id' | 'external_id'>[]) =>
  sql`
    update sourced_profiles p set last_seen_at = app_now(), external_id = n.external_id
    from unnest(${rows.map(r => r.id)}::text[], ${rows.map(r => r.external_id)}::text[]) as n (id, external_id)
    where p.workspace_id = ${workspace} and p.id = n.id`

interface PoolKeys {
  id: string
  linkedin_key: string | null
}

/** Profiles of the workspace that were saved from the pool under one of the handles, or have one of the LinkedIn URLs. */
export const profilesLike = (workspace: string, pool: readonly PoolKeys[]) =>
  sql<{ id: string; external_id: string | null; linkedin_key: string | null }>`
    select id, external_id, linkedin_key from sourced_profiles
    where workspace_id = ${workspace} and (external_id = any(${pool.map(({ id }) => id)}::text[])
      or linkedin_key = any(${pool.flatMap(({ linkedin_key }) => linkedin_key ?? [])}::text[]))
    order by created_at, id`
