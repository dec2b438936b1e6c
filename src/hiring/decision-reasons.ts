import { API_LIMITS } from '../contract/limits.ts'
import { MANAGER_ROLES } from '../contract/roles.ts'
import { fail } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { Type } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import { fields } from '../programs/fields.ts'
import { readReasonList, reasonsBody, selectHabit, setReasons } from '../resources/decision-reasons/index.ts'
import type { OnApplication } from '../resources/hiring-team/index.ts'
import { applicationsAhead } from '../resources/interviews/index.ts'
import { selectMessageTemplates } from '../resources/message-templates/index.ts'
import { countWritable, readMessageFacts } from '../resources/messages/index.ts'
import { withAdverseResult } from '../resources/orders/index.ts'
import { hasScope } from './decisions.ts'
import { get, post } from './program.ts'
import type { HiringSession } from './reach.ts'

const handle = Type.String({ maxLength: 100 })

const LIST = {
  ...fields('language', 'version'),
  reasons: fields('id', 'side', 'names', 'position', 'template_id', 'archived'),
}

export const decisionReasonEndpoints = [
  get({
    path: '/decision-reasons',
    limited: 'open',
    scope: 'applications:write',
    returns: LIST,
    handler: ({ db, session }) => readReasonList(db, session.workspaceId),
  }),
  post({
    path: '/decision-reasons',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: reasonsBody,
    returns: LIST,
    handler: ({ db, session, body }) => db.transaction(tx => setReasons(tx, session.workspaceId, body)),
  }),
  // a read in the form of a POST, for as many candidates as are rejected together: all that the dialog shows
  post({
    path: '/applications/rejection-facts',
    limited: 'record',
    jobRight: 'decide',
    scope: 'applications:write',
    body: Type.Object(
      { job_id: handle, application_ids: Type.Array(handle, { minItems: 1, maxItems: 1_000 }) },
      closed,
    ),
    returns: {
      ...fields('with_message', 'adverse', 'with_interviews'),
      mail: {
        templates: fields('id', 'name', 'subject', 'body'),
        counts: fields('sends', 'stopped', 'no_address', 'unsubscribed'),
        values: fields('first_name', 'job_title', 'company'),
        ...fields('blocked', 'remaining_today'),
      },
    },
    handler: async ({ db, services, session, body }) => {
      const { workspaceId: workspace, userId } = session
      const [applicationId = ''] = body.application_ids
      const habit = await db.one(selectHabit(workspace, userId, body.job_id))
      if (!habit) return undefined
      const [adverse, ahead] = await Promise.all([
        hasScope(session, 'orders:results:read') ? db.query(withAdverseResult(workspace, body.application_ids)) : [],
        db.query(applicationsAhead(workspace, body.application_ids)),
      ])
      return {
        /** null: the person has not rejected anyone in this job yet */
        with_message: habit.with_message,
        adverse: adverse.map(({ application_id }) => application_id),
        /** those with an interview ahead */
        with_interviews: ahead.map(({ application_id }) => application_id),
        /** null: the role sends no messages */
        mail: hasScope(session, 'messages:send')
          ? await readRejectionMail(services, { workspace, applicationId, userId }, session, body.application_ids)
          : null,
      }
    },
  }),
]

/** Templates for rejections alone, who gets the message, and the values of the first for the preview. */
async function readRejectionMail(
  services: Services,
  on: OnApplication,
  session: HiringSession,
  applications: readonly string[],
) {
  const { db } = services
  const [all, counts, facts] = await Promise.all([
    db.query(selectMessageTemplates(on.workspace)),
    db.only(countWritable(on.workspace, applications)),
    readMessageFacts(services, on),
  ])
  const { first_name, job_title, company, blocked, used_today } = facts ?? fail('not_found')
  const isShown = blocked !== 'stopped' && hasScope(session, 'applicants:read')
  return {
    templates: all.filter(({ purpose }) => purpose === 'rejection'),
    counts,
    values: { first_name: isShown ? (first_name ?? '') : '', job_title, company },
    /** why the first, or only one, cannot be written to */
    blocked,
    remaining_today: Math.max(0, API_LIMITS.messagesPerDay - used_today),
  }
}
