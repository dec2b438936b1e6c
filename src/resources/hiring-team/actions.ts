import type { JobRole } from '../../contract/job-rights.ts'
import type { NoteVisibility } from '../../contract/note-visibility.ts'
import { ROLE_SCOPES, type Scope } from '../../contract/scopes.ts'
import { readersOf } from '../../kernel/access/reach.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail, invalid } from '../../kernel/errors/api-error.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import type { Page } from '../../kernel/http/list.ts'
import { addNote, applicationById, changeBelongings, releaseCandidates } from '../applications/index.ts'
import { insertCriteriaHistory, latestChange } from '../jobs/index.ts'
import {
  type Criterion,
  cleanCriteria,
  criteriaFaults,
  criteriaVersion,
  criterionWords,
  DEFAULT_WAITING_DAYS,
  EDIT_MINUTES,
  MAIL_LIMITS,
  MAX_TAGS,
  receiversWithin,
  tagFault,
  tagName,
} from './rules.ts'
import {
  addToTeam,
  countInSummaries,
  deleteCriteria,
  deleteMentions,
  deleteNote,
  deleteTag,
  holdMembers,
  insertCriteria,
  insertMentions,
  insertTag,
  jobExists,
  lockJobForCriteria,
  lockMailedMembers,
  type Member,
  mentionsOf,
  type Named,
  type NoteKey,
  type NoteReader,
  notesPage,
  ownNote,
  putWaitingDays,
  queueMails,
  recentMails,
  removeFromTeam,
  selectCriteria,
  selectTags,
  selectTeam,
  selectUserNames,
  setTeamRoles,
  type TeamCandidate,
  type TeamNoteRow,
  teamCandidates,
  teamMembers,
  updateNote,
  waitingDays,
} from './store.ts'

/** An application, and the member who does something about it in our pages. */
export interface OnApplication {
  workspace: string
  applicationId: string
  userId: string
}

export const changeOf = ({ workspace, applicationId }: OnApplication) => ({
  workspace,
  id: applicationId,
  originKeyId: null,
})

/** The members by their handles, in the order in which they became members. Others are left out. */
export async function membersNamed(
  db: Queryable,
  workspace: string,
  users: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, Named>> {
  const ids = [...new Set(users)].filter(id => id !== null)
  const found = ids.length === 0 ? [] : await db.query(selectUserNames(workspace, ids))
  return new Map(found.map(member => [member.id, member]))
}

export interface ApplicationMember extends Member {
  /** sees the candidate and can be mentioned in a note */
  reads_notes: boolean
  writes_scorecards: boolean
  /** may be responsible for the candidate */
  decides: boolean
}

/** The members; of an application, those who have access to its job. */
export async function membersWithAccess(
  db: Queryable,
  workspace: string,
  applicationId?: string,
): Promise<ApplicationMember[]> {
  const all = await db.query(teamMembers(workspace))
  const ids = all.map(({ id }) => id)
  const readers = applicationId === undefined ? undefined : await readersOf(db, workspace, applicationId, ids)
  return all.flatMap(member => {
    const reader = readers?.get(member.id)
    if (readers && !reader) return []
    const may = (scope: Scope) => ROLE_SCOPES[member.role].includes(scope) && reader?.rights.has('feedback') !== false
    return [
      {
        ...member,
        reads_notes: may('notes:write') && reader?.sees !== false,
        writes_scorecards: may('scorecards:write'),
        decides: ROLE_SCOPES[member.role].includes('applications:write') && reader?.rights.has('decide') !== false,
      },
    ]
  })
}

/**
 * Each must be a member with access to the job, who may do what the scope says; the others are faults of the request. A
 * mention needs more: the member must see the candidate. Who is asked for a scorecard sees them from then on. 404 if there
 * is no such application.
 */
export async function requireMembers(
  tx: Queryable,
  on: OnApplication,
  users: readonly string[],
  { param, scope, sees }: { param: string; scope: Scope; sees: boolean },
) {
  if (users.length === 0) return
  const known = new Map((await tx.query(teamMembers(on.workspace))).map(member => [member.id, member.role]))
  const readers = await readersOf(tx, on.workspace, on.applicationId, users)
  if (readers.size === 0 && !(await tx.one(applicationById(on.workspace, on.applicationId)))) fail('not_found')
  refuseIfAny(
    users.flatMap((user, i) => {
      const role = known.get(user)
      const reader = readers.get(user)
      const message =
        role === undefined
          ? 'is not a member'
          : !ROLE_SCOPES[role].includes(scope)
            ? 'has a role that does not allow this'
            : !reader?.rights.has('feedback')
              ? 'is not on the team of this job'
              : sees && !reader.sees
                ? 'is an interviewer who was not asked about this candidate'
                : undefined
      return message === undefined ? [] : [{ param: `${param}[${i}]`, message }]
    }),
  )
}

/** An email for each but who caused it; beyond the limits, one more in the summary of the user. */
export async function mailOthers(
  tx: Transaction,
  { workspace, applicationId, userId: by }: OnApplication,
  about: { kind: 'mention'; noteId: string } | { kind: 'scorecard'; noteId: null },
  concerned: readonly string[],
): Promise<void> {
  const users = concerned.filter(user => user !== by)
  if (users.length === 0) return
  await tx.query(lockMailedMembers(workspace, [...users, by]))
  const mails = { workspace, ...about, applicationId, by, users }
  const mailed = receiversWithin(mails, await tx.query(recentMails(mails)))
  const left = users.filter(user => !mailed.includes(user))
  if (mailed.length > 0) await tx.query(queueMails({ ...mails, users: mailed }))
  if (left.length > 0) await tx.query(countInSummaries(workspace, left, MAIL_LIMITS.summaryHours))
}

export interface Note extends Omit<TeamNoteRow, 'author_user_id' | 'mentions'> {
  author: Named | null
  mentions: Named[]
}

export async function readNotes(
  db: Queryable,
  { workspace, applicationId }: Pick<OnApplication, 'workspace' | 'applicationId'>,
  reader: NoteReader,
  page: Page,
): Promise<Note[]> {
  const rows = await db.query(notesPage(workspace, applicationId, reader, page))
  const users = rows.flatMap(({ author_user_id, mentions }) => [author_user_id, ...mentions])
  const names = await membersNamed(db, workspace, users)
  return rows.map(({ author_user_id, mentions, ...note }) => ({
    ...note,
    author: names.get(author_user_id) ?? null,
    mentions: [...names.values()].filter(({ id }) => mentions.includes(id)),
  }))
}

/** A note may name members who may write notes and see the candidate: a private one is then for them as well. */
const requireMentionable = (tx: Queryable, on: OnApplication, mentions: readonly string[]) =>
  requireMembers(tx, on, mentions, { param: 'mentions', scope: 'notes:write', sees: true })

/**
 * A note that names members. The names are stored next to the note, so that they stay right whatever the text says.
 * Each gets an email with a link, within limits; the author, who knows, gets none.
 */
export async function writeNote(
  tx: Transaction,
  on: OnApplication,
  note: { body: string; mentions: readonly string[]; visibility?: NoteVisibility | undefined },
): Promise<{ id: string } | undefined> {
  const { body, visibility = 'team' } = note
  const mentions = [...new Set(note.mentions)]
  await requireMentionable(tx, on, mentions)
  const stored = await addNote(tx, { ...changeOf(on), body, visibility, authorUserId: on.userId })
  if (!stored) return undefined
  if (mentions.length > 0) await tx.query(insertMentions(on.workspace, stored.id, mentions))
  await mailOthers(tx, on, { kind: 'mention', noteId: stored.id }, mentions)
  return { id: stored.id }
}

const noteKey = ({ workspace, applicationId, userId: authorUserId }: OnApplication, noteId: string): NoteKey => ({
  workspace,
  applicationId,
  noteId,
  authorUserId,
})

/** Changes a note that the member wrote, for a while after it was written. Only members whom it names now get an email. */
export async function editNote(
  tx: Transaction,
  on: OnApplication,
  noteId: string,
  next: { body: string; mentions: readonly string[] },
): Promise<{ id: string }> {
  const key = noteKey(on, noteId)
  const mentions = [...new Set(next.mentions)]
  const found = await changeBelongings(tx, changeOf(on), 'notes', async () => {
    const note = (await tx.one(ownNote(key))) ?? fail('not_found')
    if (!note.editable)
      invalid('body', `a note can be changed for ${EDIT_MINUTES} minutes; delete it or write another one`)
    const before = (await tx.query(mentionsOf(on.workspace, noteId))).map(({ user_id }) => user_id)
    const added = mentions.filter(user => !before.includes(user))
    await requireMentionable(tx, on, mentions)
    await tx.query(updateNote(key, next.body))
    await tx.query(
      deleteMentions(
        on.workspace,
        noteId,
        before.filter(user => !mentions.includes(user)),
      ),
    )
    if (added.length > 0) await tx.query(insertMentions(on.workspace, noteId, added))
    await mailOthers(tx, on, { kind: 'mention', noteId }, added)
    return note.visibility === 'team'
  })
  if (found === undefined) fail('not_found')
  return { id: noteId }
}

/** Deletes a note that the member wrote, with its mentions. */
export async function deleteOwnNote(tx: Transaction, on: OnApplication, noteId: string): Promise<{ id: string }> {
  const key = noteKey(on, noteId)
  const found = await changeBelongings(tx, changeOf(on), 'notes', async () => {
    const note = (await tx.one(ownNote(key))) ?? fail('not_found')
    await tx.query(deleteNote(key))
    return note.visibility === 'team'
  })
  if (found === undefined) fail('not_found')
  return { id: noteId }
}

export interface Criteria {
  criteria: Criterion[]
  version: string
}

export async function readCriteria(db: Queryable, workspace: string, jobId: string): Promise<Criteria | undefined> {
  if (!(await db.one(jobExists(workspace, jobId)))) return undefined
  const criteria = await db.query(selectCriteria(workspace, jobId))
  return { criteria, version: criteriaVersion(criteria) }
}

/** Replaces the criteria of a job; 409 if someone else changed them since they were read. */
export async function setCriteria(
  tx: Transaction,
  workspace: string,
  jobId: string,
  wanted: { criteria: Parameters<typeof cleanCriteria>[0]; expectedVersion: string; userId?: string },
): Promise<Criteria | undefined> {
  const criteria = cleanCriteria(wanted.criteria)
  refuseIfAny(criteriaFaults(criteria))
  if (!(await tx.one(lockJobForCriteria(workspace, jobId)))) return undefined
  const before = await tx.query(selectCriteria(workspace, jobId))
  if (criteriaVersion(before) !== wanted.expectedVersion)
    fail('stale_resource', { message: 'Someone else changed the criteria while you were editing them.' })
  await tx.query(deleteCriteria(workspace, jobId))
  await tx.query(insertCriteria(workspace, jobId, criteria))
  const version = criteriaVersion(criteria)
  if (version !== criteriaVersion(before)) {
    const latest = (await tx.one(latestChange(workspace, jobId)))?.at ?? null
    const lines = { previous: before.map(criterionWords), next: criteria.map(criterionWords) }
    await tx.query(insertCriteriaHistory(workspace, { job: jobId, userId: wanted.userId ?? null, latest, ...lines }))
  }
  return { criteria, version }
}

export interface Team {
  /** every member */
  people: (TeamCandidate & {
    on_team: boolean
    /** null: not on the team */
    job_role: JobRole | null
  })[]
}

export async function readTeam(db: Queryable, workspace: string, jobId: string): Promise<Team | undefined> {
  if (!(await db.one(jobExists(workspace, jobId)))) return undefined
  const people = await db.query(teamCandidates(workspace))
  const roles = new Map((await db.query(selectTeam(workspace, jobId))).map(({ user_id, role }) => [user_id, role]))
  return {
    people: people.map(person => ({
      ...person,
      on_team: roles.has(person.id),
      job_role: roles.get(person.id) ?? null,
    })),
  }
}

export interface TeamChange {
  add: readonly string[]
  remove: readonly string[]
  /** by user; people whom it does not name keep theirs, and new ones are recruiters */
  roles?: Readonly<Record<string, JobRole>> | undefined
}

/**
 * Who joins the team of a job, who leaves it, and what they are there; others stay as they are. Takes effect with the next
 * request. Viewers see no names, so they cannot interview.
 */
export async function changeTeam(
  tx: Transaction,
  workspace: string,
  jobId: string,
  change: TeamChange,
): Promise<Team | undefined> {
  if (!(await tx.one(lockJobForCriteria(workspace, jobId)))) return undefined
  const roles = change.roles ?? {}
  const members = await tx.query(holdMembers(workspace, [...change.add, ...Object.keys(roles)]))
  const known = new Map(members.map(({ id, role }) => [id, role]))
  refuseIfAny([
    ...change.add.flatMap((user, i) => (known.has(user) ? [] : [{ param: `add[${i}]`, message: 'is not a member' }])),
    ...Object.entries(roles).flatMap(([user, role]) =>
      role === 'interviewer' && known.get(user) === 'viewer'
        ? [{ param: `roles.${user}`, message: 'is a viewer, who cannot be an interviewer' }]
        : [],
    ),
  ])
  if (change.add.length > 0) await tx.query(addToTeam(workspace, jobId, change.add))
  await tx.query(removeFromTeam(workspace, jobId, change.remove))
  const changed = await tx.query(setTeamRoles(workspace, jobId, roles))
  const placed = new Set(changed.map(({ user_id }) => user_id))
  refuseIfAny(
    Object.keys(roles).flatMap(user =>
      placed.has(user) ? [] : [{ param: `roles.${user}`, message: 'is not on the team of this job' }],
    ),
  )
  const narrowed = [...change.remove, ...Object.keys(roles)]
  for (const userId of new Set(narrowed)) await releaseCandidates(tx, { workspace, userId })
  return readTeam(tx, workspace, jobId)
}

/** The tags of an application. Adding one that is there, in any spelling, changes nothing. */
export async function changeTags(
  tx: Transaction,
  on: OnApplication,
  change: { add?: string | undefined; remove?: string | undefined },
): Promise<string[]> {
  const { workspace, applicationId } = on
  const message = change.add === undefined ? undefined : tagFault(change.add)
  if (message !== undefined) refuseIfAny([{ param: 'add', message }])
  const tags = async () => (await tx.query(selectTags(workspace, [applicationId])))[0]?.tags ?? []
  const found = await changeBelongings(tx, changeOf(on), 'tags', async () => {
    const removed =
      change.remove !== undefined && (await tx.one(deleteTag(workspace, applicationId, tagName(change.remove).key)))
    const added = change.add !== undefined && (await tx.one(insertTag(workspace, applicationId, tagName(change.add))))
    if (added && (await tags()).length > MAX_TAGS)
      refuseIfAny([{ param: 'add', message: `an application has at most ${MAX_TAGS} tags` }])
    return Boolean(removed || added)
  })
  if (found === undefined) fail('not_found')
  return tags()
}

export const readWaitingDays = async (db: Queryable, workspace: string): Promise<number> =>
  (await db.one(waitingDays(workspace)))?.waiting_days ?? DEFAULT_WAITING_DAYS

export const setWaitingDays = async (db: Database, workspace: string, days: number): Promise<number> =>
  (await db.only(putWaitingDays(workspace, days))).waiting_days
