import { rightsInJob } from '../../contract/job-rights.ts'
import { readersOf, readJobPeople } from '../../kernel/access/reach.ts'
import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import { buildApplicationEvent, LOCK_WAIT_MS, unlessLocked, whileLocked } from './locked-change.ts'
import type { ApplicationRow } from './shape.ts'
import { type StoredApplication, WRITTEN_COLUMNS, withResumeAccess } from './store.ts'
import type { PersonsChange } from './team-decisions.ts'

/**
 * The member who is responsible for a candidate: someone who may decide about the candidates of the job. A member who
 * loses that is removed by `releaseCandidates`, in the transaction that ends it.
 */

/** Until the transaction ends the member stays one, and on the team of the job, so that no release comes in between. */
const holdMember = (workspace: string, applicationId: string, userId: string): readonly Sql[] => [
  sql`select 1 from users where workspace_id = ${workspace} and id = ${userId} for key share`,
  sql`
    select 1 from job_team t where t.workspace_id = ${workspace} and t.user_id = ${userId}
      and t.job_id in (select a.job_id from applications a where a.workspace_id = ${workspace} and a.id = ${applicationId})
    for share of t`,
]

const setOwner = (workspace: string, id: string, userId: string | null): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set owner_user_id = ${userId}, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

const ownerChanged = (row: StoredApplication) =>
  buildApplicationEvent('application.updated', row, null, { changed: ['owner'] })

/** Makes a member responsible, or no one: then the recruiters and hiring managers of the job are. */
export async function changeOwner(
  tx: Transaction,
  change: PersonsChange & { ownerUserId: string | null },
): Promise<ApplicationRow | undefined> {
  const { workspace, id, ownerUserId } = change
  // before the application, in the order of a release
  if (ownerUserId !== null) for (const held of holdMember(workspace, id, ownerUserId)) await tx.query(held)
  return whileLocked(tx, change, async row => {
    if (row.owner_user_id === ownerUserId) return withResumeAccess(row)
    if (ownerUserId !== null) {
      const member = (await readersOf(tx, workspace, id, [ownerUserId])).get(ownerUserId)
      if (!member?.rights.has('decide'))
        refuseIfAny([{ param: 'user_id', message: 'is not a member who may decide about candidates of this job' }])
    }
    const written = await tx.only(setOwner(workspace, id, ownerUserId))
    await appendEvents(tx, [ownerChanged(written)])
    return withResumeAccess({ ...written, now: row.now })
  })
}

const jobsOfOwner = (workspace: string, userId: string) =>
  sql<{ job_id: string }>`
    select distinct job_id from applications where workspace_id = ${workspace} and owner_user_id = ${userId}`

/** In one order: two releases never wait for each other. */
const lockOwned = (workspace: string, userId: string, jobs: readonly string[], limit: number) =>
  sql<{ id: string }>`
    select id from applications
    where workspace_id = ${workspace} and owner_user_id = ${userId} and job_id = any(${jobs}::text[])
    order by id limit ${limit} for update`

const releaseOwned = (workspace: string, ids: readonly string[]): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set owner_user_id = null, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = any(${ids}::text[]) returning ${WRITTEN_COLUMNS}`

/** Applications in one statement. */
const CHUNK = 500

/**
 * Called after the role, the access or the teams of a member have changed, in the same transaction: in jobs whose
 * candidates they may no longer decide about, no one is responsible in their place. `isLeaving`: the membership ends.
 */
export async function releaseCandidates(
  tx: Transaction,
  { workspace, userId, isLeaving = false }: { workspace: string; userId: string; isLeaving?: boolean },
): Promise<void> {
  const jobs = (await tx.query(jobsOfOwner(workspace, userId))).map(({ job_id }) => job_id)
  if (jobs.length === 0) return
  const person = isLeaving ? undefined : (await readJobPeople(tx, workspace, [userId])).get(userId)
  const lost = jobs.filter(job => person === undefined || !rightsInJob(person, job).has('decide'))
  if (lost.length === 0) return
  await tx.query(limitLockWait(LOCK_WAIT_MS))
  for (;;) {
    const locked = await tx.query(lockOwned(workspace, userId, lost, CHUNK)).catch(unlessLocked)
    const ids = locked.map(({ id }) => id)
    if (ids.length === 0) return
    await appendEvents(tx, (await tx.query(releaseOwned(workspace, ids))).map(ownerChanged))
  }
}
