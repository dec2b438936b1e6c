import { addressFault } from '../../kernel/access/workspace-kind.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { emailKey, linkedinKey } from '../../kernel/text/person-keys.ts'
import { recordLink } from '../people/index.ts'
import {
  type Identifier,
  lockSuppressionsShared,
  suppressedAmong,
  suppressedExternalIds,
} from '../suppressions/index.ts'
import { type ApplicantFields, applicantRecord, type ExternalRef } from './shape.ts'
import {
  type ApplicantDetails,
  type Consent,
  copyUnsubscribe,
  type DerivedDetails,
  deleteContactValue,
  dropUnsubscribe,
  insertApplicant,
  insertContactValue,
  insertFurtherEmails,
  insertUnsubscribe,
  lockApplicantByEmail,
  lockApplicantById,
  lockApplicantByRef,
  lockPerson,
  markSubscribed,
  markUnsubscribed,
  type NewApplicant,
  recordedConsent,
  touchApplicant,
  unmailedAddress,
  unsubscribedAddress,
  updateApplicant,
} from './store.ts'

/** What is known of a person, from an application, an import or an edit. */
export type PersonDetails = { [K in keyof Omit<ApplicantFields, 'external_refs'>]?: string | null | undefined }

const joinName = (first: string | null, last: string | null): string | null =>
  [first, last].filter(part => part !== null).join(' ') || null

/** Every way in which an address reaches a record ends here. Forms and endpoints look before, to name the field. */
async function requireStorable(tx: Transaction, workspace: string, key: string): Promise<void> {
  const fault = await addressFault(tx, workspace, key)
  if (fault !== undefined) throw new UserError(`the email address ${fault}`)
}

/**
 * `before`: the record, whose full name stays where both parts of a name are missing. A LinkedIn URL of someone who is not
 * to be stored has no key, and then only the person who typed it sees it (`toApplicant`): if it were left out, their own
 * page would tell them who was erased.
 */
async function derivedFrom(
  tx: Transaction,
  workspace: string,
  details: ApplicantFields,
  before?: ApplicantDetails,
): Promise<DerivedDetails> {
  const key = details.email === null ? undefined : emailKey(details.email)
  if (key !== undefined && key !== before?.email_key) await requireStorable(tx, workspace, key)
  const linkedin_key = async () => {
    if (before && before.linkedin_url === details.linkedin_url) return before.linkedin_key
    const key = details.linkedin_url === null ? undefined : linkedinKey(details.linkedin_url)
    if (key === undefined) return null
    const listed = await tx.query(suppressedAmong(workspace, [{ kind: 'linkedin_url', key }]))
    return listed.length > 0 ? null : key
  }
  return {
    full_name: joinName(details.first_name, details.last_name) ?? before?.full_name ?? null,
    email_key: key ?? null,
    linkedin_key: await linkedin_key(),
  }
}

/** Takes each detail from `first`, or from `second` where `first` has none. */
const firstKnown = (first: ApplicantFields, second: ApplicantFields): ApplicantFields => ({
  ...second,
  ...Object.fromEntries(applicantRecord.written.map(name => [name, first[name] ?? second[name]])),
})

/** People who were erased or asked that processing stop are not stored again, under any of their addresses. */
async function refuseSuppressed(
  tx: Transaction,
  workspace: string,
  person: PersonDetails,
  ref?: ExternalRef,
): Promise<void> {
  const email = person.email ? emailKey(person.email) : undefined
  const linkedin = person.linkedin_url ? linkedinKey(person.linkedin_url) : undefined
  const identifiers: Identifier[] = []
  if (email !== undefined) identifiers.push({ kind: 'email', key: email })
  if (linkedin !== undefined) identifiers.push({ kind: 'linkedin_url', key: linkedin })
  await tx.query(lockSuppressionsShared())
  const names = ref ? [{ workspace, object: 'applicant' as const, id: `${ref.system} ${ref.id}` }] : []
  const [byAddress, byName] = await Promise.all([
    tx.query(suppressedAmong(workspace, identifiers)),
    tx.query(suppressedExternalIds(names)),
  ])
  if (byAddress.length > 0 || byName.length > 0) fail('applicant_suppressed')
}

type Provenance = Pick<NewApplicant, 'origin' | 'acquisition' | 'provider' | 'consentBasis' | 'unproved'>

/** A person new to the workspace: the record, the contact values they gave, applicant.created. */
export async function addApplicant(
  tx: Transaction,
  workspace: string,
  person: PersonDetails,
  { externalRefs, ...provenance }: Provenance & { externalRefs?: readonly ExternalRef[] },
  originKeyId: string | null,
): Promise<string> {
  const id = newHandle('applicant')
  const fields = applicantRecord.merge(undefined, { ...person, external_refs: externalRefs })
  const derived = await derivedFrom(tx, workspace, fields)
  const row = await tx.only(insertApplicant({ workspace, id, ...provenance, details: { ...fields, ...derived } }))
  if (fields.email) tx.defer(insertContactValue(workspace, id, 'email', fields.email))
  if (fields.phone) tx.defer(insertContactValue(workspace, id, 'phone', fields.phone))
  const updatedAt = row.updated_at
  await appendEvents(tx, [{ type: 'applicant.created', workspaceId: workspace, id, updatedAt, originKeyId }])
  if (derived.email_key) await recordLink(tx, workspace, derived.email_key, derived.linkedin_key, originKeyId)
  return id
}

/** Partners know these only as `full_name`, which is computed from them. */
const NAME_PARTS: readonly string[] = ['first_name', 'last_name']
/** An applicant has no such fields: partners know them as `contact_info`, which they need further scopes for. */
const CONTACT_FIELDS = ['email', 'phone'] as const

/** Writes what differs, with applicant.updated naming it; nothing at all where nothing differs. */
async function change(
  tx: Transaction,
  workspace: string,
  before: ApplicantDetails,
  wanted: ApplicantFields,
  originKeyId: string | null,
): Promise<string[]> {
  const after = { ...before, ...wanted, ...(await derivedFrom(tx, workspace, wanted, before)) }
  const differs = (name: 'full_name' | 'email' | 'phone' | 'email_key' | 'linkedin_key') => before[name] !== after[name]
  const written = applicantRecord.changes(before, after).changed
  if (written.length === 0 && !differs('full_name')) return []
  const changed = [
    ...(differs('full_name') ? ['full_name'] : []),
    ...(CONTACT_FIELDS.some(differs) ? ['contact_info'] : []),
    ...written.filter(name => ![...NAME_PARTS, ...CONTACT_FIELDS].includes(name)),
  ]
  for (const field of CONTACT_FIELDS) {
    if (!differs(field)) continue
    if (before[field] !== null) await tx.query(deleteContactValue(workspace, before.id, field, before[field]))
    if (after[field] !== null) await tx.query(insertContactValue(workspace, before.id, field, after[field]))
  }
  const row = await tx.only(updateApplicant(workspace, before.id, after))
  await appendEvents(tx, [
    {
      type: 'applicant.updated',
      workspaceId: workspace,
      id: before.id,
      updatedAt: row.updated_at,
      changed,
      originKeyId,
    },
  ])
  if (!differs('email_key') && !differs('linkedin_key')) return changed
  if (before.email_key && differs('email_key')) await recordLink(tx, workspace, before.email_key, null, originKeyId)
  if (after.email_key) await recordLink(tx, workspace, after.email_key, after.linkedin_key, originKeyId)
  return changed
}

/** An application of a person who is known already: what the record lacks is filled in, nothing is replaced. */
export async function fillMissingDetails(
  tx: Transaction,
  workspace: string,
  existing: ApplicantDetails,
  person: PersonDetails,
  originKeyId: string | null,
): Promise<void> {
  const given = applicantRecord.merge(undefined, person)
  // a name is one detail: a partial name is not completed with parts of another spelling
  const named = existing.first_name !== null || existing.last_name !== null || existing.full_name !== null
  const { first_name, last_name } = named ? existing : given
  const wanted = { ...firstKnown(existing, given), first_name, last_name }
  await change(tx, workspace, existing, wanted, originKeyId)
}

/** Further addresses of someone, next to the one of their record. Those that are there change nothing. */
export async function addFurtherEmails(
  tx: Transaction,
  workspace: string,
  id: string,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return
  for (const email of emails) {
    const key = emailKey(email)
    if (key !== undefined) await requireStorable(tx, workspace, key)
  }
  const added = await tx.query(insertFurtherEmails(workspace, id, emails))
  if (added.length === 0) return
  const { updated_at: updatedAt } = await tx.only(touchApplicant(workspace, id))
  const changed = ['contact_info']
  await appendEvents(tx, [
    { type: 'applicant.updated', workspaceId: workspace, id, updatedAt, changed, originKeyId: null },
  ])
}

/**
 * An edit in the product: a detail left out keeps its value, null clears it. The person themselves (`isOwn`) may type any
 * LinkedIn URL.
 */
export async function editApplicant(
  tx: Transaction,
  workspace: string,
  id: string,
  person: PersonDetails,
  originKeyId: string | null,
  { isOwn = false }: { isOwn?: boolean } = {},
): Promise<string[]> {
  const key = person.email ? emailKey(person.email) : undefined
  if (person.email && !key) throw new UserError('that is not an email address')
  await refuseSuppressed(tx, workspace, isOwn ? { email: person.email } : person)
  if (key) await tx.query(lockPerson(workspace, key))
  const before = await tx.one(lockApplicantById(workspace, id))
  if (!before) throw new UserError(`there is no applicant ${id}`)
  if (before.suppressed) fail('applicant_suppressed')
  const other = key ? await tx.one(lockApplicantByEmail(workspace, key)) : undefined
  if (other && other.id !== id) throw new UserError(`the email address belongs to applicant ${other.id}`)
  return change(tx, workspace, before, applicantRecord.merge(before, person), originKeyId)
}

/** Whether a person may be written to, as their record shows it. undefined: there is no such applicant. */
export async function readConsent(db: Queryable, workspace: string, id: string): Promise<Consent | undefined> {
  const consent = await db.one(recordedConsent(workspace, id))
  if (!consent || consent.unsubscribed || consent.email_key === null) return consent
  const unmailed = await db.one(unmailedAddress(workspace, consent.email_key))
  return { ...consent, unsubscribed: unmailed !== undefined }
}

/** The person asked for no more email. Also noted for the address itself, which outlives the record. */
export async function unsubscribeApplicant(
  tx: Transaction,
  workspace: string,
  id: string,
  source: 'link' | 'one_click' | 'product',
): Promise<void> {
  const applicant = await tx.one(lockApplicantById(workspace, id))
  if (!applicant) throw new UserError(`there is no applicant ${id}`)
  if (applicant.email_key !== null) await tx.query(insertUnsubscribe(workspace, applicant.email_key, source))
  const row = await tx.one(markUnsubscribed(workspace, id))
  if (!row) return
  const updatedAt = row.updated_at
  await appendEvents(tx, [{ type: 'applicant.unsubscribed', workspaceId: workspace, id, updatedAt, originKeyId: null }])
}

/** The person wants email again; undoes `unsubscribeApplicant`. False if they had not unsubscribed. */
export async function subscribeApplicant(tx: Transaction, workspace: string, id: string): Promise<boolean> {
  const applicant = (await tx.one(lockApplicantById(workspace, id))) ?? fail('not_found')
  if (applicant.suppressed) fail('applicant_suppressed')
  const key = applicant.email_key
  const address = key === null ? undefined : await tx.one(unsubscribedAddress(workspace, key))
  if (!applicant.unsubscribed && !address) return false
  if (key !== null) for (const statement of dropUnsubscribe(workspace, key)) await tx.query(statement)
  const { updated_at: updatedAt } = await tx.only(markSubscribed(workspace, id))
  const changed = ['provenance.consent.unsubscribed']
  await appendEvents(tx, [
    { type: 'applicant.updated', workspaceId: workspace, id, updatedAt, changed, originKeyId: null },
  ])
  return true
}

/**
 * The person gives another email address for themselves. `unavailable` where it belongs to another applicant of the
 * workspace or may not be stored, or the person asked that processing stop: which of these is not said, and nothing is
 * changed. A person who unsubscribed stays unsubscribed.
 */
export async function changeEmail(
  tx: Transaction,
  workspace: string,
  id: string,
  address: string,
): Promise<'changed' | 'unchanged' | 'invalid' | 'unavailable'> {
  const email = address.trim()
  const key = emailKey(email)
  if (key === undefined || (await addressFault(tx, workspace, key)) !== undefined) return 'invalid'
  await Promise.all([tx.query(lockSuppressionsShared()), tx.query(lockPerson(workspace, key))])
  const before = (await tx.one(lockApplicantById(workspace, id))) ?? fail('not_found')
  const suppressed = await tx.query(suppressedAmong(workspace, [{ kind: 'email', key }]))
  const other = await tx.one(lockApplicantByEmail(workspace, key))
  if (before.suppressed || suppressed.length > 0 || (other && other.id !== id)) return 'unavailable'
  if (before.email_key !== null) await tx.query(copyUnsubscribe(workspace, before.email_key, key))
  const changed = await change(tx, workspace, before, applicantRecord.merge(before, { email }), null)
  return changed.length > 0 ? 'changed' : 'unchanged'
}

/**
 * A person of another system; applicant_suppressed where they may not be stored. Found again by that system's own id, then by email address; otherwise new.
 * The other system leads for the details it sends; what it does not send stays.
 */
export async function importApplicant(
  tx: Transaction,
  workspace: string,
  ref: ExternalRef,
  person: PersonDetails,
): Promise<string> {
  const key = person.email ? emailKey(person.email) : undefined
  if (person.email && !key) throw new UserError('that is not an email address')
  await refuseSuppressed(tx, workspace, person, ref)
  if (key) await tx.query(lockPerson(workspace, key))
  const byEmail = key ? await tx.one(lockApplicantByEmail(workspace, key)) : undefined
  const existing = (await tx.one(lockApplicantByRef(workspace, ref.system, ref.id))) ?? byEmail
  if (!existing) {
    return addApplicant(
      tx,
      workspace,
      person,
      {
        origin: 'ats_import',
        acquisition: 'ats_sync',
        provider: ref.system,
        consentBasis: 'customer_provided',
        externalRefs: [ref],
      },
      null,
    )
  }
  if (existing.suppressed) fail('applicant_suppressed') // found by an address that is not on the list, such as a role's
  const others = existing.external_refs.filter(other => other.system !== ref.system || other.id !== ref.id)
  const given = applicantRecord.merge(undefined, person)
  const { first_name, last_name } = person.first_name || person.last_name ? given : existing
  const details = firstKnown(given, existing)
  // an email address that another record has stays with it: two records with one would be one person twice
  const { email } = byEmail && byEmail.id !== existing.id ? existing : details
  const wanted = { ...details, first_name, last_name, email, external_refs: [...others, ref] }
  await change(tx, workspace, existing, wanted, null)
  return existing.id
}
