import { closed } from '../kernel/http/closed.ts'
import { isUuid, oneOfParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import {
  approveRequest,
  declineRequest,
  type ErasureRequestRow,
  targetsOfRequest,
  workspaceRequest,
  workspaceRequests,
} from '../resources/erasures/index.ts'
import { actorName, countByKind } from './erasures.ts'
import { memberNames } from './members.ts'
import { get, list, post } from './program.ts'

const NOTE_CHARACTERS = 2_000

const OWNERS = {
  roles: ['owner'],
  refusal: 'Only owners can see and decide requests from other workspaces.',
} as const

/**
 * What other workspaces asked of this one: they erased a person whom this workspace holds too. Owners decide. Which
 * workspace asked is not shown, nor anything that only it knows: records and hashes are those of this workspace.
 */
export const erasureRequestEndpoints = [
  list({
    path: '/erasure-requests',
    ...OWNERS,
    query: { state: oneOfParam('Only open requests, or only decided ones.', ['open', 'decided']) },
    order: { by: 'requested_at', tiebreaker: 'id', tiebreakerType: 'uuid', direction: 'desc', table: 'r' },
    handler: async ({ db, session, query, page }) => {
      const [rows, names] = await Promise.all([
        db.query(workspaceRequests(session.workspaceId, query.state, page)),
        memberNames(db, session.workspaceId),
      ])
      return rows.map(row => toResponse(row, names))
    },
  }),
  get({
    path: '/erasure-requests/{id}',
    ...OWNERS,
    handler: async ({ db, session, params }) => {
      const id = params.id
      const row = isUuid(id) ? await db.one(workspaceRequest(session.workspaceId, id)) : undefined
      if (!row) return undefined
      const [names, targets] = await Promise.all([memberNames(db, session.workspaceId), targetsOfRequest(db, row)])
      return {
        ...toResponse(row, names),
        /** why it was declined */
        note: row.note,
        /** what this workspace holds of the person now; empty once it is decided */
        held_here: countByKind(targets),
        subjects: targets.map(({ object, id }) => ({ object, id })),
      }
    },
  }),
  post({
    path: '/erasure-requests/{id}/approve',
    ...OWNERS,
    sensitive: true,
    handler: async ({ db, session, params }) => {
      const id = params.id
      if (!isUuid(id)) return undefined
      const begun = await approveRequest(db, { id, workspace: session.workspaceId, decidedBy: session.userId })
      return begun && { erasure_id: begun.suppressionId }
    },
  }),
  post({
    path: '/erasure-requests/{id}/decline',
    ...OWNERS,
    body: Type.Object(
      { note: Type.Optional(Type.Union([Type.String({ maxLength: NOTE_CHARACTERS }), Type.Null()])) },
      closed,
    ),
    handler: async ({ db, session, params, body }) => {
      const id = params.id
      if (!isUuid(id)) return undefined
      const by = { workspace: session.workspaceId, decidedBy: session.userId }
      const row = await declineRequest(db, { id, ...by, note: body.note ?? null })
      return row && toResponse(row, await memberNames(db, session.workspaceId))
    },
  }),
]

const toResponse = (row: ErasureRequestRow, names: ReadonlyMap<string, string>) => ({
  id: row.id,
  reason: row.reason,
  /** `superseded`: an erasure of this workspace or of the operator reached the person first */
  state: row.state,
  requested_at: row.requested_at,
  decided_at: row.decided_at,
  /** as `requested_by` of an erasure */
  decided_by: actorName(row.decided_by, names, row.state !== 'superseded'),
  /** the erasure that the approval led to */
  erasure_id: row.suppression_id,
})
