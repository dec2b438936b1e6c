import { type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { none, params, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf, writtenColumns, writtenValues } from '../../kernel/record/record.ts'
import { linkedinKey, storedEmailKey } from '../../kernel/text/person-keys.ts'
import { LICENCE } from '../shared/provenance.ts'
import { type ApplicantFields, type ApplicantRow, applicantRecord } from './shape.ts'

const { origin, acquisition, provider, consent_basis, first_seen_at, last_seen_at, email_key, linkedin_key } =
  applicantRecord.stored
const shown = {
  ...applicantRecord.fields,
  origin,
  acquisition,
  provider,
  consent_basis,
  first_seen_at,
  last_seen_at,
  linkedin_key,
}

export interface Consent {
  unsubscribed: boolean
  suppressed: boolean
}

/** As stored; `toApplicant` makes the record that is shown. */
type StoredApplicant = ColumnsOf<typeof shown> & Consent

/**
 * True for an applicants row `p` if the person said so, here or for the address, or the workspace itself keeps the address
 * off its mail. Partners honor both alike.
 */
const notToBeMailed = (workspace: string) => sql`(p.unsubscribed_at is not null or exists (
    select from unsubscribes u where u.workspace_id = ${workspace} and u.email_key = p.email_key))`

const APPLICANT = columnsOf(shown, 'p')
const applicant = (workspace: string) => sql`
  ${APPLICANT}, ${notToBeMailed(workspace)} as unsubscribed, p.suppressed_at is not null as suppressed`

/** A profile URL without a key belongs to someone who is not to be stored: it is for the person alone who typed it. */
const shownProfile = ({ linkedin_url, linkedin_key: key }: StoredApplicant): string | null =>
  linkedin_url !== null && key === null && linkedinKey(linkedin_url) !== undefined ? null : linkedin_url

export const toApplicant = ({ linkedin_key: key, ...row }: StoredApplicant): ApplicantRow => ({
  ...row,
  linkedin_url: shownProfile({ ...row, linkedin_key: key }),
  provenance: {
    origin: row.origin,
    acquisition: row.acquisition,
    provider: row.provider,
    owner_workspace_id: row.workspace_id,
    first_seen_at: row.first_seen_at,
    last_seen_at: row.last_seen_at,
    consent: {
      basis: row.consent_basis,
      candidate_facing_notice: row.origin === 'applicant',
      unsubscribed: row.unsubscribed,
      suppressed: row.suppressed,
    },
    licence: LICENCE,
  },
})

/** What applications for the jobs of a limited reader say about a person. */
export interface SeenInJobs {
  id: string
  first_applied_at: string
  last_applied_at: string
  sources: string[]
}

/** In a statement whose only table is `applications`. */
const OF_APPLICATION = { job: sql`applications.job_id`, application: sql`applications.id` }

/** One row for each of these people who applied for such a job. */
export const seenInJobs = (reader: LimitedPerson, ids: readonly string[]): Sql<SeenInJobs> =>
  sql<SeenInJobs>`
    select applicant_id as id, min(applied_at) as first_applied_at, max(applied_at) as last_applied_at,
      array_agg(distinct source)::text[] as sources
    from applications
    where workspace_id = ${reader.workspace} and applicant_id = any(${ids}::text[]) and ${reachesCandidate(reader, OF_APPLICATION)}
    group by applicant_id`

/**
 * The person as these applications show them: when they were seen, and their ids in the systems that these came from.
 * Anything else would say that they applied for another job.
 */
export const asSeenInJobs = (applicant: ApplicantRow, seen: SeenInJobs): ApplicantRow => ({
  ...applicant,
  created_at: seen.first_applied_at,
  external_refs: applicant.external_refs.filter(({ system }) => seen.sources.includes(system)),
  provenance: {
    ...applicant.provenance,
    first_seen_at: seen.first_applied_at,
    last_seen_at: seen.last_applied_at,
  },
})

export interface ApplicantFilter {
  /** normalized */
  emailKey?: string
  hasApplications?: boolean | undefined
}

export const applicantsPage = (workspace: string, filter: ApplicantFilter, page: Page): Sql<StoredApplicant> => {
  const email = filter.emailKey === undefined ? none : sql`and p.email_key = ${filter.emailKey}`
  const has =
    filter.hasApplications === undefined
      ? none
      : filter.hasApplications
        ? sql`and p.application_count > 0`
        : sql`and p.application_count = 0`
  return sql<StoredApplicant>`
    select ${applicant(workspace)} from applicants p where p.workspace_id = ${workspace} ${email} ${has} ${page.clause}`
}

export const applicantsById = (workspace: string, ids: readonly string[]): Sql<StoredApplicant> =>
  sql<StoredApplicant>`
    select ${applicant(workspace)} from applicants p where p.workspace_id = ${workspace} and p.id = any(${ids}::text[])`

/** As the record says; `unmailedAddress` reads whether the address is kept off mail. */
export const recordedConsent = (workspace: string, id: string) =>
  sql<Consent & { email_key: string | null }>`
    select email_key, unsubscribed_at is not null as unsubscribed, suppressed_at is not null as suppressed
    from applicants where workspace_id = ${workspace} and id = ${id}`

const { id, full_name, updated_at } = applicantRecord.fields

/** Computed from the details that are written, whenever they are. */
const derived = { full_name, email_key, linkedin_key }
export type DerivedDetails = ColumnsOf<typeof derived>

const WRITTEN = sql`${writtenColumns(applicantRecord)}, ${columnsOf(derived)}`

/**
 * The details that creation compares and edits change, locked. `unsubscribed`: as the record says; `unsubscribedAddress`
 * reads whether the address is.
 */
export type ApplicantDetails = ColumnsOf<{ id: typeof id; updated_at: typeof updated_at }> &
  ApplicantFields &
  DerivedDetails &
  Consent

const DETAILS = sql`${columnsOf({ id, updated_at, ...derived }, 'p')}, ${writtenColumns(applicantRecord, 'p')}`
const LOCKED = sql`
  ${DETAILS}, p.unsubscribed_at is not null as unsubscribed, p.suppressed_at is not null as suppressed`

/**
 * Whatever may give an address to a record takes turns by this lock, taken before any row: an address belongs to one
 * applicant, and of many creations at the same time one creates. Ends with the transaction.
 */
export const lockPerson = (workspace: string, emailKey: string) =>
  sql`select pg_advisory_xact_lock(${textLock('applicantEmail', workspace, emailKey)})`

export const lockApplicantByEmail = (workspace: string, key: string): Sql<ApplicantDetails> =>
  sql<ApplicantDetails>`
    select ${LOCKED} from applicants p where p.workspace_id = ${workspace} and p.email_key = ${key} for update`

export const lockApplicantById = (workspace: string, id: string): Sql<ApplicantDetails> =>
  sql<ApplicantDetails>`
    select ${LOCKED} from applicants p where p.workspace_id = ${workspace} and p.id = ${id} for update`

export const lockApplicantByRef = (workspace: string, system: string, id: string): Sql<ApplicantDetails> =>
  sql<ApplicantDetails>`
    select ${LOCKED} from applicants p
    where p.workspace_id = ${workspace} and p.external_refs @> ${JSON.stringify([{ system, id }])}::jsonb
    order by p.id limit 1 for update`

/** A record that has one of the keys. */
export interface KnownPerson {
  id: string
  /** the key that it was found by */
  key: string
  suppressed: boolean
  unsubscribed: boolean
  application_count: number
}

/**
 * The people who have one of these addresses, as their own or as a further one, or one of these LinkedIn profiles. The
 * record with the address as its own is the first, and then the one that is there the longest.
 */
export const peopleByKeys = (workspace: string, emails: readonly string[], profiles: readonly string[]) =>
  sql<KnownPerson>`
    select p.id, k.key, p.suppressed_at is not null as suppressed, p.unsubscribed_at is not null as unsubscribed,
      p.application_count
    from (
      select id, email_key as key, 0 as rank from applicants
      where workspace_id = ${workspace} and email_key = any(${emails}::text[])
      union all
      select subject_id, email_key, 1 from contact_values
      where workspace_id = ${workspace} and subject_object = 'applicant' and email_key = any(${emails}::text[])
      union all
      select id, linkedin_key, 2 from applicants
      where workspace_id = ${workspace} and linkedin_key = any(${profiles}::text[])
    ) k join applicants p on p.workspace_id = ${workspace} and p.id = k.id
    order by k.rank, p.first_seen_at, p.id`

/** Those of the addresses that their owners unsubscribed. */
export const unsubscribedAmong = (workspace: string, keys: readonly string[]) =>
  sql<{ email_key: string }>`
    select email_key from unsubscribes
    where workspace_id = ${workspace} and email_key = any(${keys}::text[]) and source <> 'opt_out'`

/** Whether the person said so for the address, even without an applicant record. */
export const unsubscribedAddress = (workspace: string, key: string) =>
  sql<{ found: number }>`
    select 1 as found from unsubscribes
    where workspace_id = ${workspace} and email_key = ${key} and source <> 'opt_out'`

/** Or the workspace itself keeps it off its mail. */
export const unmailedAddress = (workspace: string, key: string) =>
  sql<{ found: number }>`
    select 1 as found from unsubscribes where workspace_id = ${workspace} and email_key = ${key}`

export interface NewApplicant {
  workspace: string
  id: string
  origin: 'applicant' | 'ats_import' | 'sourced'
  acquisition: string
  provider: string | null
  consentBasis: 'candidate_submitted' | 'customer_provided' | 'legitimate_interest_sourcing'
  /** typed into the public form by someone who has not proved the address */
  unproved?: boolean
  details: ApplicantFields & DerivedDetails
}

export const insertApplicant = (a: NewApplicant) =>
  sql<{ updated_at: string }>`
    insert into applicants (workspace_id, id, origin, acquisition, provider, consent_basis, unproved, ${WRITTEN})
    values (${a.workspace}, ${a.id}, ${a.origin}, ${a.acquisition}, ${a.provider}, ${a.consentBasis}, ${a.unproved ?? false},
      ${writtenValues(applicantRecord, a.details)}, ${params(Object.keys(derived).map(name => a.details[name as keyof DerivedDetails]))})
    returning updated_at`

export const updateApplicant = (workspace: string, id: string, details: ApplicantFields & DerivedDetails) =>
  sql<{ updated_at: string }>`
    update applicants set (${WRITTEN}) = (
        select ${WRITTEN} from jsonb_populate_record(null::applicants, ${JSON.stringify(details)}::jsonb)),
      last_seen_at = app_now(), updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning updated_at`

/** Not a change of the person's details: `updated_at` stays. */
export const adjustApplicationCount = (workspace: string, id: string, by: 1 | -1) => sql`
  update applicants set application_count = application_count + ${by}::integer,
    ${by > 0 ? sql`last_seen_at = app_now()` : sql`last_seen_at = last_seen_at`}
  where workspace_id = ${workspace} and id = ${id}`

/** The person has chosen these details, after a link that was mailed to the address. */
export const markDetailsProved = (workspace: string, applicantId: string): Sql => sql`
  update applicants set unproved = false where workspace_id = ${workspace} and id = ${applicantId} and unproved`

export const insertContactValue = (
  workspace: string,
  applicantId: string,
  field: 'email' | 'phone',
  value: string,
) => sql`
  insert into contact_values (workspace_id, subject_object, subject_id, field, value, email_key, kind)
  values (${workspace}, 'applicant', ${applicantId}, ${field}, ${value}, ${storedEmailKey(field, value)}, 'submitted')
  on conflict do nothing`

/** Further addresses of a person. One that another record has as its own stays with that record. */
export const insertFurtherEmails = (workspace: string, applicantId: string, emails: readonly string[]) =>
  sql<{ value: string }>`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, email_key, kind)
    select ${workspace}, 'applicant', ${applicantId}, 'email', value, email_key, 'other'
    from unnest(${emails}::text[], ${emails.map(email => storedEmailKey('email', email))}::text[]) e (value, email_key)
    where not exists (select from applicants p where p.workspace_id = ${workspace} and p.email_key = e.email_key)
      and not exists (select from contact_values c where c.workspace_id = ${workspace} and c.subject_object = 'applicant'
        and c.subject_id = ${applicantId} and c.email_key = e.email_key)
    on conflict do nothing returning value`

export const touchApplicant = (workspace: string, id: string) =>
  sql<{ updated_at: string }>`
    update applicants set last_seen_at = app_now(), updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning updated_at`

export const deleteContactValue = (
  workspace: string,
  applicantId: string,
  field: 'email' | 'phone',
  value: string,
) => sql`
  delete from contact_values where workspace_id = ${workspace} and subject_object = 'applicant'
    and subject_id = ${applicantId} and field = ${field} and value = ${value}`

export const markUnsubscribed = (workspace: string, id: string) =>
  sql<{ updated_at: string }>`
    update applicants set unsubscribed_at = app_now(), updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} and unsubscribed_at is null returning updated_at`

/** The person wants email again. What the workspace itself keeps off its mail stays so: its own entry is in force again. */
export const dropUnsubscribe = (workspace: string, key: string): Sql[] => [
  sql`
    delete from unsubscribes
    where workspace_id = ${workspace} and email_key = ${key} and source <> 'opt_out' and opted_out_at is null`,
  sql`
    update unsubscribes set source = 'opt_out', at = opted_out_at, opted_out_at = null
    where workspace_id = ${workspace} and email_key = ${key} and opted_out_at is not null`,
]

export const markSubscribed = (workspace: string, id: string) =>
  sql<{ updated_at: string }>`
    update applicants set unsubscribed_at = null, updated_at = ${touched()}
    where workspace_id = ${workspace} and id = ${id} returning updated_at`

/** A person who is not to be mailed at the old address is not to be mailed at the new one. */
export const copyUnsubscribe = (workspace: string, from: string, to: string) => sql`
  insert into unsubscribes (workspace_id, email_key, source, at, opted_out_at)
  select workspace_id, ${to}, source, at, opted_out_at from unsubscribes where workspace_id = ${workspace} and email_key = ${from}
  on conflict (workspace_id, email_key) do nothing`

/** What the person said comes first; that the workspace had put the address on its own list is kept. */
export const insertUnsubscribe = (workspace: string, key: string, source: 'link' | 'one_click' | 'product') => sql`
  insert into unsubscribes as u (workspace_id, email_key, source) values (${workspace}, ${key}, ${source})
  on conflict (workspace_id, email_key) do update set source = excluded.source, at = excluded.at, opted_out_at = u.at
  where u.source = 'opt_out'`

export const deleteApplicantRow = (workspace: string, id: string) =>
  sql<{ updated_at: string }>`
    with contacts as (
      delete from contact_values
      where workspace_id = ${workspace} and subject_object = 'applicant' and subject_id = ${id}
    ), gone as (
      delete from applicants where workspace_id = ${workspace} and id = ${id} returning updated_at
    )
    select ${touched()} as updated_at from gone`
