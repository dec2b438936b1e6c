import { addressFault } from '../../kernel/access/workspace-kind.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { contactKey, emailKey } from '../../kernel/text/person-keys.ts'
import type { ListActor } from '../lists/index.ts'
import { lockSuppressionsShared, suppressedAmong, suppressedExternalIds } from '../suppressions/index.ts'
import { type ImportPlan, planImport, type RowFate } from './import-rules.ts'
import { type ContactValue, type NewProfile, profileEvent, readContacts, revealedField } from './rules.ts'
import {
  insertContactValues,
  insertProfiles,
  knownProfiles,
  lockWorkspaceProfiles,
  markProfileSeen,
  markRevealed,
  revealedAmong,
  updateProfiles,
} from './store.ts'

export interface ImportedProfiles {
  created: number
  updated: number
  unchanged: number
  /** skipped, because the person was erased or processing was stopped */
  suppressed: number
}

export interface ImportOptions {
  origin: string
  acquisition: string
  provider: string | null
  /** profiles that the workspace already has stay as they are */
  keepKnown?: boolean
}

/**
 * Stores the profiles of a file. A profile that the workspace already has, by external_id or else by LinkedIn URL, is
 * updated. Fields that are missing in the file do not change.
 */
export async function importProfiles(
  tx: Transaction,
  actor: ListActor,
  how: ImportOptions,
  given: readonly NewProfile[],
): Promise<ImportedProfiles & { fates: RowFate[] }> {
  const { workspace } = actor
  await tx.query(lockSuppressionsShared())
  const found = await tx.one(lockWorkspaceProfiles(workspace))
  if (!found) throw new UserError(`there is no workspace ${workspace}`)
  // an import in progress ends here: what it added would only be deleted
  if (found.closing_at !== null) throw new UserError(`workspace ${workspace} is closed; what follows was not imported`)
  const plan = await planFor(tx, workspace, given, how.keepKnown ?? false, 'for update')
  const { created, updated, unchanged } = plan
  const events: NewEvent[] = []
  if (created.size > 0) {
    const timeOf = timesOf(await tx.query(insertProfiles(workspace, how, [...created.values()])))
    for (const id of created.keys()) events.push(profileEvent('sourced_profile.created', actor, id, timeOf(id)))
  }
  if (updated.size > 0) {
    const rows = [...updated.values()].map(u => u.row)
    const timeOf = timesOf(await tx.query(updateProfiles(workspace, rows)))
    for (const [id, { changed }] of updated) {
      events.push({ ...profileEvent('sourced_profile.updated', actor, id, timeOf(id)), changed: [...changed] })
    }
  }
  if (unchanged.size > 0) await tx.query(markProfileSeen(workspace, [...unchanged.values()]))
  await appendEvents(tx, events)
  await storeContacts(tx, actor, plan.contacts)
  return {
    created: created.size,
    updated: updated.size,
    unchanged: unchanged.size,
    suppressed: plan.suppressed,
    fates: plan.fates,
  }
}

/** Contact details that the team has itself: each is new for its profile, and none costs anything. */
async function storeContacts(
  tx: Transaction,
  actor: ListActor,
  contacts: ReadonlyMap<string, readonly ContactValue[]>,
): Promise<void> {
  if (contacts.size === 0) return
  const { workspace } = actor
  for (const value of [...contacts.values()].flat()) {
    const key = value.field === 'email' ? emailKey(value.value) : undefined
    const fault = key === undefined ? undefined : await addressFault(tx, workspace, key)
    if (fault !== undefined) throw new UserError(`the email address ${fault}`)
  }
  await tx.query(insertContactValues(workspace, contacts))
  const events: NewEvent[] = []
  for (const { id, updated_at, had } of await tx.query(markRevealed(workspace, [...contacts.keys()]))) {
    const changed = [...new Set(present(contacts.get(id), id).map(revealedField))].sort()
    if (!had)
      events.push({ ...profileEvent('sourced_profile.updated', actor, id, updated_at), changed: ['has_contact_info'] })
    events.push({ ...profileEvent('sourced_profile.contact_info_revealed', actor, id, updated_at), changed })
  }
  await appendEvents(tx, events)
}

/** What `importProfiles` would do with each row now. Nothing is written or locked. */
export const checkProfiles = async (
  db: Queryable,
  workspace: string,
  given: readonly NewProfile[],
): Promise<RowFate[]> => (await planFor(db, workspace, given, false)).fates

async function planFor(
  db: Queryable,
  workspace: string,
  given: readonly NewProfile[],
  keepKnown: boolean,
  lock?: 'for update',
): Promise<ImportPlan> {
  const linked = given.filter(row => row.linkedin_key !== null)
  const keys = linked.map(row => ({ kind: 'linkedin_url' as const, key: present(row.linkedin_key, row.id) }))
  const emails = given.flatMap(row =>
    readContacts(row).flatMap(({ field, value }) =>
      field === 'email' ? [{ row, key: emailKey(value) ?? value }] : [],
    ),
  )
  const addresses = emails.map(({ key }) => ({ kind: 'email' as const, key }))
  const named = given.filter(row => row.external_id !== null)
  const object = 'sourced_profile'
  const ids = named.map(row => ({ workspace, object, id: present(row.external_id, row.id) }) as const)
  const refused = new Set([
    ...(await db.query(suppressedAmong(workspace, keys))).map(({ place }) => present(linked[place], 'a row')),
    ...(await db.query(suppressedAmong(workspace, addresses))).map(({ place }) => present(emails[place], 'a row').row),
    ...(await db.query(suppressedExternalIds(ids))).map(({ place }) => present(named[place], 'a row')),
  ])
  const rows = given.filter(row => !refused.has(row))
  const known = await db.query(
    knownProfiles(
      workspace,
      rows.flatMap(row => row.external_id ?? []),
      rows.flatMap(row => row.linkedin_key ?? []),
      lock,
    ),
  )
  const withContacts = rows.some(row => readContacts(row).length > 0)
  const revealed = withContacts
    ? await db.query(
        revealedAmong(
          workspace,
          known.map(({ id }) => id),
        ),
      )
    : []
  const byProfile = Map.groupBy(revealed, ({ subject_id }) => subject_id)
  const contacts = [...byProfile].map(
    ([id, values]) => [id, new Set(values.map(v => contactKey(v.field, v.value)))] as const,
  )
  return planImport(given, refused, known, keepKnown, new Map(contacts))
}

function timesOf(rows: readonly { id: string; updated_at: string }[]): (id: string) => string {
  const times = new Map(rows.map(r => [r.id, r.updated_at]))
  return id => present(times.get(id), id)
}
