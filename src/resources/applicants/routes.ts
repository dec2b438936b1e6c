import type { Relations } from '../../kernel/http/include.ts'
import { BY_UPDATED } from '../../kernel/http/list.ts'
import { booleanParam, textParam } from '../../kernel/http/params.ts'
import { type Route, readOne, readPage } from '../../kernel/http/route.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { readApplicants } from './read-applicants.ts'
import { type ApplicantRow, applicantShape } from './shape.ts'
import { applicantsPage, toApplicant } from './store.ts'

const group = 'Applicants'

/** `include`: relations to what other slices have, and which need this one. */
export const applicantRoutes = (include: Relations<ApplicantRow>): readonly Route[] => [
  readPage({
    path: '/applicants',
    operationId: 'listApplicants',
    limited: 'closed',
    jobRight: 'browse',
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
    include,
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
    jobRight: 'see',
    summary: 'Get an applicant',
    group,
    scope: 'applicants:read',
    params: { applicant_handle: 'applicant' },
    shape: applicantShape,
    include,
    handler: async ({ db, workspace, params, caller }) =>
      (await readApplicants(db, workspace, [params.applicant_handle], caller.limitedTo))[0],
  }),
]
