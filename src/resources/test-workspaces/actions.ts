import type { Database, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { grantPlayCredits } from '../credits/index.ts'
import { scheduleDeletion } from '../deletions/index.ts'
import { createKeyIn, type IssuedKey } from '../keys/index.ts'
import { addUser } from '../users/index.ts'
import { addTestWorkspace, addToLog } from '../workspaces/index.ts'
import { UNUSED_DAYS } from './rules.ts'
import { memberToCopy, unusedWorkspaces } from './store.ts'

export interface NewTestWorkspace {
  name: string
  /** the live workspace that it counts for; null: the operator decides */
  of: string | null
  /** the domain whose mail it captures */
  mailboxDomain: string
}

/**
 * A workspace for tests, with play credits. A member of the live workspace who creates it becomes its owner and signs in
 * with emailed links, without the password and second factors of the other membership.
 */
export const createTestWorkspace = (db: Database, input: NewTestWorkspace, createdBy: string | null = null) =>
  db.transaction(async tx => (await createIn(tx, input, createdBy)).workspace)

async function createIn(tx: Transaction, input: NewTestWorkspace, createdBy: string | null) {
  const workspace = await addTestWorkspace(tx, input)
  await grantPlayCredits(tx, workspace.id)
  const { of } = input
  const person = of !== null && createdBy !== null ? await tx.one(memberToCopy(of, createdBy)) : undefined
  if (person) {
    const { email, first_name: firstName, last_name: lastName } = person
    const owner = { workspace: workspace.id, email, role: 'owner', jobAccess: 'all' } as const
    await addUser(tx, { ...owner, firstName, lastName, passwordHash: null })
  }
  await tx.query(addToLog(workspace.id, 'created_for_tests', null, { of }))
  if (of !== null) await tx.query(addToLog(of, 'test_workspace_created', createdBy, { workspace: workspace.id }))
  return { workspace, ownerEmail: person?.email }
}

/** The same for someone who has a key of the live workspace. The new key has every scope of the member to whom it belongs. */
export const createTestWorkspaceWithKey = (
  db: Database,
  input: NewTestWorkspace & { of: string },
  createdBy: string | null,
): Promise<IssuedKey> =>
  db.transaction(async tx => {
    const { workspace, ownerEmail } = await createIn(tx, input, createdBy)
    if (ownerEmail === undefined)
      throw new UserError('the key belongs to no member, so the test workspace would have no owner')
    return createKeyIn(tx, { workspace: workspace.id, userEmail: ownerEmail, scopes: 'all' })
  })

/** Schedules the deletion of test workspaces that neither a key nor a person used for long. Returns how many. */
export async function deleteUnused(db: Database, graceDays: number): Promise<number> {
  const unused = await db.query(unusedWorkspaces(UNUSED_DAYS))
  for (const { id } of unused) await scheduleDeletion(db, id, { userId: null, graceDays })
  return unused.length
}
