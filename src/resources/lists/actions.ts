import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { refuseIfAny, refuseInput } from '../../kernel/http/faults.ts'
import { isHandle, newHandle } from '../../kernel/ids/handles.ts'
import type { ListEditInput, NewListInput, NewProjectInput } from './fields.ts'
import { archiveList, archiveProject, lockProject, updateProjectRow } from './pages-store.ts'
import {
  buildMemberBatch,
  fitsStage,
  isStage,
  LABELS_SHOWN,
  MAX_STAGE_LENGTH,
  type MemberItem,
  NO_STAGE,
  profilesNamed,
  STAGE_KEYS,
  stageRefusal,
  storedStage,
} from './rules.ts'
import {
  type ListRow,
  listRecord,
  type MemberBatchRow,
  type MembershipRow,
  type ProjectRow,
  projectRecord,
} from './shape.ts'
import {
  changeCandidateCount,
  customLabels,
  deleteListRow,
  deleteMembers,
  insertList,
  insertMembers,
  insertProject,
  labelInUse,
  listableProfiles,
  listMembersAmong,
  lockList,
  lockListsOfProfile,
  lockMembership,
  lockWorkspaceLists,
  oldestProject,
  projectById,
  type RemovedMember,
  setStage,
  updateListRow,
} from './store.ts'

/** Who makes the change: the key of an API call, or null for the product. */
export interface ListActor {
  workspace: string
  originKeyId: string | null
}

const IMPORTED = 'Imported'

export async function createProject(
  tx: Transaction,
  { workspace }: ListActor,
  input: NewProjectInput,
): Promise<ProjectRow> {
  for (const { param, message } of projectRecord.faults(input)) throw new UserError(`the ${param} ${message}`)
  return tx.only(insertProject(workspace, newHandle('project'), projectRecord.merge(undefined, input)))
}

export interface ProjectEdit {
  name?: string
  description?: string | null
  archived?: boolean
}

/** undefined: there is no such project. Projects have no events: lists say in which project they are. */
export async function updateProject(
  tx: Transaction,
  { workspace }: ListActor,
  id: string,
  { archived, ...input }: ProjectEdit,
): Promise<true | undefined> {
  const stored = await tx.one(lockProject(workspace, id))
  if (!stored) return undefined
  const { archived: before, ...fields } = stored
  refuseIfAny(projectRecord.faults(input))
  const next = projectRecord.merge(fields, input)
  if (projectRecord.changes(fields, next).changed.length > 0) await tx.query(updateProjectRow(workspace, id, next))
  if (archived !== undefined && archived !== before) await tx.query(archiveProject(workspace, id, archived))
  return true
}

/** Hides a list from the product's pages, or shows it again. Partners see no difference, so there is no event. */
export async function setListArchived(
  tx: Transaction,
  { workspace }: ListActor,
  listId: string,
  archived: boolean,
): Promise<void> {
  await tx.query(archiveList(workspace, listId, archived))
}

/** Locks are always taken in this order: sourced profile, list, member. */
export async function createList(tx: Transaction, actor: ListActor, input: NewListInput): Promise<ListRow> {
  refuseIfAny(listRecord.faults(input))
  const fields = listRecord.merge(undefined, input)
  const { id: project_id } = await projectFor(tx, actor.workspace, fields.project_id)
  const list = await tx.only(insertList(actor.workspace, newHandle('list'), { ...fields, project_id }))
  await appendEvents(tx, [listEvent('list.created', actor, list)])
  return list
}

async function projectFor(tx: Transaction, workspace: string, wanted: string | null): Promise<ProjectRow> {
  if (wanted !== null) {
    const project = isHandle('project', wanted) ? await tx.one(projectById(workspace, wanted)) : undefined
    return project ?? fail('not_found', { param: 'project_id' })
  }
  const oldest = await tx.one(oldestProject(workspace))
  if (oldest) return oldest
  // Read again after taking the lock: of several concurrent first calls only one creates the project.
  await tx.query(lockWorkspaceLists(workspace))
  return (
    (await tx.one(oldestProject(workspace))) ??
    (await tx.only(insertProject(workspace, newHandle('project'), { ...projectRecord.blank, name: IMPORTED })))
  )
}

/**
 * Adds the profiles that can be added and returns a status for each item. undefined: there is no such list. `stages` is what
 * new members begin with, by profile; otherwise they have none.
 */
export async function addMembers(
  tx: Transaction,
  actor: ListActor,
  listId: string,
  items: readonly MemberItem[],
  stages: ReadonlyMap<string, string | null> = new Map(),
): Promise<MemberBatchRow | undefined> {
  const { workspace } = actor
  const wanted = profilesNamed(items)
  const listable = new Set((await tx.query(listableProfiles(workspace, wanted))).map(row => row.id))
  if (!(await tx.one(lockList(workspace, listId)))) return undefined
  const members = new Map(
    (await tx.query(listMembersAmong(workspace, listId, wanted))).map(m => [m.sourced_profile_id, m]),
  )
  const missing = wanted.filter(id => listable.has(id) && !members.has(id))
  // Sorted, so that members added by one call are listed in request order.
  const ids = missing.map(() => newHandle('list_membership')).sort()
  if (missing.length === 0) return buildMemberBatch(listId, items, members, new Set(), null)

  // The list is updated first. Its new `updated_at` is later than that of every earlier call and becomes `added_at` of
  // the new members.
  const list = await tx.only(changeCandidateCount(workspace, listId, missing.length))
  const profiles = missing.map(id => ({ id, stage: stages.get(id) ?? null }))
  for (const member of await tx.query(insertMembers(workspace, listId, ids, profiles, list.updated_at))) {
    members.set(member.sourced_profile_id, member)
  }
  await appendEvents(tx, [
    ...missing.map(profile => memberEvent('list_membership.added', actor, present(members.get(profile), profile))),
    listEvent('list.updated', actor, list, ['candidate_count']),
  ])
  return buildMemberBatch(listId, items, members, new Set(missing), list.candidate_count)
}

/** A person of a list, and the stage that they had there; null for none. */
export interface MemberPlace {
  sourced_profile_id: string
  stage: string | null
}

/**
 * Makes people what they were in a list: those who were removed are members again, with the stage that they had, and the
 * others get theirs back. undefined: there is no such list.
 */
export async function restoreMembers(
  tx: Transaction,
  actor: ListActor,
  listId: string,
  places: readonly MemberPlace[],
): Promise<MemberBatchRow | undefined> {
  refuseIfAny(
    places.flatMap(({ stage }, i) =>
      stage === null || isStage(stage)
        ? []
        : [
            {
              param: `members[${i}].stage`,
              message: `must be a stage, or a label of at most ${MAX_STAGE_LENGTH} characters`,
            },
          ],
    ),
  )
  const stages = new Map(places.map(({ sourced_profile_id: id, stage }) => [id, stage && labelOrStage(stage)]))
  const restored = await addMembers(tx, actor, listId, places, stages)
  const members = (restored?.results ?? []).flatMap(({ membership }) => membership ?? [])
  // in the order of their ids, so that two people who restore the same members do not wait for each other in a circle
  for (const { id, sourced_profile_id, stage } of members.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const wanted = stages.get(sourced_profile_id) ?? null
    if (stage === wanted || (await tx.one(lockMembership(actor.workspace, listId, id)))?.stopped) continue
    await setMemberStage(tx, actor, listId, id, wanted ?? NO_STAGE, { newLabels: true })
  }
  return restored
}

/** The stored form of a stage, or the label as it is. */
const labelOrStage = (stage: string): string | null => {
  const stored = storedStage(stage)
  return stored === undefined ? stage : stored
}

/** The last write wins. `newLabels`: allows a label that no member of the list has yet; only the product sets it. */
export async function setMemberStage(
  tx: Transaction,
  actor: ListActor,
  listId: string,
  memberId: string,
  stage: string,
  opts: { newLabels?: boolean } = {},
): Promise<MembershipRow | undefined> {
  const { workspace } = actor
  const before = await tx.one(lockMembership(workspace, listId, memberId))
  if (!before) return undefined
  if (before.stopped) fail('applicant_suppressed')
  const known = storedStage(stage)
  const stored = known === undefined ? await customStage() : known
  const after = await tx.only(setStage(workspace, memberId, stored))
  if (after.stage !== before.stage) {
    const event = memberEvent('list_membership.stage_changed', actor, after)
    await appendEvents(tx, [{ ...event, previous: { stage: before.stage } }])
  }
  return after

  async function customStage(): Promise<string> {
    if (opts.newLabels && isStage(stage)) return stage
    if (fitsStage(stage) && (await tx.one(labelInUse(workspace, listId, stage)))) return stage
    const labels = await tx.query(customLabels(workspace, listId, STAGE_KEYS, LABELS_SHOWN))
    const message = stageRefusal(
      labels.map(l => l.stage),
      labels[0]?.total ?? 0,
    )
    return refuseInput([{ param: 'stage', message, code: 'invalid_stage' }])
  }
}

export async function updateList(
  tx: Transaction,
  actor: ListActor,
  listId: string,
  input: ListEditInput,
): Promise<ListRow> {
  const before = await existing(tx, actor, listId)
  refuseIfAny(listRecord.faults(input))
  const next = listRecord.merge(before, input)
  const { changed } = listRecord.changes(before, next)
  if (changed.length === 0) return before
  const list = await tx.only(updateListRow(actor.workspace, listId, next))
  await appendEvents(tx, [listEvent('list.updated', actor, list, changed)])
  return list
}

export async function removeMembers(
  tx: Transaction,
  actor: ListActor,
  listId: string,
  profiles: readonly string[],
): Promise<ListRow> {
  const list = await existing(tx, actor, listId)
  return removeFrom(tx, actor, list, profiles)
}

/** Deletes a list with its members. Each member has its own event, because partners store memberships separately. */
export async function deleteList(tx: Transaction, actor: ListActor, listId: string): Promise<void> {
  const list = await existing(tx, actor, listId)
  const gone = await tx.query(deleteMembers(actor.workspace, listId))
  const { deleted_at } = await tx.only(deleteListRow(actor.workspace, listId))
  await appendEvents(tx, [
    ...gone.map(member => removedEvent(actor, member)),
    listEvent('list.deleted', actor, { ...list, updated_at: deleted_at }),
  ])
}

/** Call it before the profile is deleted. The caller has locked the profile. */
export async function removeProfileFromLists(tx: Transaction, actor: ListActor, profile: string): Promise<void> {
  for (const list of await tx.query(lockListsOfProfile(actor.workspace, profile))) {
    await removeFrom(tx, actor, list, [profile])
  }
}

async function removeFrom(
  tx: Transaction,
  actor: ListActor,
  list: ListRow,
  profiles: readonly string[],
): Promise<ListRow> {
  const gone = await tx.query(deleteMembers(actor.workspace, list.id, profiles))
  if (gone.length === 0) return list
  const after = await tx.only(changeCandidateCount(actor.workspace, list.id, -gone.length))
  await appendEvents(tx, [
    ...gone.map(member => removedEvent(actor, member)),
    listEvent('list.updated', actor, after, ['candidate_count']),
  ])
  return after
}

async function existing(tx: Transaction, actor: ListActor, listId: string): Promise<ListRow> {
  const list = await tx.one(lockList(actor.workspace, listId))
  if (!list) throw new UserError(`there is no list ${listId}`)
  return list
}

function listEvent(
  type: 'list.created' | 'list.updated' | 'list.deleted',
  actor: ListActor,
  list: ListRow,
  changed?: readonly string[],
): NewEvent {
  return {
    type,
    workspaceId: actor.workspace,
    id: list.id,
    updatedAt: list.updated_at,
    values: {
      project_id: list.project_id,
      ...(type === 'list.updated' ? { candidate_count: list.candidate_count } : {}),
    },
    ...(changed ? { changed } : {}),
    originKeyId: actor.originKeyId,
  }
}

function memberEvent(
  type: 'list_membership.added' | 'list_membership.stage_changed',
  actor: ListActor,
  member: MembershipRow,
): NewEvent {
  return {
    type,
    workspaceId: actor.workspace,
    id: member.id,
    updatedAt: member.stage_updated_at ?? member.added_at,
    values: { list_id: member.list_id, sourced_profile_id: member.sourced_profile_id, stage: member.stage },
    originKeyId: actor.originKeyId,
  }
}

const removedEvent = (actor: ListActor, member: RemovedMember): NewEvent => ({
  type: 'list_membership.removed',
  workspaceId: actor.workspace,
  id: member.id,
  updatedAt: member.removed_at,
  values: { list_id: member.list_id, sourced_profile_id: member.sourced_profile_id },
  originKeyId: actor.originKeyId,
})
