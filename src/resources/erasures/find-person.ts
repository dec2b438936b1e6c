import type { Queryable } from '../../kernel/db/database.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import type { Identifier, Reach } from '../suppressions/store.ts'
import { connectedRecords, identifiersOf, isRole, type MatchedRecord } from './rules.ts'
import {
  type ErasureTarget,
  type FoundRow,
  holdingsOf,
  identitiesWith,
  type PersonIdentityRow,
  recordsWith,
  type StoredSubject,
} from './store.ts'

/** What is stored of a person within a reach. */
export interface PersonGraph {
  identifiers: Identifier[]
  records: MatchedRecord[]
  /** with their holdings and the handles of their identifiers */
  held: ErasureTarget[]
  /** which of the identifiers are held where */
  carried: { workspace: string | null; identifier: Identifier }[]
}

const nameOf = ({ kind, key }: Identifier) => `${kind} ${key}`

/**
 * Looks for records with the identifiers known, learns theirs, and looks again until there is nothing new. Records outside
 * the reach are not looked at, so that what another workspace knows leads nowhere.
 */
export async function findPerson(db: Queryable, seeds: readonly Identifier[], reach: Reach): Promise<PersonGraph> {
  const looked = new Set<string>()
  let identities: PersonIdentityRow[] = []
  let person = { identifiers: [...seeds], records: [] as MatchedRecord[] }
  for (;;) {
    const all = person.identifiers
    if (all.every(i => looked.has(nameOf(i)))) break
    for (const i of all) looked.add(nameOf(i))
    const [rows, linked] = await Promise.all([
      db.query(recordsWith(keysOf(all), reach)),
      db.query(identitiesWith(all, reach)),
    ])
    identities = linked
    person = connectedRecords(seeds, [...rows.map(toFound), ...linksOf(linked)])
  }
  const mine = new Set(person.identifiers.map(nameOf))
  const records = person.records.filter(r => r.object !== 'person')
  const applicants = records.filter(r => r.object === 'applicant')
  const holdings = applicants.length === 0 ? [] : await db.query(holdingsOf(applicants))
  const handles = identities.filter(i => mine.has(nameOf(i)))
  const people = handles.map(i => ({ object: 'person', id: i.person_id, workspace: i.workspace }))
  const carried = [
    ...records.flatMap(r => identifiersOf(r).map(identifier => ({ workspace: r.workspace, identifier }))),
    ...handles.map(({ workspace, kind, key }) => ({ workspace, identifier: { kind, key } })),
  ].filter(({ identifier }) => mine.has(nameOf(identifier)))
  return { identifiers: person.identifiers, records, held: [...holdings, ...people], carried }
}

/** Where else records or handles carry one of the identifiers: workspaces, and null for the shared pool. */
export async function holdersOf(db: Queryable, identifiers: readonly Identifier[]): Promise<(string | null)[]> {
  const [rows, linked] = await Promise.all([
    db.query(recordsWith(keysOf(identifiers), 'installation')),
    db.query(identitiesWith(identifiers, 'installation')),
  ])
  return [...new Set([...rows, ...linked].map(({ workspace }) => workspace))]
}

/** By what records are looked for. An address shared by role says something only of the applicants whose own it is. */
const keysOf = (identifiers: readonly Identifier[]) => ({
  emails: identifiers.filter(i => i.kind === 'email').map(i => i.key),
  own: identifiers.filter(i => i.kind === 'email' && !isRole(i)).map(i => i.key),
  linkedins: identifiers.filter(i => i.kind === 'linkedin_url').map(i => i.key),
})

const toFound = (row: FoundRow): MatchedRecord => ({
  object: row.object,
  workspace: row.workspace,
  id: row.id,
  emails: [...new Set([...(row.email_key ? [row.email_key] : []), ...row.contacts.flatMap(c => emailKey(c) ?? [])])],
  linkedins: row.linkedin_key ? [row.linkedin_key] : [],
})

/** Pairs that a workspace knows to be one person's: e-mail addresses are linked by a LinkedIn URL, never directly. */
function linksOf(identities: readonly PersonIdentityRow[]): MatchedRecord[] {
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

const byName = (a: ErasureTarget, b: ErasureTarget) => (`${a.object} ${a.id}` < `${b.object} ${b.id}` ? -1 : 1)

export const subjectsOf = ({ records, held }: PersonGraph): ErasureTarget[] =>
  [...records.map(({ object, id, workspace }) => ({ object, id, workspace })), ...held].sort(byName)

/** Each workspace with what it holds; null is the pool. */
export function byWorkspace(targets: readonly ErasureTarget[]): Map<string | null, StoredSubject[]> {
  const groups = Map.groupBy(targets, t => t.workspace)
  return new Map([...groups].map(([workspace, all]) => [workspace, all.map(({ object, id }) => ({ object, id }))]))
}
