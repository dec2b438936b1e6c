import { MANAGER_ROLES } from '../contract/roles.ts'
import { closed } from '../kernel/http/closed.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import { Type } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import { SECURITY_HEADERS } from '../pages/send.ts'
import { fields } from '../programs/fields.ts'
import {
  DEFAULT_FEEDBACK_HOURS,
  endCalendar,
  FEEDBACK_HOURS,
  findCalendar,
  putInterviewSettings,
  readHours,
  renewCalendarSecret,
  selectCalendarAddress,
  selectInterviewSettings,
  setHours,
  writeMemberCalendar,
} from '../resources/interviews/index.ts'
import { get, post } from './program.ts'

const MINUTES_OF_DAY = 1_440
const minute = Type.Integer({ minimum: 0, maximum: MINUTES_OF_DAY })
const day = Type.Array(Type.Array(minute, { minItems: 2, maxItems: 2 }), { maxItems: 6 })

const HOURS = fields('time_zone', 'hours')
const SETTINGS = fields('feedback_hours', 'full_names_in_calendars')

const addressOf = (publicUrl: string, secret: string): string => `${publicUrl}/hiring/calendar/${secret}.ics`

/** When a member can be planned for, and the address at which calendar programs read their interviews. */
export const memberCalendarEndpoints = [
  get({
    path: '/member-hours',
    limited: 'open',
    returns: { ...HOURS, calendar_since: true },
    handler: async ({ db, session: { workspaceId, userId } }) => {
      const [hours, calendar] = await Promise.all([
        readHours(db, workspaceId, userId),
        db.one(selectCalendarAddress(workspaceId, userId)),
      ])
      /** since when there is an address; it is not shown again */
      return { ...hours, calendar_since: calendar?.created_at ?? null }
    },
  }),
  post({
    path: '/member-hours',
    limited: 'open',
    body: Type.Object(
      { time_zone: Type.String({ maxLength: 64 }), hours: Type.Array(day, { minItems: 7, maxItems: 7 }) },
      closed,
    ),
    returns: HOURS,
    handler: ({ db, session: { workspaceId, userId }, body: { time_zone, hours } }) =>
      setHours(db, workspaceId, userId, {
        time_zone,
        hours: hours.map(times => times.map(([from = 0, to = 0]) => [from, to] as const)),
      }),
  }),
  // replaces the address before; the response alone has it
  post({
    path: '/calendar-address',
    limited: 'open',
    returns: fields('url'),
    handler: async ({ db, services, session: { workspaceId, userId } }) => ({
      url: addressOf(services.publicUrl, await renewCalendarSecret(db, workspaceId, userId)),
    }),
  }),
  post({
    path: '/calendar-address/end',
    limited: 'open',
    handler: async ({ db, session: { workspaceId, userId } }) => {
      await endCalendar(db, workspaceId, userId)
      return {}
    },
  }),
  get({
    path: '/interview-settings',
    limited: 'closed',
    roles: MANAGER_ROLES,
    returns: SETTINGS,
    handler: async ({ db, session }) =>
      (await db.one(selectInterviewSettings(session.workspaceId))) ?? {
        feedback_hours: DEFAULT_FEEDBACK_HOURS,
        full_names_in_calendars: false,
      },
  }),
  post({
    path: '/interview-settings',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: Type.Object(
      {
        feedback_hours: Type.Integer({ minimum: FEEDBACK_HOURS.min, maximum: FEEDBACK_HOURS.max }),
        full_names_in_calendars: Type.Boolean(),
      },
      closed,
    ),
    returns: SETTINGS,
    handler: ({ db, session: { workspaceId }, body }) => db.only(putInterviewSettings(workspaceId, body)),
  }),
]

/** Programs that read the file show changes late enough: a few minutes more do not matter. */
const CALENDAR_SECONDS = 300

/**
 * The calendar of a member. Its address is the whole right to it: calendar programs cannot sign in. It is never shown again
 * and can be replaced.
 */
export function memberCalendarRoutes(services: Services): RawRoute[] {
  const { db, keyring, config } = services
  const handler: RawRoute['handler'] = async ({ request, response, params }) => {
    const secret = /^([\w-]{32})\.ics$/.exec(params['file'] ?? '')?.[1]
    const found = secret === undefined ? undefined : await findCalendar(db, secret)
    if (!found) {
      response.writeHead(404, { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' })
      response.end('There is no such calendar.\n')
      return
    }
    // the address is known when the server listens
    const installation = { publicUrl: services.publicUrl, sender: config.MAIL_FROM }
    const text = await writeMemberCalendar({ db, keyring }, found.workspace_id, found.user_id, installation)
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': `private, max-age=${CALENDAR_SECONDS}`,
      'X-Robots-Tag': 'noindex',
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
  return [{ methods: ['GET', 'HEAD'], path: '/hiring/calendar/{file}', handler }]
}
