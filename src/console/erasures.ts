import { Type } from 'typebox'
import { invalid } from '../kernel/failure.ts'
import { isUuid } from '../kernel/http/params.ts'
import { previewErasure, requestErasure } from '../resources/erasures/actions.ts'
import { type ErasureRow, erasureById, erasureSeenBy, erasuresSeenBy } from '../resources/erasures/store.ts'
import { listKeys } from '../resources/keys/actions.ts'
import type { KeyRow } from '../resources/keys/store.ts'
import { REASONS } from '../resources/suppressions/shape.ts'
import { acknowledgementsOf, entryOf } from '../resources/suppressions/store.ts'
import type { ErasureAnswer, ErasureDetailAnswer, ErasurePreviewAnswer } from './answers.ts'
import { type ConsoleCall, Denied, type Endpoint, get, post } from './endpoint.ts'
import { memberNames } from './members.ts'

const closed = { additionalProperties: false }
const PERSON = {
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  linkedin_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
}

/**
 * A request reaches every workspace of the installation, so owners alone make one. What other workspaces hold of a
 * person is theirs: of them only figures are shown, and before the request not even these, since asking costs nothing.
 */
export const erasureEndpoints: readonly Endpoint[] = [
  get({
    path: '/erasures',
    order: { by: 'requested_at', tie: 'suppression_id', tieType: 'uuid', direction: 'desc', table: 'x' },
    handler: async ({ db, session, page }) => {
      const [rows, names] = await Promise.all([
        db.query(erasuresSeenBy(session.workspaceId, page)),
        memberNames(db, session.workspaceId),
      ])
      return rows.map(row => toAnswer(row, names))
    },
  }),
  get({
    path: '/erasures/{id}',
    handler: async ({ db, session, params, now }): Promise<ErasureDetailAnswer | undefined> => {
      const id = params['id']!
      const row = isUuid(id) ? await db.one(erasureSeenBy(session.workspaceId, id)) : undefined
      if (!row) return undefined
      const [names, entry, all, keys] = await Promise.all([
        memberNames(db, session.workspaceId),
        db.one(entryOf(session.workspaceId, id)),
        db.query(acknowledgementsOf(id)),
        listKeys(db, session.workspaceId),
      ])
      const here = all.filter(a => a.workspace_id === session.workspaceId && a.key_id !== null)
      const elsewhere = all.filter(a => a.workspace_id !== session.workspaceId)
      const confirmed = elsewhere.filter(a => a.key_id !== null).map(a => a.workspace_id)
      return {
        ...toAnswer(row, names),
        subjects: entry?.subjects ?? [],
        identifiers: entry?.identifiers ?? [],
        confirmations: here.map(a => ({
          key: { id: a.key_id!, name: a.key_name ?? a.key_id! },
          deleted_at: a.deleted_at!,
          acknowledged_at: a.acknowledged_at!,
        })),
        // whoever reads events here may have copies, and is expected to confirm
        waiting:
          (entry?.subjects ?? []).length === 0
            ? []
            : keys
                .filter(key => mayConfirm(key, now))
                // a key that was made after the person was gone has never seen them
                .filter(key => row.status !== 'erased' || !row.completed_at || key.created_at <= row.completed_at)
                .filter(key => !here.some(a => a.key_id === key.id))
                .map(({ id, name }) => ({ id, name })),
        elsewhere: {
          workspaces: new Set(elsewhere.map(a => a.workspace_id)).size,
          confirmed: new Set(confirmed).size,
        },
      }
    },
  }),
  post({
    path: '/erasures/preview',
    body: Type.Object(PERSON, closed),
    handler: async ({ db, session, body }): Promise<ErasurePreviewAnswer> => {
      requireOwner(session)
      const held = await previewErasure(db, { email: body.email, linkedinUrl: body.linkedin_url })
      const here = held.targets.filter(target => target.workspace === session.workspaceId)
      const kinds = Map.groupBy(here, target => target.object)
      return { held_here: [...kinds].map(([object, all]) => ({ object, count: all.length })) }
    },
  }),
  post({
    path: '/erasures',
    body: Type.Object(
      {
        ...PERSON,
        reason: Type.Union(REASONS.map(reason => Type.Literal(reason))),
        confirmation: Type.String({ maxLength: 2_000 }),
      },
      closed,
    ),
    handler: async ({ db, session, body }): Promise<{ id: string; is_new: boolean }> => {
      requireOwner(session)
      const typed = body.confirmation.trim().toLowerCase()
      // typed twice the same: nobody erases the wrong person by a slip
      if (typed !== (body.email ?? body.linkedin_url ?? '').trim().toLowerCase()) {
        invalid('confirmation', 'must repeat the address above')
      }
      const { id, isNew } = await requestErasure(db, {
        email: body.email,
        linkedinUrl: body.linkedin_url,
        reason: body.reason,
        requestedBy: session.userId,
      })
      return { id: (await db.one(erasureById(id)))!.suppression_id, is_new: isNew }
    },
  }),
]

function requireOwner(session: ConsoleCall['session']): void {
  if (session.role === 'owner') return
  throw new Denied(403, 'role_required', 'Only owners ask for an erasure: it reaches every workspace.')
}

const mayConfirm = (key: KeyRow, now: number): boolean =>
  key.revoked_at === null &&
  (key.expires_at === null || Date.parse(key.expires_at) > now) &&
  key.user_id !== null &&
  key.scopes.includes('events:read')

/** Handles and figures; of the person nothing. */
function toAnswer(row: ErasureRow, names: ReadonlyMap<string, string>): ErasureAnswer {
  const { requested_by: by } = row
  // beside records, the work on each workspace is noted as a target of its own
  const records = row.records.filter(({ object }) => object !== 'workspace')
  return {
    id: row.suppression_id,
    status: row.status,
    reason: row.reason,
    requested_by: by === null || by === 'command_line' ? by : (names.get(by) ?? 'another_workspace'),
    requested_at: row.requested_at,
    delete_by: row.delete_by,
    completed_at: row.completed_at,
    running: row.id !== null && row.completed_at === null,
    progress: {
      found: row.records.reduce((sum, r) => sum + r.found, 0),
      done: row.records.reduce((sum, r) => sum + r.done, 0),
    },
    records,
    workspaces: row.workspaces.length,
    acknowledgements: row.acknowledgements,
  }
}
