import { hashSecret, isWellFormed } from '../kernel/access/key-format.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { clock } from '../kernel/time/clock.ts'
import type { Visit } from '../programs/policy.ts'
import { waitInWords } from '../sign-in/describe.ts'
import { page } from './area.ts'
import { keySignInPage } from './layout.ts'
import { attempt, resetAttempts } from './limits.ts'
import { beginPartnerSession, endedPartnerCookie, endPartnerSession } from './sessions.ts'

const WRONG = 'This key is not valid, or not from this IP address. Check that you copied all of it.'

const sourceOf = ({ address }: Visit) => ({ account: 'api key', address })

export const keySignInPages = [
  page({
    path: '/sign-in',
    session: 'none',
    csrf: 'origin',
    limit: attempt('key', sourceOf),
    submit: async visit => {
      const cookie = await signInWithKey(visit, (visit.form.get('key') ?? '').trim())
      // what was entered is not sent back
      if (!cookie) return { show: keySignInPage({ fault: WRONG }), status: 401 }
      await resetAttempts(visit.services, 'key', sourceOf(visit))
      return { to: '/partner', headers: { 'Set-Cookie': cookie } }
    },
    refuse: (_, { wait }) => {
      if (wait === 0) return undefined
      const fault = `Too many attempts. Try again in ${waitInWords(wait)}.`
      return { show: keySignInPage({ fault }), status: 429, headers: { 'Retry-After': String(wait) } }
    },
  }),
  page({
    path: '/sign-out',
    session: 'optional',
    csrf: 'session',
    tier: 'uncounted',
    submit: async ({ services, session }) => {
      if (session) await endPartnerSession(services, session)
      return { to: '/partner', headers: { 'Set-Cookie': endedPartnerCookie(services) } }
    },
  }),
]

/** The cookie of a new session; undefined if the key is not valid here and now. */
async function signInWithKey({ services, request, address }: Visit, key: string): Promise<string | undefined> {
  if (!isWellFormed(key)) return undefined
  const startedAt = clock.monotonic()
  const secretHash = hashSecret(key)
  const found = await services.authenticator.findBySecretHash(secretHash, address)
  if (!found) return undefined
  const cookie = await beginPartnerSession(services, secretHash)
  const { caller, now } = found
  // the workspace sees where the key was used last, and its calls
  const use = { at: now, address, agent: request.headers['user-agent'] }
  services.usage.record(caller.homeWorkspace, caller.keyId, secretHash, 200, use)
  services.requestLog.record({
    workspace: caller.homeWorkspace,
    id: newHandle('request'),
    at: now,
    key: caller.keyId,
    actingUser: caller.actingUserId,
    method: 'POST',
    route: '/partner/sign-in',
    params: '{}',
    status: 200,
    code: null,
    param: null,
    ms: Math.round(clock.monotonic() - startedAt),
  })
  services.log.info({ key: caller.keyId, workspace: caller.homeWorkspace }, 'partner signed in with a key')
  return cookie
}
