import { newHandle } from '../kernel/ids/handles.ts'
import { type ContactValue, contactRow } from './applicants.ts'
import { docx, pdf, png } from './files.ts'
import { locationOf, type Person, plain } from './people.ts'
import { type Random, seeded } from './random.ts'
import { resumeText } from './resumes.ts'
import { DAY, type Draft, iso, isoOrNull, type Row } from './rows.ts'

export interface Sourced {
  id: string
  person: Person
  hasLinkedin: boolean
  createdAt: number
  updatedAt: number
  contacts: ContactValue[]
  attachments: ('resume' | 'business_card' | 'profile_photo')[]
  suppressedAt: number | null
  unsubscribedAt: number | null
}

const ORIGINS = {
  xray: { acquisition: 'xray_search', provider: 'xray' },
  import: { acquisition: 'csv_import', provider: null },
  github: { acquisition: 'github_search', provider: 'github' },
} as const

type Origin = keyof typeof ORIGINS

/** The place of one profile of which next to nothing is known: every field may be null. */
const BARE = 97

export interface SourcingPlan {
  workspace: { id: string; name: string }
  people: readonly Person[]
  spanDays: number
  /** people whom other records know by the same LinkedIn address */
  known: ReadonlySet<Person>
  suppressed: { person: Person; at: number } | null
  /** how many asked not to be written to */
  unsubscribed: number
}

/** Candidates that the workspace found and saved, oldest first. */
export function planSourcing(draft: Draft, plan: SourcingPlan): Sourced[] {
  const random = seeded(`${plan.workspace.name} sourcing`)
  const { people } = plan
  let toUnsubscribe = plan.unsubscribed
  return people.map((person, i) => {
    const at = draft.daysAgo((plan.spanDays * (people.length - i - 0.5)) / people.length)
    const origin = random.weighted<Origin>([
      ['xray', 11],
      ['import', 6],
      ['github', 3],
    ])
    const contacts = random.chance(0.55) ? revealed(random, person, Math.min(at + 2 * DAY, draft.now)) : []
    const updatedAt = Math.min(at + Math.floor(random.between(0, 20) * DAY), draft.now - 60_000)
    const profile: Sourced = {
      id: newHandle('sourced_profile', at),
      person,
      // of people found by their code, often nothing but the code is known
      hasLinkedin: origin !== 'github' || random.chance(0.5) || plan.known.has(person),
      createdAt: at,
      updatedAt: Math.max(at, updatedAt),
      contacts,
      attachments: [],
      suppressedAt: plan.suppressed?.person === person ? plan.suppressed.at : null,
      unsubscribedAt: null,
    }
    if (toUnsubscribe > 0 && contacts.some(contact => contact.kind === 'personal') && !plan.known.has(person)) {
      toUnsubscribe--
      profile.unsubscribedAt = draft.daysAgo(8)
    }
    profile.updatedAt = Math.max(profile.updatedAt, profile.suppressedAt ?? 0, profile.unsubscribedAt ?? 0)
    addAttachments(draft, random, plan.workspace.id, profile)
    draft.add('sourced_profiles', profileRow(random, plan.workspace.id, profile, origin, i === BARE))
    for (const contact of contacts) {
      draft.add(
        'contact_values',
        contactRow(plan.workspace.id, 'sourced_profile', profile.id, profile.createdAt, contact),
      )
    }
    return profile
  })
}

function revealed(random: Random, person: Person, at: number): ContactValue[] {
  const value = (field: ContactValue['field'], kind: ContactValue['kind'], text: string): ContactValue => {
    const status = random.weighted([
      ['verified', 5],
      ['unverified', 3],
      ['invalid', 1],
    ] as const)
    return { field, kind, value: text, status, verifiedAt: status === 'verified' ? at : null }
  }
  const work = `${plain(person.first)}.${plain(person.last)}@${person.company.domain}`
  const found: ContactValue[] = []
  if (random.chance(0.7)) found.push(value('email', 'work', work))
  if (random.chance(0.5) || found.length === 0) found.push(value('email', 'personal', person.email))
  if (random.chance(0.05)) found.push(value('email', 'other', `${plain(person.last)}@alumni.example`))
  if (random.chance(0.45)) found.push(value('phone', 'mobile', person.phone))
  return found
}

const SENIOR_ROLES: Readonly<Record<string, string>> = {
  lead: 'manager',
  principal: 'director',
}

/** What is known of a person in public, in the words that sourced and pool profiles share. */
function publicFacts(random: Random, person: Person): Row {
  const { company, occupation } = person
  const sometimes = <T>(probability: number, value: T): T | null => (random.chance(probability) ? value : null)
  return {
    full_name: person.full,
    headline: sometimes(0.9, `${person.title} at ${company.name}`),
    job_title: person.title,
    company_name: company.name,
    company_industry: sometimes(0.9, company.industry),
    company_website: sometimes(0.8, `https://${company.domain}`),
    company_linkedin_url: sometimes(0.7, `https://www.linkedin.com/company/${plain(company.name)}-demo`),
    department: sometimes(0.85, occupation.department),
    management_level: sometimes(0.8, SENIOR_ROLES[person.level] ?? 'individual_contributor'),
    location_full: sometimes(0.95, locationOf(person)),
    location_country: sometimes(0.95, person.place.country),
    linkedin_url: person.linkedinUrl,
    linkedin_key: person.linkedinKey,
    photo_url: sometimes(0.4, `https://photos.people.example/${person.slug}.png`),
    summary: sometimes(0.6, `${person.title} with ${person.years} years of experience. ${occupation.achievements[0]}.`),
    total_experience_months: sometimes(0.85, person.years * 12 + random.int(0, 11)),
    connections_count: sometimes(0.7, random.int(40, 500)),
    follower_count: sometimes(0.6, random.int(10, 4000)),
  }
}

function profileRow(random: Random, workspaceId: string, profile: Sourced, origin: Origin, bare: boolean): Row {
  const facts = publicFacts(random, profile.person)
  if (!profile.hasLinkedin) Object.assign(facts, { linkedin_url: null, linkedin_key: null })
  if (bare) for (const name of Object.keys(facts)) if (!name.startsWith('linkedin')) facts[name] = null
  const score = random.chance(0.85) ? random.int(12, 98) : null
  return {
    workspace_id: workspaceId,
    id: profile.id,
    ...facts,
    match_score: score,
    match_tier: score === null ? null : score >= 80 ? 'strong' : score >= 60 ? 'good' : score >= 40 ? 'fair' : 'weak',
    origin,
    ...ORIGINS[origin],
    has_contact_info: profile.contacts.length > 0,
    has_linkedin_capture: profile.hasLinkedin && random.chance(0.3),
    first_seen_at: iso(profile.createdAt),
    last_seen_at: iso(profile.updatedAt),
    suppressed_at: isoOrNull(profile.suppressedAt),
    unsubscribed_at: isoOrNull(profile.unsubscribedAt),
    created_at: iso(profile.createdAt),
    updated_at: iso(profile.updatedAt),
  }
}

function addAttachments(draft: Draft, random: Random, workspaceId: string, profile: Sourced): void {
  const { person } = profile
  const card = { width: 252, height: 144 }
  const wanted = [
    ['profile_photo', 0.25, () => png(random.int(1, 32_767))],
    ['resume', 0.14, () => (random.chance(0.7) ? pdf : docx)(resumeText(person, new Date(draft.now).getUTCFullYear()))],
    ['business_card', 0.08, () => pdf([person.full, person.title, person.company.name, person.email], card)],
  ] as const
  for (const [type, probability, write] of wanted) {
    if (!random.chance(probability)) continue
    const file = write()
    const key = `attachments/${workspaceId}/${profile.id}/${type}`
    draft.files.push({ key, contentType: file.mime, body: file.body })
    draft.add('attachments', {
      workspace_id: workspaceId,
      profile_id: profile.id,
      type,
      filename: `${type}_${person.slug}.${file.extension}`,
      mime: file.mime,
      bytes: file.body.length,
      blob_key: key,
      uploaded_at: iso(profile.updatedAt),
    })
    profile.attachments.push(type)
  }
}

const CODERS = new Set(['robotics', 'perception', 'embedded', 'reliability', 'frontend', 'data'])

/** The shared pool: public profiles without contact details, belonging to no workspace. */
export function planPool(
  draft: Draft,
  people: readonly Person[],
  suppressed: { person: Person; at: number } | null,
): void {
  const random = seeded('pool')
  for (const [i, person] of people.entries()) {
    const lastSeen = draft.daysAgo((60 * (people.length - i - 0.5)) / people.length)
    const firstSeen = lastSeen - random.int(1, 300) * DAY
    draft.add('pool_profiles', {
      id: newHandle('pool_profile', firstSeen),
      ...publicFacts(random, person),
      github_url: CODERS.has(person.occupation.name) && random.chance(0.4) ? `https://github.com/${person.slug}` : null,
      skills: person.skills,
      languages: person.languages,
      provider: random.chance(0.8) ? 'public_web' : null,
      suppressed_at: suppressed?.person === person ? iso(suppressed.at) : null,
      first_seen_at: iso(firstSeen),
      last_seen_at: iso(lastSeen),
    })
  }
}
