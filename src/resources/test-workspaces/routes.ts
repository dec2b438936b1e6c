import { EVENT_TYPES } from '../../contract/events.ts'
import { SEEDS } from '../../contract/seeds.ts'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../../kernel/http/formats.ts'
import type { Order } from '../../kernel/http/list.ts'
import { textParam } from '../../kernel/http/params.ts'
import { type Route, readOne, readPage, runTask } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { accountKey } from '../../kernel/text/person-keys.ts'
import { advanceClock, readClock } from './clock-actions.ts'
import { clockFaults, linksIn, MAX_AHEAD_SECONDS } from './rules.ts'
import { type Activity, resetWorkspace, seedWorkspace, simulateEvent } from './seed-actions.ts'
import { testClockShape, testEventShape, testMailShape, testResetShape, testSeedShape } from './shape.ts'
import { type CapturedMail, capturedMails } from './store.ts'

const group = 'Test workspaces'

export const NEWEST_MAIL: Order = {
  by: 'sent_at',
  tiebreaker: 'id',
  tiebreakerType: 'text',
  direction: 'desc',
  isFixed: true,
}

const toRow = ({ to_name: _, html: __, ...mail }: CapturedMail) => ({ ...mail, links: linksIn(mail.text) })

const LEFT_OUT = { leftOut: 'sets up a test, which is the work of a developer' } as const

const seedField = describeInput(
  Type.Optional(Type.Enum([...SEEDS])),
  'What to fill the workspace with: nothing (`none`), some jobs, applications, profiles and a list (`small`), or these and packages of a vendor that the service plays (`checks`).',
)

export const testWorkspaceRoutes = (activity: Activity): readonly Route[] => [
  runTask({
    path: '/test/reset',
    operationId: 'resetTestWorkspace',
    limited: 'keys',
    tool: LEFT_OUT,
    summary: 'Reset a test workspace',
    description:
      'Deletes every record without an event for each, and begins another `epoch` of the change feed, so that readers make a full copy. Members, keys, webhook endpoints and settings stay, and sequence numbers go on. A second reset waits for the first.',
    group,
    scope: 'test:manage',
    tier: 'expensive',
    errors: ['test_workspace_required'],
    shape: testResetShape,
    body: Type.Object({ seed: seedField }, closed),
    bodyOptional: true,
    handler: ({ services, workspace, body }) => resetWorkspace(services, activity, workspace, body?.seed ?? 'none'),
  }),
  runTask({
    path: '/test/seed',
    operationId: 'seedTestWorkspace',
    limited: 'keys',
    tool: LEFT_OUT,
    summary: 'Fill a test workspace',
    description: 'Adds records to those that are there, with their events. A repeat adds them again.',
    group,
    scope: 'test:manage',
    tier: 'expensive',
    errors: ['test_workspace_required'],
    shape: testSeedShape,
    body: Type.Object({ seed: seedField }, closed),
    bodyOptional: true,
    handler: ({ services, workspace, body }) => seedWorkspace(services, activity, workspace, body?.seed ?? 'small'),
  }),
  runTask({
    path: '/test/simulate',
    operationId: 'simulateTestEvent',
    limited: 'keys',
    tool: LEFT_OUT,
    summary: 'Cause an event in a test workspace',
    description:
      'Performs an operation of the product that an event of this type reports, as `hiring trigger` does, and returns the event. Webhook endpoints receive it. The pool is shared with live workspaces: its events cannot be caused.',
    group,
    scope: 'test:manage',
    tier: 'expensive',
    errors: ['test_workspace_required'],
    shape: testEventShape,
    body: Type.Object({ event_type: Type.Enum([...EVENT_TYPES]) }, closed),
    handler: ({ services, workspace, body }) => simulateEvent(services, activity, workspace, body.event_type),
  }),
  readOne({
    path: '/test/clock',
    operationId: 'getTestClock',
    limited: 'keys',
    summary: 'Get the clock of a test workspace',
    description: 'After an advance, read it until its `status` is `ready`.',
    group,
    scope: 'test:manage',
    errors: ['test_workspace_required'],
    shape: testClockShape,
    handler: ({ db, workspace }) => readClock(db, workspace),
  }),
  runTask({
    path: '/test/clock/advance',
    operationId: 'advanceTestClock',
    limited: 'keys',
    tool: LEFT_OUT,
    summary: 'Advance the clock of a test workspace',
    description:
      'Forward only, to a time or by seconds, and at most 400 days ahead of real time. What falls due until then is done in the background, in order of time and with its events: reminders and ends of orders, access to résumés, the closing of jobs, retention. Nothing else follows the clock: keys, cursors, rate limits, signatures and `updated_at` stay on real time. A reset sets it back to real time.',
    group,
    scope: 'test:manage',
    tier: 'general',
    errors: ['test_workspace_required'],
    shape: testClockShape,
    body: withRules(
      Type.Object(
        {
          to: describeInput(
            Type.Optional(bodyTime()),
            'The time that the clock advances to. Either this or `by_seconds`.',
          ),
          by_seconds: describeInput(
            Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_AHEAD_SECONDS })),
            'By how much it advances, from the time that it has or advances to already.',
          ),
        },
        { ...closed, examples: [{ by_seconds: 1_296_000 }] },
      ),
      clockFaults,
    ),
    handler: ({ services: { db }, workspace, body }) =>
      advanceClock(db, workspace, { ...body, to: body.to === undefined ? undefined : bodyInstant(body.to) }),
  }),
  readPage({
    path: '/test/mailbox',
    operationId: 'listTestMails',
    limited: 'keys',
    summary: 'List the emails of a test workspace',
    description:
      'Emails to candidates and members, newest first. None of them was sent. Sign-in links and invitations of members are sent, and are not in the mailbox.',
    group,
    scope: 'test:manage',
    query: { to: textParam('Only emails to this address.', 254) },
    errors: ['test_workspace_required'],
    shape: testMailShape,
    order: NEWEST_MAIL,
    handler: async ({ db, workspace, query, page }) =>
      (await db.query(capturedMails(workspace, query.to === undefined ? undefined : accountKey(query.to), page))).map(
        toRow,
      ),
  }),
]
