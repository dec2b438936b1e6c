import { fail, invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { requestIdOf } from '../kernel/http/request-line.ts'
import { isHandle } from '../kernel/ids/handles.ts'
import { Type } from '../kernel/schema/types.ts'
import { zipStream } from '../kernel/text/zip-stream.ts'
import { Download } from '../programs/endpoint.ts'
import { fields } from '../programs/fields.ts'
import { copyForTeam, ownFiles, readCannotSend, sendDataLink, undoDataLink } from '../resources/candidates/index.ts'
import { planErasure, previewErasureOf, readConfirmation, undoErasure } from '../resources/erasures/index.ts'
import type { Reason } from '../resources/suppressions/shape.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { callerFor } from './person.ts'
import { type Call, file, get, post } from './program.ts'
import type { HiringSession } from './reach.ts'

const OWNERS = {
  limited: 'closed',
  roles: ['owner'],
  refusal: 'Only owners can erase a person, stop the processing of their data or download all of it.',
} as const

const SENDERS = {
  limited: 'closed',
  roles: ['owner', 'admin'],
  refusal: 'Only owners and admins can send a person their data.',
} as const

const PLANNED = fields('reason', 'due_at')

/** The applicant of a path. What is not a handle is like one that does not exist. */
function onApplicant(session: HiringSession, { applicant }: Readonly<Record<'applicant', string>>) {
  if (!isHandle('applicant', applicant)) fail('not_found')
  return { workspace: session.workspaceId, applicantId: applicant }
}

/** As in the console: an erasure reaches this workspace, or with ERASURE_REACH=installation all; in a test workspace, itself. */
const reachOf = ({ services, session }: Pick<Call, 'services' | 'session'>) =>
  services.config.ERASURE_REACH === 'installation' && session.environment === 'live'
    ? 'installation'
    : session.workspaceId

async function plan(call: Call<'applicant'>, reason: Reason) {
  const { db, session, params } = call
  const by = session.userId
  const planned = await planErasure(db, { ...onApplicant(session, params), reason, reach: reachOf(call), by })
  return planned && { reason: planned.reason, due_at: planned.due_at }
}

/**
 * What a person can ask for about their data, on the page of the candidate. The actions of erasures are those of the console;
 * here the person is named by the handle of their record, and there are ten seconds to undo it.
 */
export const personalDataEndpoints = [
  get({
    path: '/applicants/{applicant}/erasure',
    ...OWNERS,
    returns: { held_here: fields('object', 'count'), ...fields('confirm', 'has_identifiers', 'asks_others') },
    handler: async call => {
      const { db, session, params } = call
      const who = onApplicant(session, params)
      const reach = reachOf(call)
      const [found, confirmation, files] = await Promise.all([
        previewErasureOf(db, { ...who, reach }),
        readConfirmation(db, who),
        ownFiles(db, who),
      ])
      if (!found || !confirmation) return undefined
      const here = found.targets.filter(({ workspace }) => workspace === session.workspaceId)
      const counts = [...Map.groupBy(here, ({ object }) => object)].map(([object, all]) => ({
        object,
        count: all.length,
      }))
      // résumés are among the records; files are those of the application form
      const given = files.filter(({ kind }) => kind !== 'resume').length
      return {
        held_here: given > 0 ? [...counts, { object: 'file', count: given }] : counts,
        /** what has to be typed */
        confirm: confirmation.word,
        /** without any, the person could be stored again */
        has_identifiers: found.identifiers > 0,
        /** other workspaces that hold the person get a request */
        asks_others: found.identifiers > 0 && reach === session.workspaceId && session.environment === 'live',
      }
    },
  }),
  post({
    path: '/applicants/{applicant}/erase',
    ...OWNERS,
    sensitive: true,
    body: Type.Object(
      {
        confirm: Type.String({ maxLength: 500 }),
        reason: Type.Union([Type.Literal('erasure_request'), Type.Literal('legal_request')]),
      },
      closed,
    ),
    returns: PLANNED,
    handler: async call => {
      const { db, session, params, body } = call
      const confirmation = await readConfirmation(db, onApplicant(session, params))
      if (!confirmation) return undefined
      if (!confirmation.accepts(body.confirm)) invalid('confirm', 'is not the last name of this person')
      return plan(call, body.reason)
    },
  }),
  post({
    path: '/applicants/{applicant}/stop',
    ...OWNERS,
    sensitive: true,
    returns: PLANNED,
    handler: call => plan(call, 'stop_processing'),
  }),
  post({
    path: '/applicants/{applicant}/erase/undo',
    ...OWNERS,
    returns: fields('undone'),
    handler: ({ db, session, params }) => undoErasure(db, onApplicant(session, params)),
  }),
  get({
    path: '/applicants/{applicant}/send-data',
    ...SENDERS,
    returns: fields('cannot'),
    handler: async ({ db, session, params }) => {
      const cannot = await readCannotSend(db, onApplicant(session, params))
      return cannot === undefined ? undefined : { cannot }
    },
  }),
  post({
    path: '/applicants/{applicant}/send-data',
    ...SENDERS,
    returns: fields('due_at'),
    handler: ({ db, session, params }) =>
      db.transaction(tx => sendDataLink(tx, { ...onApplicant(session, params), userId: session.userId })),
  }),
  post({
    path: '/applicants/{applicant}/send-data/undo',
    ...SENDERS,
    returns: fields('undone'),
    handler: async ({ db, session, params }) => {
      const undone = await db.transaction(tx => undoDataLink(tx, onApplicant(session, params)))
      if (undone === false) fail('stale_resource', { message: 'The email has left already.' })
      return undone && { undone }
    },
  }),
  file({
    path: '/applicants/{applicant}/data.zip',
    ...OWNERS,
    tier: 'expensive',
    handler: async ({ services, db, session, params, now, arrived }) => {
      const who = onApplicant(session, params)
      const { caller } = callerFor(db, session, now)
      const { name: company } = await db.only(allWorkspaces(session.workspaceId))
      const requestId = requestIdOf(arrived.response.req)
      const entries = await copyForTeam(services, who, { userId: session.userId, caller, requestId, company })
      return entries && new Download(`data-${who.applicantId}.zip`, 'application/zip', zipStream(entries))
    },
  }),
]
