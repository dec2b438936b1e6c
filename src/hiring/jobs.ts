import { currencyOf } from '../contract/countries.ts'
import { MANAGER_ROLES } from '../contract/roles.ts'
import { ROLE_SCOPES } from '../contract/scopes.ts'
import { closed } from '../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../kernel/http/formats.ts'
import { Type } from '../kernel/schema/types.ts'
import { previewMarkdown } from '../pages/markdown.ts'
import { oneLine } from '../programs/body-rules.ts'
import { fields } from '../programs/fields.ts'
import { readSite } from '../resources/careers/index.ts'
import { copyJob } from '../resources/hiring-team/index.ts'
import {
  createJob,
  deleteJob,
  editJob,
  historyOfJob,
  jobDescription,
  jobExists,
  jobWords,
} from '../resources/jobs/index.ts'
import { findPayCountries } from '../resources/shared/places.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { withAuthors } from './authors.ts'
import { get, list, post } from './program.ts'
import { limitedTo } from './reach.ts'

const BY_TIME = { by: 'at', tiebreaker: 'job_id', direction: 'desc', table: 'h' } as const

/** What an action checks, so that its faults name the fields of a job. */
const anything = Type.Object({}, { additionalProperties: true })

/** Partners send titles of any kind, which pages show safely; those written here are one line. */
const titleOf = (job: unknown) => ({ title: (job as { title?: unknown } | null | undefined)?.title })

/** The API shows the questions only with this scope; so does the history. */
const mayRead = ({ role }: UserSession, field: string) =>
  field !== 'prescreen_questions' || ROLE_SCOPES[role].includes('jobs:screening:read')

/** As long as a description may be, and some more for text that is being shortened. */
const MAX_PREVIEWED = 60_000

const preview = async (workspaceId: string, userId: string, text: string) => ({
  html: (await previewMarkdown(workspaceId, userId, text)).text,
})

/** What the pages of a job need besides the API: editing in the product, history, preview. */
export const jobEndpoints = [
  get({
    path: '/job-words',
    limited: 'filtered',
    scope: 'jobs:read',
    returns: fields('departments', 'teams', 'locations'),
    handler: ({ db, session }) => db.only(jobWords(session.workspaceId, limitedTo(session))),
  }),
  post({
    path: '/job-currency',
    limited: 'open',
    scope: 'jobs:write',
    body: Type.Object({ locations: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 }) }, closed),
    handler: async ({ db, session, body }) => {
      const site = await readSite(db, session.workspaceId)
      const countries = findPayCountries(body.locations, site?.country ?? null)
      const [currency = null, ...others] = new Set(countries.map(currencyOf))
      // null: not certain
      return { currency: others.length > 0 ? null : currency }
    },
  }),
  post({
    path: '/jobs',
    // a new job would have no team
    limited: 'closed',
    scope: 'jobs:write',
    body: oneLine(Type.Object({ job: anything }, closed), body => titleOf(body?.job)),
    handler: async ({ db, session, body }) => {
      const by = { userId: session.userId }
      return { id: await db.transaction(tx => createJob(tx, session.workspaceId, body.job as never, by)) }
    },
  }),
  post({
    path: '/jobs/{id}',
    limited: 'record',
    jobRight: 'setup',
    scope: 'jobs:write',
    body: oneLine(Type.Object({ changes: anything, expected_updated_at: Type.Optional(bodyTime()) }, closed), body =>
      titleOf(body?.changes),
    ),
    handler: async ({ db, session, params, body }) => {
      const expected = body.expected_updated_at
      await db.transaction(tx =>
        editJob(tx, session.workspaceId, params.id, body.changes, {
          by: { userId: session.userId },
          ...(expected === undefined ? {} : { expectedUpdatedAt: bodyInstant(expected) }),
        }),
      )
      return { id: params.id }
    },
  }),
  post({
    path: '/jobs/{id}/duplicate',
    limited: 'closed',
    jobRight: 'setup',
    scope: 'jobs:write',
    body: oneLine(Type.Object({ title: Type.String() }, closed), titleOf),
    handler: async ({ db, session, params, body }) => {
      const by = { userId: session.userId }
      return {
        id: await db.transaction(tx => copyJob(tx, session.workspaceId, params.id, body.title, by)),
      }
    },
  }),
  post({
    path: '/jobs/{id}/delete',
    limited: 'closed',
    roles: MANAGER_ROLES,
    body: Type.Object({ reason: Type.String() }, closed),
    handler: async ({ db, session, params, body }) => {
      const by = { userId: session.userId }
      await db.transaction(tx => deleteJob(tx, session.workspaceId, params.id, body.reason, by))
      return { id: params.id }
    },
  }),
  list({
    path: '/jobs/{id}/history',
    limited: 'record',
    jobRight: 'read_setup',
    scope: 'jobs:read',
    order: BY_TIME,
    returns: {
      ...fields('job_id', 'at', 'action', 'own'),
      by: fields('kind', 'name'),
      fields: fields('name', 'from', 'to', 'renamed'),
    },
    handler: async ({ db, session, params, page }) => {
      const rows = await db.query(historyOfJob(session.workspaceId, params.id, page))
      if (rows.length === 0 && !(await db.one(jobExists(session.workspaceId, params.id)))) return undefined
      return (await withAuthors(db, session, rows)).map(row => ({
        job_id: row.job_id,
        at: row.at,
        action: row.action,
        /** the reader made it */
        own: row.own,
        by: row.by,
        /** by the names of the API; `renamed`: pairs of lines of entries that are still there */
        fields: row.fields.map(name =>
          mayRead(session, name)
            ? {
                name,
                ...(name in row.previous ? { from: row.previous[name] } : {}),
                ...(name in row.next ? { to: row.next[name] } : {}),
                ...(`${name}.renamed` in row.next ? { renamed: row.next[`${name}.renamed`] } : {}),
              }
            : { name },
        ),
      }))
    },
  }),
  get({
    path: '/jobs/{id}/description',
    limited: 'record',
    jobRight: 'see',
    scope: 'jobs:read',
    handler: async ({ db, session, params }) => {
      const job = await db.one(jobDescription(session.workspaceId, params.id))
      return job && preview(session.workspaceId, session.userId, job.description_md ?? '')
    },
  }),
  post({
    path: '/markdown-preview',
    limited: 'open',
    scope: 'jobs:write',
    body: Type.Object({ text: Type.String({ maxLength: MAX_PREVIEWED }) }, closed),
    handler: ({ session, body }) => preview(session.workspaceId, session.userId, body.text),
  }),
]
