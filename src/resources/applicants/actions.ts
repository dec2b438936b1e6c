import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../kernel/db/database.ts'
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
import type { ExternalRef } from './shape.ts'
import {
  type ApplicantDetails,
  deleteContactValue,
  insertApplicant,
  insertContactValue,
  insertUnsubscribe,
  lockApplicantByEmail,
  lockApplicantById,
  lockApplicantByRef,
  lockPerson,
  markUnsubscribed,
  type NewApplicant,
  updateApplicant,
} from './store.ts'

/** What is known of a person, from an application, an import or an edit. */
export interface PersonDetails {
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  location?: string | null | undefined
  linkedinUrl?: string | null | undefined
  githubUrl?: string | null | undefined
  portfolioUrl?: string | null | undefined
}

const clean = (text: string | null | undefined): string | null => text?.trim() || null

const joinName = (first: string | null, last: string | null): string | null =>
  [first, last].filter(part => part !== null).join(' ') || null

/** People who were erased or asked that processing stop are not stored again, under any of their addresses. */
async function refuseSuppressed(
  tx: Transaction,
  workspace: string,
  person: PersonDetails,
  ref?: ExternalRef,
): Promise<void> {
  const email = person.email ? emailKey(person.email) : undefined
  const linkedin = person.linkedinUrl ? linkedinKey(person.linkedinUrl) : undefined
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

type Provenance = Pick<NewApplicant, 'origin' | 'acquisition' | 'provider' | 'consentBasis'>

/** A person new to the workspace: the record, the contact values they gave, applicant.created. */
export async function addApplicant(
  tx: Transaction,
  workspace: string,
  person: PersonDetails,
  provenance: Provenance & { externalRefs?: readonly ExternalRef[] },
  originKeyId: string | null,
): Promise<string> {
  const id = newHandle('applicant')
  const firstName = clean(person.firstName)
  const lastName = clean(person.lastName)
  const email = clean(person.email)
  const phone = clean(person.phone)
  const linkedinUrl = clean(person.linkedinUrl)
  const keys = {
    emailKey: (email && emailKey(email)) ?? null,
    linkedinKey: (linkedinUrl && linkedinKey(linkedinUrl)) ?? null,
  }
  const row = await tx.one(
    insertApplicant({
      workspace,
      id,
      firstName,
      lastName,
      fullName: joinName(firstName, lastName),
      email,
      phone,
      location: clean(person.location),
      linkedinUrl,
      githubUrl: clean(person.githubUrl),
      portfolioUrl: clean(person.portfolioUrl),
      externalRefs: [],
      ...keys,
      ...provenance,
    }),
  )
  if (email) await tx.query(insertContactValue(workspace, id, 'email', email))
  if (phone) await tx.query(insertContactValue(workspace, id, 'phone', phone))
  const updatedAt = row!.updated_at
  await appendEvents(tx, [{ type: 'applicant.created', workspaceId: workspace, id, updatedAt, originKeyId }])
  if (keys.emailKey) await recordLink(tx, workspace, keys.emailKey, keys.linkedinKey, originKeyId)
  return id
}

/** Fields of the record that a person's details change, by the name partners see. */
const SHOWN: Readonly<Partial<Record<keyof ApplicantDetails, string>>> = {
  full_name: 'full_name',
  email: 'email',
  phone: 'phone',
  location: 'location',
  linkedin_url: 'linkedin_url',
  github_url: 'github_url',
  portfolio_url: 'portfolio_url',
  external_refs: 'external_refs',
}

/** Writes what differs, with applicant.updated naming it; nothing at all where nothing differs. */
async function change(
  tx: Transaction,
  workspace: string,
  before: ApplicantDetails,
  wanted: Partial<ApplicantDetails>,
  originKeyId: string | null,
): Promise<string[]> {
  const after = { ...before, ...wanted }
  after.full_name = joinName(after.first_name, after.last_name) ?? after.full_name
  after.email_key = after.email === null ? null : (emailKey(after.email) ?? null)
  after.linkedin_key = after.linkedin_url === null ? null : (linkedinKey(after.linkedin_url) ?? null)
  const differs = (name: keyof ApplicantDetails) => !isDeepStrictEqual(before[name], after[name])
  const changed = Object.entries(SHOWN).flatMap(([name, shown]) =>
    differs(name as keyof ApplicantDetails) ? [shown] : [],
  )
  if (changed.length === 0 && !differs('first_name') && !differs('last_name')) return []
  for (const field of ['email', 'phone'] as const) {
    if (!differs(field)) continue
    if (before[field] !== null) await tx.query(deleteContactValue(workspace, before.id, field, before[field]))
    if (after[field] !== null) await tx.query(insertContactValue(workspace, before.id, field, after[field]))
  }
  const row = await tx.one(updateApplicant(workspace, after))
  await appendEvents(tx, [
    {
      type: 'applicant.updated',
      workspaceId: workspace,
      id: before.id,
      updatedAt: row!.updated_at,
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
  // a name is one detail: a partial name is not completed with parts of another spelling
  const named = existing.first_name !== null || existing.last_name !== null || existing.full_name !== null
  await change(
    tx,
    workspace,
    existing,
    {
      ...(named ? {} : { first_name: clean(person.firstName), last_name: clean(person.lastName) }),
      email: existing.email ?? clean(person.email),
      phone: existing.phone ?? clean(person.phone),
      location: existing.location ?? clean(person.location),
      linkedin_url: existing.linkedin_url ?? clean(person.linkedinUrl),
      github_url: existing.github_url ?? clean(person.githubUrl),
      portfolio_url: existing.portfolio_url ?? clean(person.portfolioUrl),
    },
    originKeyId,
  )
}

/** An edit in the product: a detail left out keeps its value, null clears it. */
export async function editApplicant(
  tx: Transaction,
  workspace: string,
  id: string,
  person: PersonDetails,
  originKeyId: string | null,
): Promise<string[]> {
  const key = person.email ? emailKey(person.email) : undefined
  if (person.email && !key) throw new UserError('that is not an email address')
  await refuseSuppressed(tx, workspace, person)
  if (key) await tx.query(lockPerson(workspace, key))
  const before = await tx.one(lockApplicantById(workspace, id))
  if (!before) throw new UserError(`there is no applicant ${id}`)
  if (before.suppressed) fail('applicant_suppressed')
  const other = key ? await tx.one(lockApplicantByEmail(workspace, key)) : undefined
  if (other && other.id !== id) throw new UserError(`the email address belongs to applicant ${other.id}`)
  const wanted: Partial<ApplicantDetails> = {}
  const put = (name: keyof PersonDetails, column: keyof ApplicantDetails) => {
    if (person[name] !== undefined) Object.assign(wanted, { [column]: clean(person[name]) })
  }
  put('firstName', 'first_name')
  put('lastName', 'last_name')
  put('email', 'email')
  put('phone', 'phone')
  put('location', 'location')
  put('linkedinUrl', 'linkedin_url')
  put('githubUrl', 'github_url')
  put('portfolioUrl', 'portfolio_url')
  return change(tx, workspace, before, wanted, originKeyId)
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
  await change(
    tx,
    workspace,
    existing,
    {
      external_refs: [...others, ref],
      ...(person.firstName || person.lastName
        ? { first_name: clean(person.firstName), last_name: clean(person.lastName) }
        : {}),
      // an address that another record holds stays with it: two records of one address would be one person twice
      email: byEmail && byEmail.id !== existing.id ? existing.email : (clean(person.email) ?? existing.email),
      phone: clean(person.phone) ?? existing.phone,
      location: clean(person.location) ?? existing.location,
      linkedin_url: clean(person.linkedinUrl) ?? existing.linkedin_url,
      github_url: clean(person.githubUrl) ?? existing.github_url,
      portfolio_url: clean(person.portfolioUrl) ?? existing.portfolio_url,
    },
    null,
  )
  return existing.id
}
