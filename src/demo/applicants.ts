import { newHandle } from '../kernel/ids/handles.ts'
import { storedEmailKey } from '../kernel/text/person-keys.ts'
import { locationOf, type Person } from './people.ts'
import { type Random, seeded } from './random.ts'
import { DAY, type Draft, HOUR, iso, isoOrNull, type Row } from './rows.ts'

export interface Applicant {
  id: string
  person: Person
  hasEmail: boolean
  hasPhone: boolean
  hasLinkedin: boolean
  imported: boolean
  /** the partner system through which the person first applied */
  partner: string | null
  createdAt: number
  lastSeenAt: number
  updatedAt: number
  unsubscribedAt: number | null
  suppressedAt: number | null
  jobs: Set<string>
}

/** Present in every record of the person, or told by the applicant in some cases only. */
export function enrol(
  random: Random,
  person: Person,
  at: number,
  facts: { known?: boolean; imported?: boolean; partner?: string | null },
): Applicant {
  return {
    id: newHandle('applicant', at),
    person,
    hasEmail: true,
    hasPhone: random.chance(0.85),
    hasLinkedin: facts.known === true || random.chance(0.55),
    imported: facts.imported ?? false,
    partner: facts.partner ?? null,
    createdAt: at,
    lastSeenAt: at,
    updatedAt: at,
    unsubscribedAt: null,
    suppressedAt: null,
    jobs: new Set(),
  }
}

const CODERS = new Set(['robotics', 'perception', 'embedded', 'controls', 'reliability', 'frontend', 'data'])

/** `ats` is the system that some of them were imported from. */
export function addApplicants(draft: Draft, workspaceId: string, applicants: readonly Applicant[], ats: string): void {
  const random = seeded(`${ats} applicants`)
  for (const applicant of applicants) {
    const { person } = applicant
    // kept as it was typed; the key is what is compared
    const typed = random.chance(0.1) ? person.email.replace(/^./, letter => letter.toUpperCase()) : person.email
    const email = applicant.hasEmail ? typed : null
    const phone = applicant.hasPhone ? person.phone : null
    draft.add('applicants', {
      workspace_id: workspaceId,
      id: applicant.id,
      first_name: person.first,
      last_name: person.last,
      full_name: person.full,
      email,
      email_key: email === null ? null : person.email,
      phone,
      location: random.chance(0.8) ? locationOf(person) : null,
      linkedin_url: applicant.hasLinkedin ? person.linkedinUrl : null,
      linkedin_key: applicant.hasLinkedin ? person.linkedinKey : null,
      github_url: CODERS.has(person.occupation.name) && random.chance(0.5) ? `https://github.com/${person.slug}` : null,
      portfolio_url: random.chance(0.15) ? `https://${person.slug}.portfolio.example` : null,
      origin: applicant.imported ? 'ats_import' : 'applicant',
      acquisition: applicant.imported ? 'ats_sync' : 'inbound_application',
      provider: applicant.imported ? ats : applicant.partner,
      consent_basis: applicant.imported || applicant.partner ? 'customer_provided' : 'candidate_submitted',
      external_refs: applicant.imported
        ? [externalRef(random, ats, Math.max(applicant.createdAt, draft.now - 6 * HOUR))]
        : [],
      first_seen_at: iso(applicant.createdAt),
      last_seen_at: iso(applicant.lastSeenAt),
      unsubscribed_at: isoOrNull(applicant.unsubscribedAt),
      suppressed_at: isoOrNull(applicant.suppressedAt),
      application_count: applicant.jobs.size,
      created_at: iso(applicant.createdAt),
      updated_at: iso(applicant.updatedAt),
    })
    const submitted = (field: 'email' | 'phone', value: string): Row => {
      const verified = random.chance(0.2)
      const at = verified ? Math.min(applicant.createdAt + DAY, draft.now) : null
      return contactRow(workspaceId, 'applicant', applicant.id, applicant.createdAt, {
        field,
        value,
        kind: 'submitted',
        status: verified ? 'verified' : 'unverified',
        verifiedAt: at,
      })
    }
    if (email !== null) draft.add('contact_values', submitted('email', email))
    if (phone !== null) draft.add('contact_values', submitted('phone', phone))
  }
}

const externalRef = (random: Random, system: string, syncedAt: number) => ({
  system,
  type: 'candidate',
  id: String(random.int(100_000, 999_999)),
  connection_id: `${system}-main`,
  link_origin: random.pick(['sync', 'sync', 'manual']),
  last_synced_at: iso(syncedAt),
})

export interface ContactValue {
  field: 'email' | 'phone'
  value: string
  kind: 'work' | 'personal' | 'submitted' | 'mobile' | 'other'
  status: 'verified' | 'unverified' | 'invalid'
  verifiedAt: number | null
}

export const contactRow = (
  workspaceId: string,
  object: 'applicant' | 'sourced_profile',
  id: string,
  createdAt: number,
  contact: ContactValue,
): Row => ({
  workspace_id: workspaceId,
  subject_object: object,
  subject_id: id,
  field: contact.field,
  value: contact.value,
  email_key: storedEmailKey(contact.field, contact.value),
  kind: contact.kind,
  status: contact.status,
  verified_at: isoOrNull(contact.verifiedAt),
  created_at: iso(createdAt),
})
