import { UserError } from '../../kernel/errors/user-error.ts'
import { emailKey, isRoleAddress, linkedinKey } from '../../kernel/text/person-keys.ts'
import type { Identifier } from '../suppressions/index.ts'

/** The person is named by exactly one of the two. The error never repeats the input, which may be a mistyped email address. */
export function readErasureSubject(asked: {
  email?: string | undefined
  linkedinUrl?: string | undefined
}): Identifier {
  const { email, linkedinUrl } = asked
  if (email !== undefined && linkedinUrl === undefined) {
    const key = emailKey(email)
    if (key === undefined) throw new UserError('that is not an email address')
    return { kind: 'email', key }
  }
  if (email !== undefined || linkedinUrl === undefined)
    throw new UserError('identify the person by either an email address or a LinkedIn URL')
  const key = linkedinKey(linkedinUrl)
  if (key === undefined) throw new UserError('that is not the URL of a LinkedIn profile')
  return { kind: 'linkedin_url', key }
}

/** A row of a record that contains one of the identifiers. */
export interface FoundRow {
  object: 'applicant' | 'sourced_profile' | 'pool_profile'
  /** null for the shared pool */
  workspace: string | null
  id: string
  email_key: string | null
  linkedin_key: string | null
  /** email addresses as they were typed or revealed */
  contacts: string[]
}

/** The handle of an identifier in a workspace. */
export interface PersonIdentityRow {
  workspace: string
  kind: Identifier['kind']
  key: string
  person_id: string
  canonical_id: string
}

/** Something that is erased: a record, what belongs to it, or the handle of an identifier. */
export interface ErasureTarget {
  object: string
  id: string
  workspace: string | null
}

/** The same within one workspace, as stored in its entry of the suppression list. */
export type StoredSubject = Pick<ErasureTarget, 'object' | 'id'>

/** Everything stored about one person within a reach. */
export interface PersonGraph {
  identifiers: Identifier[]
  /** the records that contain them */
  records: MatchedRecord[]
  /** the records, what belongs to them, and the handles of the identifiers, in a fixed order */
  targets: ErasureTarget[]
  /** which identifier is stored in which workspace; null is the pool */
  carried: { workspace: string | null; identifier: Identifier }[]
}

/** A record with the identifiers that it contains, normalized. */
export interface MatchedRecord {
  object: FoundRow['object'] | 'person'
  /** null for the shared pool */
  workspace: string | null
  id: string
  emails: readonly string[]
  linkedins: readonly string[]
}

export const identifierName = ({ kind, key }: Identifier) => `${kind} ${key}`

const identifiersOf = (record: MatchedRecord): Identifier[] => [
  ...record.emails.map(key => ({ kind: 'email' as const, key })),
  ...record.linkedins.map(key => ({ kind: 'linkedin_url' as const, key })),
]

/** The records that contain the identifiers. Pairs of identifiers that a workspace has linked count as records too. */
const matchedRecords = (rows: readonly FoundRow[], identities: readonly PersonIdentityRow[]): MatchedRecord[] => [
  ...rows.map(matchedRecord),
  ...linkedIdentities(identities),
]

const matchedRecord = ({ object, workspace, id, email_key, linkedin_key, contacts }: FoundRow): MatchedRecord => ({
  object,
  workspace,
  id,
  emails: [...new Set([...(email_key ? [email_key] : []), ...contacts.flatMap(c => emailKey(c) ?? [])])],
  linkedins: linkedin_key ? [linkedin_key] : [],
})

/** The identifiers that a record contains. */
export const identifiersOfRow = (row: FoundRow): Identifier[] => identifiersOf(matchedRecord(row))

/** Email addresses of one person are linked by a LinkedIn URL, never directly. */
function linkedIdentities(identities: readonly PersonIdentityRow[]): MatchedRecord[] {
  const groups = Map.groupBy(identities, i => `${i.workspace} ${i.canonical_id}`)
  return [...groups.values()].flatMap(group => {
    const linkedins = group.filter(i => i.kind === 'linkedin_url').map(i => i.key)
    return group.map(({ workspace, person_id, kind, key }) => ({
      object: 'person' as const,
      workspace,
      id: person_id,
      emails: kind === 'email' ? [key] : [],
      linkedins,
    }))
  })
}

/**
 * An identifier that is linked to more than this many others does not belong to one person: people type
 * linkedin.com/in/me into forms, and agencies use their own email address for all of their candidates. Following it
 * would erase other people.
 */
export const MAX_LINKED_IDENTIFIERS = 5

/**
 * Selects the records of one person from those found so far, with the identifiers that they contain: an applicant's
 * LinkedIn URL leads to the sourced profile that has it, whose revealed email address leads to another applicant. Role
 * addresses are followed and suppressed only if they are among the seeds; identifiers that too many people share never.
 */
function connectedRecords(
  seeds: readonly Identifier[],
  found: readonly MatchedRecord[],
  follow: boolean,
): { identifiers: Identifier[]; records: MatchedRecord[] } {
  const carriers = new Map<string, MatchedRecord[]>()
  for (const record of found) {
    for (const name of new Set(identifiersOf(record).map(identifierName))) {
      const others = carriers.get(name)
      if (others) others.push(record)
      else carriers.set(name, [record])
    }
  }
  const isShared = (identifier: Identifier) => {
    const opposite = identifier.kind === 'email' ? 'linkedin_url' : 'email'
    const led = (carriers.get(identifierName(identifier)) ?? [])
      .flatMap(identifiersOf)
      .filter(i => i.kind === opposite && !isRole(i))
    return new Set(led.map(identifierName)).size > MAX_LINKED_IDENTIFIERS
  }
  const identifiers = new Map(seeds.filter(seed => !isShared(seed)).map(seed => [identifierName(seed), seed]))
  const records = new Set<MatchedRecord>()
  for (const identifier of identifiers.values()) {
    for (const record of carriers.get(identifierName(identifier)) ?? []) {
      if (records.has(record)) continue
      records.add(record)
      if (!follow) continue
      for (const next of identifiersOf(record)) {
        if (!isRole(next) && !isShared(next)) identifiers.set(identifierName(next), next)
      }
    }
  }
  return { identifiers: [...identifiers.values()], records: [...records] }
}

export const isRole = ({ kind, key }: Identifier): boolean => kind === 'email' && isRoleAddress(key)

/**
 * Builds the graph of one person from the rows found so far. It may contain identifiers that were not searched yet:
 * `findPerson` then searches again. Without `follow`, it has the seeds and the records that contain them, and no more.
 */
export function buildPersonGraph(
  seeds: readonly Identifier[],
  rows: readonly FoundRow[],
  identities: readonly PersonIdentityRow[],
  follow: boolean,
): PersonGraph {
  const connected = connectedRecords(seeds, matchedRecords(rows, identities), follow)
  const names = new Set(connected.identifiers.map(identifierName))
  const records = connected.records.filter(record => record.object !== 'person')
  const handles = identities.filter(identity => names.has(identifierName(identity)))
  const carried = [
    ...records.flatMap(record =>
      identifiersOf(record).map(identifier => ({ workspace: record.workspace, identifier })),
    ),
    ...handles.map(({ workspace, kind, key }) => ({ workspace, identifier: { kind, key } })),
  ]
  return {
    identifiers: connected.identifiers,
    records,
    targets: inOrder([
      ...records.map(({ object, id, workspace }) => ({ object, id, workspace })),
      ...handles.map(({ person_id, workspace }) => ({ object: 'person', id: person_id, workspace })),
    ]),
    carried: carried.filter(({ identifier }) => names.has(identifierName(identifier))),
  }
}

/** Adds what belongs to the records, which is erased with them. */
export const withHoldings = (graph: PersonGraph, holdings: readonly ErasureTarget[]): PersonGraph => ({
  ...graph,
  targets: inOrder([...graph.targets, ...holdings]),
})

const inOrder = (targets: readonly ErasureTarget[]): ErasureTarget[] =>
  targets.toSorted((a, b) => (`${a.object} ${a.id}` < `${b.object} ${b.id}` ? -1 : 1))

/** The targets of each workspace; null is the pool. */
export function byWorkspace(targets: readonly ErasureTarget[]): Map<string | null, StoredSubject[]> {
  const groups = Map.groupBy(targets, target => target.workspace)
  return new Map([...groups].map(([workspace, all]) => [workspace, all.map(({ object, id }) => ({ object, id }))]))
}
