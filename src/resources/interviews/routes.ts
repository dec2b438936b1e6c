import { type Route, readPage } from '../../kernel/http/route.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { openDetails, statusAt } from './rules.ts'
import { type InterviewRow, interviewShape } from './shape.ts'
import { interviewsPage, type StoredInterview } from './store.ts'

export const interviewRoutes: readonly Route[] = [
  readPage({
    path: '/applications/{application_handle}/interviews',
    operationId: 'listInterviews',
    limited: 'record',
    jobRight: 'see',
    tool: { whole: true },
    summary: 'List the interviews of an application',
    description: 'Newest first. Interviews are planned by people in the product; no endpoint changes them.',
    group: 'Applications',
    scope: 'applications:read',
    params: { application_handle: 'application' },
    shape: interviewShape,
    order: { by: 'created_at', tiebreaker: 'id', direction: 'desc', tiebreakerType: 'uuid', table: 'i' },
    handler: call => {
      const { db, workspace, page, services, now } = call
      const id = call.params.application_handle
      const toRow = (interview: StoredInterview): InterviewRow => {
        const { title, place, meeting_url } = openDetails(services.keyring, interview)
        const { people: interviewer_user_ids, ...columns } = interview
        return { ...columns, status: statusAt(interview, now), interviewer_user_ids, title, place, meeting_url }
      }
      const read = async () => (await db.query(interviewsPage(workspace, id, page))).map(toRow)
      return readUnlessStopped({ db, workspace }, 'application', id, read, [])
    },
  }),
]
