import type { Queryable } from '../../kernel/db/database.ts'
import type { Identifier, SuppressionScope } from '../suppressions/index.ts'
import {
  buildPersonGraph,
  identifierName,
  identifiersOfRow,
  isRole,
  type MatchedRecord,
  type PersonGraph,
  withHoldings,
} from './rules.ts'
import { applicantRow, identitiesWith, recordsWith, selectHoldings } from './store.ts'

/**
 * Searches records and handles by the known identifiers, adds the identifiers that they contain, and searches again
 * until it finds nothing new; without `follow` only what has the seeds. Records outside the reach are not read, so data of another workspace has no influence.
 */
export async function findPerson(
  db: Queryable,
  seeds: readonly Identifier[],
  reach: SuppressionScope,
  follow = true,
): Promise<PersonGraph> {
  const searched = new Set<string>()
  let graph: PersonGraph = { identifiers: [...seeds], records: [], targets: [], carried: [] }
  while (graph.identifiers.some(identifier => !searched.has(identifierName(identifier)))) {
    const { identifiers } = graph
    for (const identifier of identifiers) searched.add(identifierName(identifier))
    const [rows, identities] = await Promise.all([
      db.query(recordsWith(searchKeys(identifiers), reach)),
      db.query(identitiesWith(identifiers, reach)),
    ])
    graph = buildPersonGraph(seeds, rows, identities, follow)
  }
  const applicants = graph.records.filter(record => record.object === 'applicant')
  return applicants.length === 0 ? graph : withHoldings(graph, await db.query(selectHoldings(applicants)))
}

/**
 * The person of one applicant, found by the identifiers of this record. A record without identifiers, or with addresses
 * that others share, is found by its handle alone. undefined: there is no such applicant.
 */
export async function findPersonOf(
  db: Queryable,
  workspace: string,
  applicant: string,
  reach: SuppressionScope,
): Promise<PersonGraph | undefined> {
  const row = await db.one(applicantRow(workspace, applicant))
  if (!row) return undefined
  const seeds = identifiersOfRow(row).filter(identifier => !isRole(identifier))
  const found = seeds.length > 0 ? await findPerson(db, seeds, reach) : undefined
  if (found?.records.some(({ object, id }) => object === 'applicant' && id === applicant)) return found
  const target = { object: 'applicant' as const, id: applicant, workspace }
  const record: MatchedRecord = { ...target, emails: [], linkedins: [] }
  const held = await db.query(selectHoldings([record]))
  return withHoldings({ identifiers: [], records: [record], targets: [], carried: [] }, [target, ...held])
}

/** The workspaces whose records or handles contain one of the identifiers; null is the shared pool. */
export async function findHolders(db: Queryable, identifiers: readonly Identifier[]): Promise<(string | null)[]> {
  const [rows, identities] = await Promise.all([
    db.query(recordsWith(searchKeys(identifiers), 'installation')),
    db.query(identitiesWith(identifiers, 'installation')),
  ])
  return [...new Set([...rows, ...identities].map(({ workspace }) => workspace))]
}

/**
 * A role address (jobs@…) identifies only applicants who have it as their own: contact details are not searched for it.
 */
const searchKeys = (identifiers: readonly Identifier[]) => ({
  emails: identifiers.filter(i => i.kind === 'email').map(i => i.key),
  own: identifiers.filter(i => i.kind === 'email' && !isRole(i)).map(i => i.key),
  linkedins: identifiers.filter(i => i.kind === 'linkedin_url').map(i => i.key),
})
