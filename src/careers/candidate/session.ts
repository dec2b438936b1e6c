import type { IncomingMessage } from 'node:http'
import type { Services } from '../../kernel/services/services.ts'
import { type CandidateRow, candidateOf, SESSION_SECONDS, type Self } from '../../resources/candidates/index.ts'
import type { SiteRow } from '../../resources/careers/index.ts'
import { pathCookieName } from '../../sign-in/cookies.ts'
import { csrfOf } from '../../sign-in/sessions.ts'
import { sitePath } from '../visit.ts'

/**
 * A candidate's session begins with a mailed link and ends after an hour, with a sign-out, when the email address changes
 * and when processing of the person stops. It belongs to one site: the browser sends the cookie to its paths alone, and
 * the database looks for it in its workspace alone.
 */
export interface CandidateSession extends Self {
  person: CandidateRow
  /** proves that a form came from one of our pages; bound to the session */
  csrfToken: string
  isCsrfToken: (given: string) => boolean
}

const COOKIE = 'hiring_candidate'

type Where = Pick<Services, 'publicUrl'>

export function tokenOf(where: Where, request: IncomingMessage): string | undefined {
  const wanted = pathCookieName(where, COOKIE)
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === wanted && value) return value
  }
  return undefined
}

/** Lax: the cookie comes along when a mailed link is opened, never with a form of another site. */
export const candidateCookie = (where: Where, site: SiteRow, token: string): string =>
  cookie(where, site, token, SESSION_SECONDS)

export const endedCookie = (where: Where, site: SiteRow): string => cookie(where, site, '', 0)

const cookie = (where: Where, site: SiteRow, value: string, seconds: number): string =>
  `${pathCookieName(where, COOKIE)}=${value}; Path=${sitePath(site)}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${
    where.publicUrl.startsWith('https:') ? '; Secure' : ''
  }`

export async function sessionIn(
  services: Pick<Services, 'db' | 'keyring' | 'publicUrl'>,
  site: SiteRow,
  request: IncomingMessage,
): Promise<CandidateSession | undefined> {
  const token = tokenOf(services, request)
  if (token === undefined) return undefined
  const { workspace_id: workspace } = site
  const person = await candidateOf(services.db, workspace, token)
  if (!person) return undefined
  const csrf = csrfOf(services.keyring, `candidate csrf ${person.session_id}`)
  return { workspace, applicantId: person.applicant_id, person, ...csrf }
}
