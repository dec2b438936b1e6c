import type { IncomingMessage } from 'node:http'
import { type BrowserSession, deriveCsrf } from '../../kernel/http/browser-session.ts'
import { clearCookie, readCookie, setCookie } from '../../kernel/http/cookies.ts'
import type { Services } from '../../kernel/services/services.ts'
import type { SessionKind } from '../../programs/policy.ts'
import { type CandidateRow, readCandidate, SESSION_SECONDS, type Self } from '../../resources/candidates/index.ts'
import type { SiteRow } from '../../resources/careers/index.ts'
import { type SiteVisit, sitePath } from '../visit.ts'

/**
 * A candidate's session begins with a mailed link and ends after an hour, with a sign-out, when the email address changes
 * and when processing of the person stops. It belongs to one site: the browser sends the cookie to its paths alone, and
 * the database looks for it in its workspace alone.
 */
export interface CandidateSession extends Self, BrowserSession {
  person: CandidateRow
}

const COOKIE = 'hiring_candidate'

type Where = Pick<Services, 'publicUrl'>

export const readSessionToken = (where: Where, request: IncomingMessage): string | undefined =>
  readCookie(where, request, COOKIE, 'path')

export const candidateCookie = (where: Where, site: SiteRow, token: string): string =>
  setCookie(where, COOKIE, token, SESSION_SECONDS, sitePath(site))

export const endedCandidateCookie = (where: Where, site: SiteRow): string => clearCookie(where, COOKIE, sitePath(site))

/** Whether the person has the mailbox now, not only an email of days ago. */
export const isProved = ({ person }: Pick<CandidateSession, 'person'>): boolean => person.proof === 'access'

export const candidateSession: SessionKind<CandidateSession, SiteVisit> = {
  name: 'candidate',
  find: ({ services, site, request }) => sessionIn(services, site, request),
  isProved: (_, session) => isProved(session),
}

export async function sessionIn(
  services: Pick<Services, 'db' | 'keyring' | 'publicUrl'>,
  site: SiteRow,
  request: IncomingMessage,
): Promise<CandidateSession | undefined> {
  const token = readSessionToken(services, request)
  if (token === undefined) return undefined
  const { workspace_id: workspace } = site
  const person = await readCandidate(services.db, workspace, token)
  if (!person) return undefined
  const csrf = deriveCsrf(services.keyring, `candidate csrf ${person.session_id}`)
  return { workspace, applicantId: person.applicant_id, person, ...csrf }
}
