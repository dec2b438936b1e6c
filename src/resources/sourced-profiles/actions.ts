import { API_LIMITS } from '../../contract/limits.ts'
import { addressFault } from '../../kernel/access/workspace-kind.ts'
import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { contactKey, emailKey } from '../../kernel/text/person-keys.ts'
import { spendCredits } from '../credits/index.ts'
import { type ListActor, removeProfileFromLists } from '../lists/index.ts'
import { lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import { ATTACHMENT_MIMES, type ContactValue, isFilename, isPhone, profileEvent, revealedField } from './rules.ts'
import type { AttachmentType } from './shape.ts'
import {
  type AttachmentFile,
  deleteContactValues,
  deleteProfileRow,
  profileById,
  profilesLike,
  revealedValues,
  type StoredProfile,
  selectAttachments,
  touchProfile,
  upsertAttachment,
  upsertContactValues,
} from './store.ts'

/**
 * Stores contact details that the workspace bought or received. Values that do not change emit no event. Returns whether
 * these are the first of the profile.
 */
export async function revealContactInfo(
  tx: Transaction,
  actor: ListActor,
  profileId: string,
  values: readonly ContactValue[],
): Promise<boolean> {
  await tx.query(lockSuppressionsShared())
  const profile = await existing(tx, actor, profileId)
  const bad = values.find(v => contactFault(v.field, v.value) !== undefined)
  if (bad) throw new UserError(`not ${bad.field === 'email' ? 'an email address' : 'a phone number'}`)
  if (values.length === 0) return false
  refuseSuppressed(profile)
  const emails = values.filter(v => v.field === 'email').map(v => ({ kind: 'email' as const, key: emailKey(v.value)! }))
  for (const { key } of emails) {
    const fault = await addressFault(tx, actor.workspace, key)
    if (fault !== undefined) throw new UserError(`the email address ${fault}`)
  }
  if ((await tx.query(suppressedAmong(actor.workspace, emails))).length > 0) fail('applicant_suppressed')
  const nameOf = (v: Pick<ContactValue, 'field' | 'value'>) => contactKey(v.field, v.value)
  const known = new Map((await tx.query(revealedValues(actor.workspace, profileId))).map(v => [nameOf(v), v.value]))
  const spelt = values.map(v => ({ ...v, value: known.get(nameOf(v)) ?? v.value.trim() }))
  const each = [...new Map(spelt.map(v => [nameOf(v), v])).values()]
  const news = await tx.query(upsertContactValues(actor.workspace, profileId, each))
  if (news.length === 0) return false
  const { updated_at } = await tx.only(touchProfile(actor.workspace, profileId, true))
  const event = (type: NewEvent['type']) => profileEvent(type, actor, profileId, updated_at)
  await appendEvents(tx, [
    ...(profile.has_contact_info ? [] : [{ ...event('sourced_profile.updated'), changed: ['has_contact_info'] }]),
    { ...event('sourced_profile.contact_info_revealed'), changed: [...new Set(news.map(revealedField))].sort() },
  ])
  return !profile.has_contact_info
}

/**
 * Reveals contact details that a person found, and takes the price from the workspace's credits: once for a profile,
 * however many details follow.
 */
export async function buyContactInfo(
  tx: Transaction,
  actor: ListActor,
  profileId: string,
  found: readonly Pick<ContactValue, 'field' | 'value' | 'kind'>[],
  paid: { price: number; userId: string },
): Promise<void> {
  const { workspace } = actor
  if (!(await tx.one(profileById(workspace, profileId)))) fail('not_found')
  refuseIfAny(
    found.flatMap(({ field, value }, i) => {
      const message = contactFault(field, value)
      return message === undefined ? [] : [{ param: `values[${i}]`, message }]
    }),
  )
  const values = found.map(value => ({ ...value, status: 'unverified' as const, verified_at: null }))
  if (!(await revealContactInfo(tx, actor, profileId, values))) return
  await spendCredits(tx, { workspace, kind: 'contact_reveal', ...paid, subjectId: profileId })
}

const contactFault = (field: ContactValue['field'], value: string): string | undefined =>
  field === 'email'
    ? emailKey(value) === undefined
      ? 'must be an email address'
      : undefined
    : isPhone(value)
      ? undefined
      : 'must be a phone number of at most 50 characters'

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
      const [before] = await tx.query(selectAttachments(workspace, profileId, file.type))
      const attachment = { profile_id: profileId, type: file.type, filename, mime: file.mime, bytes, blob_key }
      const stored = await tx.only(upsertAttachment(workspace, attachment))
      const { updated_at } = await tx.only(touchProfile(workspace, profileId))
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
  const { deleted_at } = await tx.only(deleteProfileRow(workspace, profileId, folder))
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

/** Profiles of its pool that the workspace has: those saved from it, and others with the same LinkedIn URL. */
export async function savedFromPool(
  db: Queryable,
  workspace: string,
  pool: Parameters<typeof profilesLike>[1],
): Promise<{ pool_id: string; id: string }[]> {
  if (pool.length === 0) return []
  const own = await db.query(profilesLike(workspace, pool))
  const saved = new Map(own.toReversed().map(profile => [profile.external_id, profile.id]))
  const alike = new Map(own.toReversed().map(profile => [profile.linkedin_key, profile.id]))
  return pool.flatMap(({ id: pool_id, linkedin_key }) => {
    const id = saved.get(pool_id) ?? (linkedin_key === null ? undefined : alike.get(linkedin_key))
    return id === undefined ? [] : [{ pool_id, id }]
  })
}

/** What a profile has of a person who is put into a job, with the contact details that the workspace revealed. */
export async function readPersonOfProfile(db: Queryable, workspace: string, id: string) {
  const [profile, contact] = await Promise.all([
    db.one(profileById(workspace, id)),
    db.query(revealedValues(workspace, id)),
  ])
  if (!profile) return undefined
  const { full_name, linkedin_url, location_full, suppressed, unsubscribed, acquisition, provider } = profile
  // the latest is the first
  const valuesOf = (field: ContactValue['field']) => contact.filter(value => value.field === field).map(v => v.value)
  return {
    full_name,
    linkedin_url,
    location: location_full,
    emails: valuesOf('email'),
    phone: valuesOf('phone')[0] ?? null,
    suppressed,
    unsubscribed,
    acquired: { acquisition, provider },
  }
}
