import { ROLE_SCOPES } from '../contract/scopes.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { requestIdOf } from '../kernel/http/request-line.ts'
import { SessionError } from '../programs/errors.ts'
import {
  type Found,
  findCandidatesByKey,
  findCandidatesByWords,
  kindOfSearch,
  type SearchKind,
} from '../resources/candidate-search/index.ts'
import { countAttemptOf } from './limits.ts'
import { callerFor } from './person.ts'
import type { Call } from './program.ts'
import { limitedTo } from './reach.ts'

interface FoundCandidates {
  kind: SearchKind
  found: readonly Found[]
  /** a number was typed by someone whose role does not read numbers: nothing was looked for */
  isPhoneRefused: boolean
}

/** Applications that the reader may find by what they typed: their own jobs' for people who are limited to jobs. */
export async function findCandidates(
  { services, db, session, arrived, now }: Pick<Call, 'services' | 'db' | 'session' | 'arrived' | 'now'>,
  q: string,
): Promise<FoundCandidates> {
  const scopes = ROLE_SCOPES[session.role]
  if (!scopes.includes('applicants:read')) throw new SessionError('role_required')
  const kind = kindOfSearch(q)
  const reader = limitedTo(session)
  if (kind === 'words')
    return { kind, found: await findCandidatesByWords(db, session.workspaceId, q, reader), isPhoneRefused: false }
  if (kind === 'part_of_email') return { kind, found: [], isPhoneRefused: false }
  if (kind === 'phone' && !scopes.includes('contact:phone:read')) return { kind, found: [], isPhoneRefused: true }
  const wait = await countAttemptOf(services, 'contact search', {
    account: session.userId,
    address: session.workspaceId,
  })
  if (wait !== undefined) {
    const message = `Too many searches by email address or phone number. Wait ${wait} seconds.`
    throw new ApiError('rate_limit_exceeded', { retry_after_seconds: wait, message })
  }
  const { caller } = callerFor(db, session, now)
  const looker = { caller, requestId: requestIdOf(arrived.response.req), reader }
  return {
    kind,
    found: await findCandidatesByKey(db, session.workspaceId, kind, q, looker),
    isPhoneRefused: false,
  }
}
