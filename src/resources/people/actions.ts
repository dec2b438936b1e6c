import type { Scope } from '../../contract/scopes.ts'
import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import type { Call } from '../../kernel/http/route.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { isRoleAddress } from '../../kernel/text/person-keys.ts'
import { lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import { displayName, keepExact, type Match, type PersonIdentifier, type Resolved, readableKinds } from './rules.ts'
import {
  type IdentityLink,
  type IdentityRow,
  identityByHandle,
  insertIdentities,
  linksAmong,
  lockIdentities,
  selectIdentities,
  selectMatches,
  selectNow,
  setCanonicals,
} from './store.ts'

/*
 * A person is what the records say about an identifier. Each identifier that was ever resolved has a random, permanent
 * handle. The canonical handle of a LinkedIn URL is its own; that of an email address is the handle of the LinkedIn URL
 * that the applicant with that email address gave, and its own until then. `canonical_id` of an identity is the one last
 * returned or emitted: when it changes, partners have a handle that they should replace.
 */

export interface ResolveContext {
  db: Queryable
  /** for storing new handles and emitting links; a call that already has a transaction uses it */
  inTransaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  workspace: string
  scopes: ReadonlySet<Scope>
}

export const buildResolveContext = (
  call: Pick<Call, 'db' | 'tx' | 'services' | 'workspace' | 'caller'>,
): ResolveContext => ({
  db: call.db,
  inTransaction: work => (call.tx ? work(call.tx) : call.services.db.transaction(work)),
  workspace: call.workspace,
  scopes: call.caller.scopes,
})

const valuesOf = (kind: PersonIdentifier['kind'], of: readonly PersonIdentifier[]) => [
  ...new Set(of.filter(i => i.kind === kind).map(i => i.value)),
]

/** By name of the identifier; those without a readable record are absent. A constant number of statements. */
export async function resolveAll(
  context: ResolveContext,
  identifiers: readonly PersonIdentifier[],
): Promise<Map<string, Resolved>> {
  const { db, workspace, scopes } = context
  // the pool has real people
  const isTest = await isTestWorkspace(db, workspace)
  const kinds = { ...readableKinds(scopes), ...(isTest ? { pool_profile: false } : {}) }
  const found = await db.query(
    selectMatches(workspace, valuesOf('email', identifiers), valuesOf('linkedin_url', identifiers), kinds),
  )
  const matches = Map.groupBy(found, displayName)
  const matched = identifiers.filter(i => matches.has(displayName(i)))
  if (matched.length === 0) return new Map()
  const seen = await readLinks(db, workspace, kinds, matched)
  const { links, handles } = isPersisted(seen)
    ? seen
    : await context.inTransaction(tx => persistCanonicals(tx, workspace, kinds, matched, seen))
  const known = links.filter(link => linkEnds(link).every(i => handles.has(displayName(i))))
  return new Map(
    matched
      .filter(i => handles.has(displayName(i)))
      .map(i => [displayName(i), toResolved(i, present(matches.get(displayName(i)), 'a match'), known, handles)]),
  )
}

function toResolved(
  identifier: PersonIdentifier,
  matches: Match[],
  links: readonly IdentityLink[],
  handles: Map<string, string>,
): Resolved {
  const linkedin =
    identifier.kind === 'linkedin_url'
      ? identifier.value
      : links.find(l => l.email_key === identifier.value)?.linkedin_key
  const all = [
    ...(linkedin === undefined ? [] : [displayName({ kind: 'linkedin_url', value: linkedin })]),
    ...links.filter(l => l.linkedin_key === linkedin).map(l => displayName({ kind: 'email', value: l.email_key })),
  ]
  const handleOf = (name: string) => present(handles.get(name), 'the handle of a person')
  const id = handleOf(displayName(identifier))
  const known = all.map(handleOf)
  return {
    identifier,
    id,
    canonicalId: identifier.kind === 'linkedin_url' ? id : (known[0] ?? id),
    aliases: [...new Set(known)].filter(handle => handle !== id),
    matches,
  }
}

export async function resolveHandle(context: ResolveContext, personId: string): Promise<Resolved | undefined> {
  const identifier = await context.db.one(identityByHandle(context.workspace, personId))
  if (!identifier) return undefined
  return (await resolveAll(context, [identifier])).get(displayName(identifier))
}

/** Undefined: there is no such person, or nothing of them that the key can read. */
export async function exactMatches(
  context: ResolveContext,
  personId: string,
): Promise<ReturnType<typeof keepExact> | undefined> {
  const person = await resolveHandle(context, personId)
  return person && keepExact(person)
}

/** The links that the records show, compared with the stored identities. */
interface LinkState {
  links: IdentityLink[]
  handles: Map<string, string>
  /** identifiers, those of the links included, that have no handle */
  missing: PersonIdentifier[]
  /** email addresses whose stored canonical handle differs from their link; `to` undefined: it has to be created first */
  outdated: { row: IdentityRow; to: string | undefined }[]
}

const isPersisted = ({ missing, outdated }: LinkState) => missing.length === 0 && outdated.length === 0

async function readLinks(
  db: Queryable,
  workspace: string,
  kinds: ReturnType<typeof readableKinds>,
  matched: readonly PersonIdentifier[],
): Promise<LinkState> {
  const links = kinds.applicant
    ? (await db.query(linksAmong(workspace, valuesOf('email', matched), valuesOf('linkedin_url', matched)))).filter(
        link => !isRoleAddress(link.email_key), // shared by several people
      )
    : []
  const wanted = new Map(matched.map(i => [displayName(i), i]))
  for (const link of links) for (const i of linkEnds(link)) wanted.set(displayName(i), i)
  const rows = await db.query(selectIdentities(workspace, [...wanted.values()]))
  const handles = handlesByName(rows)
  const linked = new Map(links.map(link => [link.email_key, handles.get(displayName(linkEnds(link)[1]))]))
  return {
    links,
    handles,
    missing: [...wanted.values()].filter(i => !handles.has(displayName(i))),
    outdated: rows
      .filter(row => row.kind === 'email')
      .map(row => ({ row, to: linked.has(row.value) ? linked.get(row.value) : row.person_id }))
      .filter(({ row, to }) => row.canonical_id !== to),
  }
}

/**
 * Creates missing handles, except for people who were suppressed since their records were read: nothing of them is stored
 * again. Stores canonical handles that changed and emits their events. Every change of a link writes the row of its email
 * address, so the links are read again once the rows are locked: what was read before may be older than what was emitted
 * in between.
 */
async function persistCanonicals(
  tx: Transaction,
  workspace: string,
  kinds: ReturnType<typeof readableKinds>,
  matched: readonly PersonIdentifier[],
  seen: LinkState,
): Promise<LinkState> {
  await tx.query(lockSuppressionsShared())
  const stopped = await tx.query(
    suppressedAmong(
      workspace,
      seen.missing.map(({ kind, value }) => ({ kind, key: value })),
    ),
  )
  const suppressed = new Set(stopped.map(({ place }) => seen.missing[place]))
  const made = await makeIdentities(
    tx,
    workspace,
    seen.missing.filter(i => !suppressed.has(i)),
    [],
  )
  const locked = await tx.query(
    lockIdentities(
      workspace,
      seen.outdated.map(({ row }) => row),
    ),
  )
  const now = await readLinks(tx, workspace, kinds, matched)
  const lockedPeople = new Set([...made, ...locked].map(row => row.person_id))
  const fresh = new Set(made.map(row => row.person_id))
  await moveCanonicals(
    tx,
    workspace,
    now.outdated.filter(
      (move): move is CanonicalChange => move.to !== undefined && lockedPeople.has(move.row.person_id),
    ),
    null,
    fresh,
  )
  return now
}

const linkEnds = (link: IdentityLink): [PersonIdentifier, PersonIdentifier] => [
  { kind: 'email', value: link.email_key },
  { kind: 'linkedin_url', value: link.linkedin_key },
]

const handlesByName = (rows: readonly IdentityRow[]) => new Map(rows.map(r => [displayName(r), r.person_id]))

/**
 * LinkedIn URLs first: a linked email address starts with the canonical handle of its LinkedIn URL. Returns the email
 * addresses that were new.
 */
async function makeIdentities(
  tx: Transaction,
  workspace: string,
  missing: readonly PersonIdentifier[],
  links: readonly IdentityLink[],
): Promise<IdentityRow[]> {
  const make = (identifiers: readonly PersonIdentifier[], canonicalOf: (i: PersonIdentifier) => string | undefined) => {
    const rows = identifiers.map(i => {
      const person_id = newHandle('person')
      return { ...i, person_id, canonical_id: canonicalOf(i) ?? person_id }
    })
    return rows.length === 0 ? Promise.resolve([]) : tx.query(insertIdentities(workspace, rows))
  }
  await make(
    missing.filter(i => i.kind === 'linkedin_url'),
    () => undefined,
  )
  const emails = missing.filter(i => i.kind === 'email')
  if (emails.length === 0) return []
  const linkedins = handlesByName(
    await tx.query(
      selectIdentities(
        workspace,
        links.map(link => linkEnds(link)[1]),
      ),
    ),
  )
  return make(emails, i => {
    const link = links.find(l => l.email_key === i.value)
    return link && linkedins.get(displayName(linkEnds(link)[1]))
  })
}

/**
 * To be called by every write of an applicant with an email address: stores the link with a LinkedIn URL and emits it
 * once. Without a LinkedIn URL an existing link ends. For a new handle only the link is emitted, no change: no partner can
 * have it yet.
 */
export async function recordLink(
  tx: Transaction,
  workspace: string,
  emailKey: string,
  linkedinKey: string | null,
  originKeyId: string | null,
): Promise<void> {
  if (isRoleAddress(emailKey)) return
  if (linkedinKey === null) {
    const [row] = await tx.query(lockIdentities(workspace, [{ kind: 'email', value: emailKey }]))
    if (!row || row.canonical_id === row.person_id) return
    return moveCanonicals(tx, workspace, [{ row, to: row.person_id }], originKeyId)
  }
  const link = { email_key: emailKey, linkedin_key: linkedinKey }
  const [made] = await makeIdentities(tx, workspace, linkEnds(link), [link])
  if (!made) return emitLinks(tx, workspace, [link], originKeyId)
  const { at } = await tx.only(selectNow())
  await appendEvents(tx, [{ ...linkedEvent(workspace, made.canonical_id, made.person_id, originKeyId), updatedAt: at }])
}

const linkedEvent = (workspaceId: string, canonicalId: string, linkedId: string, originKeyId: string | null) => ({
  type: 'person.identity_linked' as const,
  workspaceId,
  id: canonicalId,
  values: { canonical_id: canonicalId, linked_id: linkedId },
  originKeyId,
})

async function emitLinks(
  tx: Transaction,
  workspace: string,
  links: readonly IdentityLink[],
  originKeyId: string | null,
): Promise<void> {
  if (links.length === 0) return
  const rows = new Map(
    (await tx.query(lockIdentities(workspace, links.flatMap(linkEnds)))).map(r => [displayName(r), r]),
  )
  const rowOf = (name: string) => present(rows.get(name), 'an identity')
  const moves = links.flatMap(link => {
    const [email, linkedin] = linkEnds(link).map(i => rowOf(displayName(i))) as [IdentityRow, IdentityRow]
    if (email.canonical_id === linkedin.person_id) return []
    return [{ row: email, to: linkedin.person_id }]
  })
  await moveCanonicals(tx, workspace, moves, originKeyId)
}

interface CanonicalChange {
  row: IdentityRow
  /** the new canonical handle: that of a link, or its own where one ended */
  to: string
}

async function moveCanonicals(
  tx: Transaction,
  workspaceId: string,
  moves: readonly CanonicalChange[],
  originKeyId: string | null,
  /** new handles, which no partner has yet: they change without an event */
  fresh: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (moves.length === 0) return
  const { at: updatedAt } = await tx.only(
    setCanonicals(
      workspaceId,
      moves.map(m => ({ person_id: m.row.person_id, canonical_id: m.to })),
    ),
  )
  const visible = moves.filter(({ row }) => !fresh.has(row.person_id))
  const events = visible.flatMap(({ row, to }): NewEvent[] => [
    ...(to !== row.person_id ? [{ ...linkedEvent(workspaceId, to, row.person_id, originKeyId), updatedAt }] : []),
    {
      type: 'person.canonical_id_changed',
      workspaceId,
      id: row.person_id,
      updatedAt,
      values: { canonical_id: to, previous_canonical_id: row.canonical_id },
      originKeyId,
    },
  ])
  await appendEvents(tx, events)
}
