import { BY_UPDATED } from '../../kernel/http/list.ts'
import { booleanParam, textParam } from '../../kernel/http/params.ts'
import { type Route, readOne, readPage } from '../../kernel/http/route.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { applicantShape } from './shape.ts'
import { applicantById, applicantsPage, asSeenInJobs, seenInJobs, toApplicant } from './store.ts'

const group = 'Applicants'

export const applicantRoutes: readonly Route[] = [
  readPage({
    path: '/applicants',
    operationId: 'listApplicants',
    limited: 'closed',
    tool: { omit: ['provenance', 'external_refs'] },
    summary: 'List applicants',
    description: 'People who applied, most recently updated first.',
    group,
    scope: 'applicants:read',
    query: {
      email: textParam('The exact email address; case is ignored.', 254),
      has_applications: booleanParam('Whether the person currently has applications.'),
    },
    shape: applicantShape,
    order: BY_UPDATED,
    handler: async ({ db, workspace, query, page }) => {
      // a malformed address matches no applicant
      const key = query.email === undefined ? undefined : (emailKey(query.email) ?? '')
      const filter = { ...(key === undefined ? {} : { emailKey: key }), hasApplications: query.has_applications }
      return (await db.query(applicantsPage(workspace, filter, page))).map(toApplicant)
    },
  }),
  readOne({
    path: '/applicants/{applicant_handle}',
    operationId: 'getApplicant',
    limited: 'record',
    summary: 'Get an applicant',
    group,
    scope: 'applicants:read',
    params: { applicant_handle: 'applicant' },
    shape: applicantShape,
    handler: async ({ db, workspace, params, caller }) => {
      const row = await db.one(applicantById(workspace, params.applicant_handle))
      if (!row || !caller.limitedTo) return row && toApplicant(row)
      const seen = await db.one(seenInJobs(caller.limitedTo, row.id))
      return seen && asSeenInJobs(toApplicant(row), seen)
    },
  }),
]
