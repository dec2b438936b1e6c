import type { Scope } from '../../contract/scopes.ts'
import { present } from '../../kernel/errors/present.ts'
import { emailKey, isRoleAddress, linkedinKey } from '../../kernel/text/person-keys.ts'
import { type IdentityKind, type PersonRow, PROFILE_OBJECTS, type ProfileObject } from './shape.ts'

/** An identifier in its normal form. */
export interface PersonIdentifier {
  kind: IdentityKind
  value: string
}

export const displayName = ({ kind, value }: PersonIdentifier): string => `${kind} ${value}`

/** `malformed` and `role`: it identifies no person. */
export function readIdentifier(kind: IdentityKind, text: string): PersonIdentifier | 'malformed' | 'role' {
  const value = kind === 'email' ? emailKey(text) : linkedinKey(text)
  if (value === undefined) return 'malformed'
  return kind === 'email' && isRoleAddress(value) ? 'role' : { kind, value }
}

const SCOPE_OF: Readonly<Record<ProfileObject, Scope>> = {
  applicant: 'applicants:read',
  sourced_profile: 'sourced_profiles:read',
  pool_profile: 'pool:read',
}

export const PROFILE_SCOPES = Object.values(SCOPE_OF)

/** The kinds of record that a key can read; the others do not exist for it. */
export const readableKinds = (scopes: ReadonlySet<Scope>): Record<ProfileObject, boolean> =>
  Object.fromEntries(PROFILE_OBJECTS.map(kind => [kind, scopes.has(SCOPE_OF[kind])])) as Record<ProfileObject, boolean>

/** A record that carries an identifier. */
export interface Match extends PersonIdentifier {
  object: ProfileObject
  id: string
  workspace_id: string | null
  full_name: string | null
  headline: string | null
  location: string | null
  photo_url: string | null
  origin: string
  provider: string | null
}

/** A LinkedIn URL belongs to one person; an email address typed into a form only probably does. */
const confidenceOf = (kind: IdentityKind) => (kind === 'linkedin_url' ? 'exact' : 'probable')
const strengthOf = (kind: IdentityKind) => (kind === 'linkedin_url' ? 'strong' : 'moderate')

const pointerOf = (m: Match): PersonRow['profiles'][number] => ({
  object: m.object,
  id: m.id,
  workspace_id: m.workspace_id,
  match: { on: m.kind, confidence: confidenceOf(m.kind), strength: strengthOf(m.kind) },
  provenance: { origin: m.origin, provider: m.provider },
})

const count = (matches: readonly Match[], object: ProfileObject) => matches.filter(m => m.object === object).length

export const countMatches = (matches: readonly Match[]): PersonRow['counts'] => ({
  profiles: matches.length,
  sourced_profiles: count(matches, 'sourced_profile'),
  applicants: count(matches, 'applicant'),
  pool_profiles: count(matches, 'pool_profile'),
  exact_matches: matches.filter(m => confidenceOf(m.kind) === 'exact').length,
})

/** What is known of an identifier: its records (at least one), and the handles around it. */
export interface Resolved {
  identifier: PersonIdentifier
  id: string
  canonicalId: string
  aliases: string[]
  matches: Match[]
}

/** Records that exactly are the person: only these contribute what they hold. `excluded` counts the others. */
export function keepExact({ identifier, matches }: Resolved) {
  const exact = matches.filter(m => confidenceOf(m.kind) === 'exact')
  const ids = (object: ProfileObject) => exact.filter(m => m.object === object).map(m => m.id)
  return {
    identifier,
    applicants: ids('applicant'),
    sourcedProfiles: ids('sourced_profile'),
    excluded: matches.length - exact.length,
  }
}

export function toPersonRow({ identifier, id, canonicalId, aliases, matches }: Resolved): PersonRow {
  const ordered = matches.toSorted((a, b) => PROFILE_OBJECTS.indexOf(a.object) - PROFILE_OBJECTS.indexOf(b.object))
  // what the person said of themselves comes first, then the workspace's own research, then the pool
  const shown = present(ordered.find(m => m.full_name !== null) ?? ordered[0], 'a match')
  const { full_name, headline, location, photo_url } = shown
  return {
    id,
    canonical_id: canonicalId,
    aliases,
    identity: identifier,
    authoritative: false,
    display: { full_name, headline, location, photo_url },
    display_source: { object: shown.object, id: shown.id, workspace_id: shown.workspace_id },
    profiles: ordered.map(pointerOf),
    counts: countMatches(matches),
  }
}
