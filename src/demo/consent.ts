// Who may be written to, who must be forgotten, and which records belong to one person.

import { API_LIMITS } from '../contract/limits.ts'
import { sha256 } from '../kernel/crypto/signing.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import type { Applicant } from './applicants.ts'
import type { Person } from './people.ts'
import { seeded } from './random.ts'
import { DAY, type Draft, iso, isoOrNull, type Row } from './rows.ts'
import type { Sourced } from './sourcing.ts'

const WAYS = ['link', 'one_click', 'product'] as const

/** Marks some applicants as unsubscribed, and puts one more on the workspace's own opt-out list. */
export function planUnsubscribes(
  draft: Draft,
  workspaceId: string,
  applicants: readonly Applicant[],
  profiles: readonly Sourced[],
): void {
  const reachable = applicants.filter(applicant => applicant.hasEmail && applicant.suppressedAt === null)
  const unsubscribed = reachable.filter((_, i) => i % 40 === 20)
  for (const [i, applicant] of unsubscribed.entries()) {
    const at = Math.max(applicant.createdAt + 60_000, draft.daysAgo(3 + i * 4))
    applicant.unsubscribedAt = at
    applicant.updatedAt = Math.max(applicant.updatedAt, at)
    draft.add('unsubscribes', {
      workspace_id: workspaceId,
      email_key: applicant.person.email,
      source: WAYS[i % 3],
      at: iso(at),
    })
  }
  const optedOut = reachable.find(applicant => applicant.unsubscribedAt === null)
  if (optedOut) {
    const row = {
      workspace_id: workspaceId,
      email_key: optedOut.person.email,
      source: 'opt_out',
      at: iso(draft.daysAgo(30)),
    }
    draft.add('unsubscribes', row)
  }
  const known = new Set(reachable.map(applicant => applicant.person))
  for (const { person, unsubscribedAt } of profiles) {
    if (unsubscribedAt === null || known.has(person)) continue
    draft.add('unsubscribes', {
      workspace_id: workspaceId,
      email_key: person.email,
      source: 'product',
      at: iso(unsubscribedAt),
    })
  }
}

export interface Suppression {
  id: string
  status: 'suppressed' | 'erased'
  reason: 'erasure_request' | 'stop_processing' | 'legal_request'
  appliedAt: number
  completedAt: number | null
  /** the records of each workspace that held some */
  subjects: Map<string, { object: string; id: string }[]>
}

export const deleteBy = (suppression: Suppression): number =>
  suppression.appliedAt + API_LIMITS.suppressionDeleteDays * DAY

/** One person whose records wait for deletion. */
export function suppress(person: Person, at: number, subjects: Suppression['subjects'], draft: Draft): Suppression {
  const suppression: Suppression = {
    id: seeded('suppressed').uuid(),
    status: 'suppressed',
    reason: 'stop_processing',
    appliedAt: at,
    completedAt: null,
    subjects,
  }
  addSuppression(draft, suppression, person)
  return suppression
}

/** Two people who were erased: of them there is nothing left but hashes, and the handles that partners must forget. */
export function planErasures(draft: Draft, workspaceId: string, people: readonly [Person, Person]): Suppression[] {
  return (['erasure_request', 'legal_request'] as const).map((reason, i) => {
    const appliedAt = draft.daysAgo(24 - i * 10)
    const before = draft.daysAgo(150)
    const subjects = [
      { object: 'applicant', id: newHandle('applicant', before) },
      { object: 'application', id: newHandle('application', before) },
      { object: 'sourced_profile', id: newHandle('sourced_profile', before) },
    ]
    const suppression: Suppression = {
      id: seeded(reason).uuid(),
      status: 'erased',
      reason,
      appliedAt,
      completedAt: appliedAt + 5 * DAY,
      subjects: new Map([[workspaceId, i === 0 ? subjects : subjects.slice(0, 2)]]),
    }
    addSuppression(draft, suppression, people[i]!)
    return suppression
  })
}

function addSuppression(draft: Draft, suppression: Suppression, person: Person): void {
  const { id, status, reason, appliedAt, completedAt, subjects } = suppression
  const reach = 'installation'
  draft.add('suppressions', {
    id,
    reach,
    status,
    reason,
    applied_at: iso(appliedAt),
    delete_by: iso(deleteBy(suppression)),
    completed_at: isoOrNull(completedAt),
  })
  const [email, linkedin] = [person.email, person.linkedinKey].map(value => sha256(value).toString('hex'))
  const identifier = (kind: string, digest: string): Row => ({
    kind,
    sha256: `\\x${digest}`,
    suppression_id: id,
    reach,
  })
  draft.add('suppressed_identifiers', identifier('email', email!), identifier('linkedin_url', linkedin!))
  for (const [workspaceId, held] of subjects) {
    const entry = { workspace_id: workspaceId, suppression_id: id, subjects: held, identifiers: [email, linkedin] }
    draft.add('workspace_suppressions', entry)
    const before = draft.rows('suppression_log').filter(line => line['workspace_id'] === workspaceId).length
    draft.add('suppression_log', { workspace_id: workspaceId, sequence: before + 1, suppression_id: id })
  }
}

export interface Link {
  emailPersonId: string
  canonicalId: string
  at: number
}

/**
 * The handles of the identifiers that a workspace holds. Where a record has both an address and a LinkedIn key, the
 * LinkedIn one stands for the person.
 */
export function planIdentities(
  draft: Draft,
  workspaceId: string,
  applicants: readonly Applicant[],
  profiles: readonly Sourced[],
): Link[] {
  const byLinkedin = new Map<string, { id: string; at: number }>()
  const seen = [...applicants, ...profiles].filter(record => record.hasLinkedin)
  for (const { person, createdAt } of seen.sort((a, b) => a.createdAt - b.createdAt)) {
    if (byLinkedin.has(person.linkedinKey)) continue
    byLinkedin.set(person.linkedinKey, { id: newHandle('person', createdAt), at: createdAt })
  }
  const row = (kind: string, value: string, id: string, canonical: string, at: number): Row => ({
    workspace_id: workspaceId,
    kind,
    value,
    person_id: id,
    canonical_id: canonical,
    created_at: iso(at),
  })
  for (const [key, { id, at }] of byLinkedin) draft.add('identities', row('linkedin_url', key, id, id, at))
  const links: Link[] = []
  for (const { person, createdAt, hasEmail, hasLinkedin } of applicants) {
    if (!hasEmail) continue
    const id = newHandle('person', createdAt)
    const stronger = hasLinkedin ? byLinkedin.get(person.linkedinKey) : undefined
    draft.add('identities', row('email', person.email, id, stronger?.id ?? id, createdAt))
    if (stronger) links.push({ emailPersonId: id, canonicalId: stronger.id, at: createdAt })
  }
  return links
}
