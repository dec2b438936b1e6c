import type { JobRight } from '../contract/job-rights.ts'
import { isManager } from '../contract/roles.ts'
import { rightsOn } from '../kernel/access/reach.ts'
import { oneOfParam } from '../kernel/http/params.ts'
import { fields } from '../programs/fields.ts'
import { type ActivityFacts, type ActivityKind, activityPage, membersNamed } from '../resources/hiring-team/index.ts'
import { openText } from '../resources/messages/index.ts'
import { readUnlessStopped } from '../resources/suppressions/index.ts'
import { withAuthors } from './authors.ts'
import { hasScope, onApplication } from './decisions.ts'
import { noteReader } from './notes.ts'
import { list } from './program.ts'
import { type HiringSession, limitedTo } from './reach.ts'

/** What the page can be asked for; `all` leaves out who looked at what. */
const FILTERS = {
  all: ['step', 'note', 'message', 'scorecard', 'interview', 'file', 'order', 'data'],
  notes: ['note'],
  messages: ['message'],
  decisions: ['step'],
  feedback: ['scorecard', 'interview'],
  reads: ['read', 'data'],
} as const satisfies Record<string, readonly ActivityKind[]>

const mayRead: Readonly<Record<ActivityKind, (session: HiringSession, rights: ReadonlySet<JobRight>) => boolean>> = {
  step: (_session, rights) => rights.has('discuss'),
  // the statement leaves out those that the role does not read
  note: session => hasScope(session, 'notes:write'),
  message: (session, rights) => rights.has('messages') && hasScope(session, 'messages:send'),
  scorecard: (session, rights) => rights.has('feedback') && hasScope(session, 'scorecards:write'),
  interview: (session, rights) => rights.has('feedback') && hasScope(session, 'scorecards:write'),
  file: (session, rights) => rights.has('browse') && hasScope(session, 'resume:read'),
  order: (session, rights) => rights.has('discuss') && hasScope(session, 'orders:read'),
  read: session => isManager(session),
  data: (_session, rights) => rights.has('discuss') && rights.has('messages'),
}

const sealed = (text: string | null | undefined) => (text ? Buffer.from(text, 'base64') : null)

export const activityEndpoints = [
  list({
    path: '/applications/{application}/activity',
    limited: 'record',
    jobRight: 'see',
    scope: 'applications:read',
    query: { show: oneOfParam('Which kinds of lines.', Object.keys(FILTERS) as (keyof typeof FILTERS)[]) },
    order: { by: 'at', tiebreaker: 'id', direction: 'desc', tiebreakerType: 'text', table: 'x' },
    handler: async ({ services, db, session, params, query, page }) => {
      const { workspace, applicationId, userId } = onApplication(session, params)
      const reader = { workspace, userId, person: session }
      const rights = (await rightsOn(db, reader, [applicationId])).get(applicationId)
      if (!rights) return undefined
      const isStopped = await readUnlessStopped(
        { db, workspace },
        'application',
        applicationId,
        async () => false,
        true,
      )
      // what was decided is all that is shown about a stopped person
      const asked: readonly ActivityKind[] = FILTERS[query.show ?? 'all']
      const kinds = asked.filter(kind => mayRead[kind](session, rights) && (!isStopped || kind === 'step'))
      const rows = await db.query(
        activityPage(
          { workspace, applicationId },
          new Set(kinds),
          { ...noteReader(session, rights), ofPerson: limitedTo(session) === undefined },
          page,
        ),
      )
      const mentioned = await membersNamed(
        db,
        workspace,
        rows.flatMap(({ facts }) => facts.mentions ?? []),
      )
      const authored = await withAuthors(db, session, rows)
      return authored.map(({ id, at, kind, own, by, key_id, facts }) => {
        const { subject_sealed, body_sealed, mentions = [], ...shown } = facts
        const texts = {
          subject_sealed: sealed(subject_sealed),
          body_sealed: sealed(body_sealed),
        }
        const line: Omit<ActivityFacts, 'mentions'> & { subject?: string | null } =
          kind === 'message' ? { ...shown, ...openText(services.keyring, { workspace, id }, texts) } : shown
        const isCandidate = key_id?.startsWith('apl_') ?? false
        return {
          id,
          at,
          kind,
          own,
          by: isCandidate ? { kind: 'candidate' as const, name: null } : by,
          ...line,
          mentions: [...mentioned.values()].filter(member => mentions.includes(member.id)),
        }
      })
    },
    returns: {
      ...fields('id', 'at', 'kind', 'own', 'from_stage', 'to_stage', 'from_status', 'to_status', 'reason', 'is_first'),
      ...fields(
        'body',
        'visibility',
        'edited',
        'editable',
        'subject',
        'direction',
        'status',
        'failure',
        'scheduled_for',
        'name',
      ),
      by: fields('kind', 'name'),
      mentions: fields('id', 'name'),
    },
  }),
]
