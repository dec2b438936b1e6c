import { API_LIMITS } from '../../contract/limits.ts'
import { vendorAlone } from '../../kernel/access/vendor.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type InputFault, refuseIfAny } from '../../kernel/http/faults.ts'
import { bodyInstant, bodyTime } from '../../kernel/http/formats.ts'
import { integerParam, parseInstant } from '../../kernel/http/params.ts'
import { type Route, readLog, writeOne } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { acknowledgementShape, logFields, suppressionShape } from './shape.ts'
import { concerns, lastSuppression, putAcknowledgement, suppressionLog } from './store.ts'

const group = 'Events'

/** A partner's clock may be ahead of ours by as much as a signature's may. */
const CLOCK_TOLERANCE_MS = API_LIMITS.webhookSignatureToleranceSeconds * 1_000

function deletionFaults(body: unknown, now: number): InputFault[] {
  const { deleted_at } = (body ?? {}) as { deleted_at?: unknown }
  const deletedAt = typeof deleted_at === 'string' ? parseInstant(deleted_at) : undefined
  const past = deletedAt === undefined || Date.parse(deletedAt) <= now + CLOCK_TOLERANCE_MS
  return past ? [] : [{ param: 'deleted_at', message: 'must not be in the future' }]
}

export const suppressionRoutes: readonly Route[] = [
  readLog({
    path: '/suppressions',
    operationId: 'listSuppressions',
    limited: 'keys',
    summary: 'List erasure notices',
    description:
      'Notices about people whose data must no longer be processed, oldest first. Unlike events, they never expire. A key that has only the scopes of vendors besides `events:read` gets the notices that name its orders, with these alone.',
    group,
    scope: 'events:read',
    query: {
      after: integerParam('Only entries after this sequence.', 0, Number.MAX_SAFE_INTEGER),
      limit: integerParam('Rows per page.', 1, API_LIMITS.maxPageSize, API_LIMITS.defaultPageSize),
    },
    shape: suppressionShape,
    envelopeFields: logFields,
    handler: async ({ db, workspace, query, caller }) => {
      const vendor = vendorAlone(caller)
      const limit = query.limit ?? API_LIMITS.defaultPageSize
      const after = query.after ?? 0
      const rows = await db.query(suppressionLog(workspace, after, limit + 1, vendor))
      const shown = rows.slice(0, limit)
      // where nothing follows: the end of the log, also for a number that is beyond it
      const next_after = shown.at(-1)?.sequence ?? (await db.only(lastSuppression(workspace, vendor))).sequence
      return { rows: shown, hasMore: rows.length > limit, envelopeFields: { next_after } }
    },
  }),
  writeOne({
    path: '/suppressions/{suppression_id}/acknowledge',
    operationId: 'acknowledgeSuppression',
    limited: 'keys',
    tool: {
      effect: 'overwrites',
      note: 'A statement to the workspace with legal weight: call it only when your user confirmed the deletion.',
    },
    summary: 'Confirm that you deleted your copies',
    description:
      'The notice names the records. A repeated call replaces the time. The only write without a write scope: every key that reads notices can confirm them.',
    group,
    scope: 'events:read',
    params: { suppression_id: 'uuid' },
    shape: acknowledgementShape,
    body: Type.Object({ deleted_at: describeInput(bodyTime(), 'When you deleted your copies.') }, closed),
    furtherFaults: async ({ body, now }) => deletionFaults(body, now),
    handler: async ({ tx, workspace, caller, params, body, now }) => {
      refuseIfAny(deletionFaults(body, now))
      if (!(await tx.one(concerns(workspace, params.suppression_id, vendorAlone(caller))))) return undefined
      return tx.one(putAcknowledgement(workspace, params.suppression_id, caller.keyId, bodyInstant(body.deleted_at)))
    },
  }),
]
