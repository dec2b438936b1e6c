import type { Queryable } from '../kernel/db/database.ts'
import { invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { isUuid } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import {
  type ErasureRow,
  type ErasureTarget,
  erasureSeenBy,
  erasuresSeenBy,
  previewErasure,
  requestErasure,
} from '../resources/erasures/index.ts'
import { selectAcknowledgements, suppressionById, unconfirmedKeys } from '../resources/suppressions/index.ts'
import { REASONS } from '../resources/suppressions/shape.ts'
import { memberNames } from './members.ts'
import { type Call, get, list, post } from './program.ts'

const OWNERS = {
  roles: ['owner'],
  refusal: 'Only owners can request an erasure, because it cannot be undone.',
} as const

const PERSON = {
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  linkedin_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
}

/**
 * A request cannot be undone, so owners alone make one. It reaches this workspace, or with ERASURE_REACH=installation all
 * of them. What other workspaces hold of a person is theirs: no response depends on it, neither by a value nor by a figure.
 */
export const erasureEndpoints = [
  list({
    path: '/erasures',
    order: { by: 'requested_at', tiebreaker: 'suppression_id', tiebreakerType: 'uuid', direction: 'desc', table: 'x' },
    handler: async ({ db, session: { workspaceId }, page }) => {
      const [rows, names] = await Promise.all([
        db.query(erasuresSeenBy(workspaceId, page)),
        memberNames(db, workspaceId),
      ])
      const unconfirmed = await unconfirmedOf(db, workspaceId, rows)
      return rows.map(row => toResponse(row, workspaceId, names, unconfirmed(row)))
    },
  }),
  get({
    path: '/erasures/{id}',
    handler: async ({ db, session, params, now }) => {
      const id = params.id
      const { workspaceId } = session
      const row = isUuid(id) ? await db.one(erasureSeenBy(workspaceId, id)) : undefined
      if (!row) return undefined
      const [names, entry, confirmed, unconfirmed] = await Promise.all([
        memberNames(db, workspaceId),
        db.one(suppressionById(workspaceId, id)),
        db.query(selectAcknowledgements(workspaceId, id)),
        unconfirmedOf(db, workspaceId, [row]),
      ])
      const waiting = unconfirmed(row)
      return {
        ...toResponse(row, workspaceId, names, waiting),
        /** handles that this workspace had */
        subjects: entry?.subjects ?? [],
        identifiers: entry?.identifiers ?? [],
        /** only keys of this workspace are listed */
        confirmations: confirmed.map(a => ({
          key: { id: a.key_id, name: a.key_name ?? a.key_id },
          deleted_at: a.deleted_at,
          acknowledged_at: a.acknowledged_at,
        })),
        /** keys of this workspace that may have copies and have not confirmed */
        waiting: waiting.map(({ id, name }) => ({ id, name })),
        /** some of them have not, although the time is over */
        overdue: waiting.length > 0 && Date.parse(row.delete_by) < now,
      }
    },
  }),
  post({
    path: '/erasures/preview',
    ...OWNERS,
    body: Type.Object(PERSON, closed),
    handler: async ({ db, session, services, body }) => {
      const preview = await previewErasure(db, {
        email: body.email,
        linkedinUrl: body.linkedin_url,
        reach: reachOf(services, session),
      })
      return { held_here: countByKind(preview.targets.filter(target => target.workspace === session.workspaceId)) }
    },
  }),
  post({
    path: '/erasures',
    ...OWNERS,
    sensitive: true,
    body: Type.Object(
      {
        ...PERSON,
        reason: Type.Union(REASONS.map(reason => Type.Literal(reason))),
        confirmation: Type.String({ maxLength: 2_000 }),
      },
      closed,
    ),
    handler: async ({ db, session, services, body }) => {
      const typed = body.confirmation.trim().toLowerCase()
      // typed twice the same, so that a typing mistake does not erase the wrong person
      if (typed !== (body.email ?? body.linkedin_url ?? '').trim().toLowerCase()) {
        invalid('confirmation', 'must repeat the email address or URL above')
      }
      const { suppressionId, isNew } = await requestErasure(db, {
        email: body.email,
        linkedinUrl: body.linkedin_url,
        reason: body.reason,
        requestedBy: session.userId,
        askedIn: session.workspaceId,
        reach: reachOf(services, session),
      })
      return { id: suppressionId, is_new: isNew }
    },
  }),
]

/** An erasure that a test workspace asks for stays in it. */
export const reachOf = (
  { config }: Pick<Call['services'], 'config'>,
  { workspaceId, environment }: Pick<Call['session'], 'workspaceId' | 'environment'>,
) => (config.ERASURE_REACH === 'installation' && environment === 'live' ? 'installation' : workspaceId)

export const countByKind = (targets: readonly ErasureTarget[]) =>
  [...Map.groupBy(targets, target => target.object)].map(([object, all]) => ({ object, count: all.length }))

/** By erasure, the keys of the workspace that may have copies of the person and have not confirmed that they deleted them. */
async function unconfirmedOf(
  db: Queryable,
  workspace: string,
  rows: readonly ErasureRow[],
): Promise<(row: ErasureRow) => NamedKey[]> {
  const ids = rows.map(row => row.suppression_id)
  const found = Map.groupBy(await unconfirmedKeys(db, workspace, ids), key => key.suppression_id)
  return row => found.get(row.suppression_id) ?? []
}

interface NamedKey {
  id: string
  name: string
}

/** Who asked or decided, as this workspace is shown it. `here`: it was done in this workspace. */
export const actorName = (by: string | null, names: ReadonlyMap<string, string>, here: boolean): string | null =>
  by === null || by === 'command_line' || by === 'candidate'
    ? by
    : (names.get(by) ?? (here ? 'former_member' : 'another_workspace'))

/** Handles and figures of this workspace; of the person nothing. */
function toResponse(
  row: ErasureRow,
  workspace: string,
  names: ReadonlyMap<string, string>,
  unconfirmed: readonly NamedKey[],
) {
  const here = row.reach === workspace || row.asked_in === workspace
  return {
    id: row.suppression_id,
    status: row.status,
    reason: row.reason,
    /** the name of a member, `former_member`, `command_line`, `candidate`, `another_workspace`; null: not asked for through a request */
    requested_by: actorName(row.requested_by, names, here),
    /** another workspace asked, and `requested_by` approved */
    approved: row.approved,
    requested_at: row.requested_at,
    delete_by: row.delete_by,
    completed_at: row.completed_at,
    /** records are still being erased */
    running: row.id !== null && row.completed_at === null,
    progress: {
      found: row.records.reduce((sum, r) => sum + r.found, 0),
      done: row.records.reduce((sum, r) => sum + r.done, 0),
    },
    // besides records, the work on the workspace itself is noted as a target
    records: row.records.filter(({ object }) => object !== 'workspace'),
    /** by keys of this workspace */
    acknowledgements: row.acknowledgements,
    unconfirmed: unconfirmed.length,
  }
}
