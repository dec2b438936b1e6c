import { API_LIMITS } from '../contract/limits.ts'
import { revealCreditsOf } from '../contract/plans.ts'
import { MANAGER_ROLES } from '../contract/roles.ts'
import { integerParam } from '../kernel/http/params.ts'
import { fields } from '../programs/fields.ts'
import { selectBalance, selectCreditEntries } from '../resources/credits/index.ts'
import { buyResume } from '../resources/resumes/index.ts'
import { selectUsers } from '../resources/users/index.ts'
import { userName } from '../resources/users/shape.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { get, post } from './program.ts'

const PAGE = 100

/** Balance and ledger are for owners and admins. Everyone who may read résumés may pay for one, without seeing the balance. */
export const creditEndpoints = [
  get({
    path: '/credits',
    limited: 'closed',
    roles: MANAGER_ROLES,
    returns: fields('balance', 'resume_unlock_price', 'contact_reveal_price'),
    handler: async ({ db, session: { workspaceId } }) => {
      const [row, workspace] = await Promise.all([
        db.one(selectBalance(workspaceId)),
        db.only(allWorkspaces(workspaceId)),
      ])
      return {
        balance: row?.balance ?? 0,
        resume_unlock_price: API_LIMITS.resumeUnlockCredits,
        contact_reveal_price: revealCreditsOf(workspace.plan),
      }
    },
  }),
  get({
    path: '/credits/entries',
    limited: 'closed',
    roles: MANAGER_ROLES,
    query: { before: integerParam('Only entries with a lower number.', 1, Number.MAX_SAFE_INTEGER) },
    returns: {
      next_before: true,
      data: {
        ...fields('sequence', 'kind', 'amount', 'balance', 'subject_id', 'note', 'created_at'),
        by: fields('id', 'name'),
      },
    },
    handler: async ({ db, session: { workspaceId }, query }) => {
      const [entries, users] = await Promise.all([
        db.query(selectCreditEntries(workspaceId, PAGE + 1, query.before)),
        db.query(selectUsers(workspaceId)),
      ])
      const names = new Map(users.map(user => [user.id, userName(user)]))
      const data = entries.slice(0, PAGE).map(({ user_id, ...entry }) => ({
        ...entry,
        // someone who left the workspace is known by their handle
        by: user_id === null ? null : { id: user_id, name: names.get(user_id) || user_id },
      }))
      return { data, next_before: (entries[PAGE] && data.at(-1)?.sequence) ?? null }
    },
  }),
  post({
    path: '/applications/{id}/unlock-resume',
    // spends credits of the whole workspace
    limited: 'closed',
    scope: 'resume:read',
    handler: async ({ db, session: { workspaceId, userId }, params }) => {
      await db.transaction(tx => buyResume(tx, workspaceId, params.id, userId))
      return {}
    },
  }),
]
