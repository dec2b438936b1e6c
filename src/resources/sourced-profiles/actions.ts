import { API_LIMITS } from '../../contract/limits.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { contactKey, emailKey } from '../../kernel/text/person-keys.ts'
import { type ListActor, removeProfileFromLists } from '../lists/index.ts'
import { lockSuppressionsShared, suppressedAmong, suppressedExternalIds } from '../suppressions/index.ts'
import {
  ATTACHMENT_MIMES,
  type ContactValue,
  isFilename,
  isPhone,
  type NewProfile,
  PROFILE_FIELDS,
  revealedField,
} from './rules.ts'
import type { AttachmentType } from './shape.ts'
import {
  type AttachmentFile,
  attachmentsOf,
  deleteContactValues,
  deleteProfileRow,
  insertProfiles,
  knownProfiles,
  lockWorkspaceProfiles,
  markProfileSeen,
  profileById,
  revealedValues,
  type StoredProfile,
  touchProfile,
  updateProfiles,
  upsertAttachment,
  upsertContactValues,
} from './store.ts'

export interface ImportedProfiles {
  created: number
  updated: number
  unchanged: number
  /** skipped, because the person was erased or processing was stopped */
  suppressed: number
}

/**
 * Stores the profiles of a file. A profile that the workspace already has, by external_id or else by LinkedIn URL, is
 * updated. Fields that are missing in the file do not change.
 */
export async function importProfiles(
  tx: Transaction,
  actor: ListActor,
  how: { origin: string; acquisition: string; provider: string | null },
  given: readonly NewProfile[],
): Promise<ImportedProfiles> {
  const { workspace } = actor
  await tx.query(lockSuppressionsShared())
  if (!(await tx.one(lockWorkspaceProfiles(workspace)))) throw new UserError(`there is no workspace ${workspace}`)
  const keys = given.flatMap(r => r.linkedin_key ?? []).map(key => ({ kind: 'linkedin_url' as const, key }))
  const stopped = new Set((await tx.query(suppressedAmong(workspace, keys))).map(({ place }) => keys[place]!.key))
  const named = given.filter(r => r.external_id !== null)
  const ids = named.map(r => ({ workspace, object: 'sourced_profile' as const, id: r.external_id! }))
  const gone = new Set((await tx.query(suppressedExternalIds(ids))).map(({ place }) => named[place]!))
  const rows = given.filter(r => !gone.has(r) && (r.linkedin_key === null || !stopped.has(r.linkedin_key)))
  const known = await tx.query(
    knownProfiles(
      workspace,
      rows.flatMap(r => r.external_id ?? []),
      rows.flatMap(r => r.linkedin_key ?? []),
    ),
  )
  const left = new Set(known.flatMap(row => (row.suppressed ? [row.id] : [])))
  const byName = new Map<string, NewProfile>()
  const addByName = (row: NewProfile) => {
    if (row.external_id !== null) byName.set(`external ${row.external_id}`, row)
    if (row.linkedin_key !== null) byName.set(`linkedin ${row.linkedin_key}`, row)
  }
  for (const row of known) addByName(row)

  const created = new Map<string, NewProfile>()
  const updated = new Map<string, { row: NewProfile; changed: Set<string> }>()
  const unchanged = new Map<string, NewProfile>()
  let suppressed = given.length - rows.length
  for (const row of rows) {
    const before = byName.get(`external ${row.external_id}`) ?? byName.get(`linkedin ${row.linkedin_key}`)
    if (!before) {
      created.set(row.id, row)
      addByName(row)
      continue
    }
    if (left.has(before.id)) {
      suppressed++
      continue
    }
    const merged = { ...before, external_id: before.external_id ?? row.external_id } as NewProfile
    const changed = PROFILE_FIELDS.filter(name => row[name] !== null && row[name] !== before[name])
    for (const name of changed) merged[name] = row[name]
    if (changed.includes('linkedin_url')) {
      merged.linkedin_key = row.linkedin_key
      const given = `linkedin ${before.linkedin_key}`
      // the previous URL no longer identifies this profile: a later row with it is another person
      if (byName.get(given)?.id === before.id) byName.delete(given)
    }
    if (created.has(before.id)) created.set(before.id, merged)
    else if (changed.length > 0) {
      const earlier = updated.get(before.id)?.changed ?? []
      updated.set(before.id, { row: merged, changed: new Set([...earlier, ...changed]) })
    } else if (updated.has(before.id)) updated.get(before.id)!.row = merged
    else unchanged.set(before.id, merged)
    addByName(merged)
  }
  for (const id of updated.keys()) unchanged.delete(id)

  const events: NewEvent[] = []
  if (created.size > 0) {
    const times = timesOf(await tx.query(insertProfiles(workspace, how, [...created.values()])))
    for (const id of created.keys()) events.push(profileEvent('sourced_profile.created', actor, id, times.get(id)!))
  }
  if (updated.size > 0) {
    const times = timesOf(
      await tx.query(
        updateProfiles(
          workspace,
          [...updated.values()].map(u => u.row),
        ),
      ),
    )
    for (const [id, { changed }] of updated) {
      events.push({ ...profileEvent('sourced_profile.updated', actor, id, times.get(id)!), changed: [...changed] })
    }
  }
  if (unchanged.size > 0) await tx.query(markProfileSeen(workspace, [...unchanged.values()]))
  await appendEvents(tx, events)
  return { created: created.size, updated: updated.size, unchanged: unchanged.size, suppressed }
}

const timesOf = (rows: readonly { id: string; updated_at: string }[]) => new Map(rows.map(r => [r.id, r.updated_at]))

/** Stores contact details that the workspace bought or received. Values that do not change emit no event. */
export async function revealContactInfo(
  tx: Transaction,
  actor: ListActor,
  profileId: string,
  values: readonly ContactValue[],
): Promise<void> {
  await tx.query(lockSuppressionsShared())
  const profile = await existing(tx, actor, profileId)
  const bad = values.find(v => (v.field === 'email' ? emailKey(v.value) === undefined : !isPhone(v.value)))
  if (bad) throw new UserError(`not ${bad.field === 'email' ? 'an email address' : 'a phone number'}`)
  if (values.length === 0) return
  refuseSuppressed(profile)
  const emails = values.filter(v => v.field === 'email').map(v => ({ kind: 'email' as const, key: emailKey(v.value)! }))
  if ((await tx.query(suppressedAmong(actor.workspace, emails))).length > 0) fail('applicant_suppressed')
  const nameOf = (v: Pick<ContactValue, 'field' | 'value'>) => contactKey(v.field, v.value)
  const known = new Map((await tx.query(revealedValues(actor.workspace, profileId))).map(v => [nameOf(v), v.value]))
  const spelt = values.map(v => ({ ...v, value: known.get(nameOf(v)) ?? v.value.trim() }))
  const each = [...new Map(spelt.map(v => [nameOf(v), v])).values()]
  const news = await tx.query(upsertContactValues(actor.workspace, profileId, each))
  if (news.length === 0) return
  const { updated_at } = (await tx.one(touchProfile(actor.workspace, profileId, true)))!
  const event = (type: NewEvent['type']) => profileEvent(type, actor, profileId, updated_at)
  await appendEvents(tx, [
    ...(profile.has_contact_info ? [] : [{ ...event('sourced_profile.updated'), changed: ['has_contact_info'] }]),
    { ...event('sourced_profile.contact_info_revealed'), changed: [...new Set(news.map(revealedField))].sort() },
  ])
}

export interface NewAttachment {
  type: AttachmentType
  filename: string
  mime: string
  content: Buffer
}

/** The folder with all files of a profile, including files without a row. */
export const attachmentFolder = (workspace: string, profile: string) => `attachments/${workspace}/${profile}/`

/**
 * Writes the file before the row, so that every row has its file. A replaced file is removed after the commit; if that
 * fails, a worker removes it, because the transaction queued the deletion.
 */
export async function addAttachment(
  db: Database,
  blobs: Blobs,
  actor: ListActor,
  profileId: string,
  file: NewAttachment,
): Promise<AttachmentFile> {
  const { workspace } = actor
  const allowed = ATTACHMENT_MIMES[file.type]
  if (!allowed?.includes(file.mime)) throw new UserError(`a ${file.type} must be one of ${allowed?.join(', ')}`)
  const bytes = file.content.length
  if (bytes === 0 || bytes > API_LIMITS.resumeFileBytes) throw new UserError('the file must be 1 to 5242880 bytes')
  const filename = file.filename.replace(/^.*[/\\]/s, '').trim()
  if (!isFilename(filename)) throw new UserError('the file needs a name of 1 to 255 printable characters')
  refuseSuppressed(found(await db.one(profileById(workspace, profileId)), profileId))

  const blob_key = `${attachmentFolder(workspace, profileId)}${newHandle('upload')}`
  await blobs.put(blob_key, file.content, { contentType: file.mime, bytes })
  try {
    return await db.transaction(async tx => {
      await tx.query(lockSuppressionsShared())
      refuseSuppressed(await existing(tx, actor, profileId))
      const [before] = await tx.query(attachmentsOf(workspace, profileId, file.type))
      const attachment = { profile_id: profileId, type: file.type, filename, mime: file.mime, bytes, blob_key }
      const stored = (await tx.one(upsertAttachment(workspace, attachment)))!
      const { updated_at } = (await tx.one(touchProfile(workspace, profileId)))!
      const event = (type: NewEvent['type']) => profileEvent(type, actor, profileId, updated_at)
      await appendEvents(tx, [
        ...(before ? [] : [{ ...event('sourced_profile.updated'), changed: [`has_${file.type}`] }]),
        { ...event('sourced_profile.attachment_added'), values: { attachment_type: file.type } },
      ])
      if (before) tx.afterCommit(() => void blobs.remove(before.blob_key).catch(() => {}))
      return stored
    })
  } catch (error) {
    await blobs.remove(blob_key)
    throw error
  }
}

export async function deleteProfile(
  tx: Transaction,
  blobs: Blobs,
  actor: ListActor,
  profileId: string,
  reason: string,
): Promise<void> {
  const { workspace } = actor
  await existing(tx, actor, profileId)
  await removeProfileFromLists(tx, actor, profileId)
  await tx.query(deleteContactValues(workspace, profileId))
  const folder = attachmentFolder(workspace, profileId)
  const { deleted_at } = (await tx.one(deleteProfileRow(workspace, profileId, folder)))!
  await appendEvents(tx, [
    { ...profileEvent('sourced_profile.deleted', actor, profileId, deleted_at), values: { reason } },
  ])
  // if this fails, a worker removes the files: the transaction queued their deletion
  tx.afterCommit(() => void blobs.removeAll(folder).catch(() => {}))
}

async function existing(tx: Transaction, { workspace }: ListActor, id: string): Promise<StoredProfile> {
  return found(await tx.one(profileById(workspace, id, 'for update')), id)
}

function found(profile: StoredProfile | undefined, id: string): StoredProfile {
  if (!profile) throw new UserError(`there is no profile ${id}`)
  return profile
}

/** A suppressed profile gets no new data. */
function refuseSuppressed(profile: StoredProfile): void {
  if (profile.suppressed) fail('applicant_suppressed')
}

const profileEvent = (type: NewEvent['type'], actor: ListActor, id: string, updatedAt: string): NewEvent => ({
  type,
  workspaceId: actor.workspace,
  id,
  updatedAt,
  originKeyId: actor.originKeyId,
})
