import type { ServerResponse } from 'node:http'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { lineFault } from '../../kernel/text/names.ts'
import { PRODUCT } from '../../pages/page.ts'
import { SECURITY_HEADERS, sendRedirect } from '../../pages/send.ts'
import {
  addPasskey,
  authenticationOptions,
  markProved,
  passkeySite,
  registrationOptions,
  removePasskey,
  usePasskey,
} from '../../resources/second-factors/index.ts'
import { browserInWords, waitInWords } from '../describe.ts'
import { enter, sendForm } from '../enter.ts'
import { formPage } from '../form-page.ts'
import { homeOf } from '../landing-page.ts'
import { countAttemptOf } from '../limits.ts'
import { type Posted, postPage } from '../page-route.ts'
import { localPath } from '../return-to.ts'
import { membersById } from '../store.ts'
import { FACTORS_PATH, signInAgain } from './paths.ts'
import {
  changePage,
  confirmRefused,
  notify,
  pendingSignIn,
  sendAdded,
  sendFactors,
  stepRefused,
  whoOf,
} from './routes.ts'

const NOT_ACCEPTED =
  'The passkey was not accepted. It may have been removed from the account, or the page was open for too long. Try again, or sign in another way.'
const MOST_NAME = 60

/** Passkeys: as a sign-in by itself, as the second factor, and their list in the account. */
export const passkeyRoutes = (services: Services): RawRoute[] => [
  optionsPage(services, '/sign-in/passkey/options', () => undefined),
  postPage(services, '/sign-in/passkey', async visit => {
    const returnTo = localPath(visit.form.get('return_to'))
    const used = await usedPasskey(visit)
    const [member] = used ? await services.db.query(membersById([used.user])) : []
    if (used && member) {
      const by = { passkey: used.passkey, workspace: used.workspace, user: used.user }
      if (await enter(visit, { members: [member], method: 'passkey', factor: 'passkey', by }, returnTo)) return
    }
    const page = await formPage(services, { returnTo, fault: NOT_ACCEPTED })
    await sendForm(services, visit.response, returnTo, page, 401)
  }),
  optionsPage(services, '/sign-in/second-factor/options', async ({ request }) => {
    const pending = await pendingSignIn(services, request)
    return pending && { workspace: pending.member.workspace_id, user: pending.member.id }
  }),
  postPage(services, '/sign-in/second-factor/passkey', async visit => {
    const returnTo = localPath(visit.form.get('return_to'))
    const pending = await pendingSignIn(services, visit.request)
    if (!pending) return sendRedirect(visit.response, '/sign-in')
    const { proof, member } = pending
    const used = await usedPasskey(visit, { workspace: member.workspace_id, user: member.id })
    if (!used) return stepRefused(visit, member, returnTo)(401, NOT_ACCEPTED)
    if (!(await enter(visit, { ...proof, factor: 'passkey' }, returnTo))) sendRedirect(visit.response, '/sign-in')
  }),
  optionsPage(services, '/account/confirm/options', ({ anySession }) => anySession && whoOf(anySession)),
  postPage(services, '/account/confirm/passkey', async visit => {
    const returnTo = localPath(visit.form.get('return_to'))
    const { anySession: session, response } = visit
    if (!session) return sendRedirect(response, signInAgain(returnTo))
    const used = await usedPasskey(visit, whoOf(session))
    if (!used) return confirmRefused(visit, session, returnTo)(401, NOT_ACCEPTED)
    await services.db.query(markProved(whoOf(session), session.id, 'passkey'))
    sendRedirect(response, returnTo ?? homeOf(session))
  }),
  postPage(services, `${FACTORS_PATH}/passkeys/options`, async ({ response, anySession: session }) => {
    const site = passkeySite(services.publicUrl)
    if (!session || !site) return sendJson(response, 401, { message: 'You are signed out. Reload the page.' })
    const person = { email: session.email, name: session.name, product: PRODUCT }
    sendJson(response, 200, await registrationOptions(services.db, whoOf(session), site, person))
  }),
  changePage(services, '/passkeys', async (visit, session, returnTo) => {
    const refuse = (fault: string) => sendFactors(visit, session, returnTo, fault, 400)
    const name = passkeyName(visit)
    const wrong = lineFault(name)
    if (wrong !== undefined) return refuse(`The name of the passkey ${wrong}.`)
    const site = passkeySite(services.publicUrl)
    const given = { credential: visit.form.get('credential') ?? '', name, session: session.id }
    try {
      const added = site && (await addPasskey(services.db, whoOf(session), site, given))
      if (!added) return await refuse('The passkey was not added: the page was open for too long. Try again.')
      sendAdded(visit, added.recoveryCodes, returnTo)
    } catch (error) {
      if (error instanceof UserError) return refuse(`Not added: ${error.message}.`)
      throw error
    }
    await notify(services, session, 'passkey_added')
  }),
  changePage(services, '/passkeys/remove', async (visit, session) => {
    const removed = await removePasskey(services.db, whoOf(session), visit.form.get('passkey') ?? '', session.id)
    sendRedirect(visit.response, FACTORS_PATH)
    if (removed) await notify(services, session, 'passkey_removed')
  }),
]

const passkeyName = ({ form, request }: Posted): string =>
  (form.get('name') ?? '').trim().slice(0, MOST_NAME) || browserInWords(request.headers['user-agent'] ?? null)

interface Person {
  workspace: string
  user: string
}

/** The challenge for a signature: of the person of this visit, or, where `of` is for no one, of anyone. */
const optionsPage = (
  services: Services,
  path: string,
  of: (visit: Posted) => Person | undefined | Promise<Person | undefined>,
): RawRoute =>
  postPage(services, path, async visit => {
    const { response, address } = visit
    const wait = await countAttemptOf(services, 'passkey', { account: '', address })
    if (wait) {
      const message = `Too many attempts. Try again in ${waitInWords(wait)}.`
      return sendJson(response, 429, { message }, { 'Retry-After': String(wait) })
    }
    const site = passkeySite(services.publicUrl)
    const person = await of(visit)
    const isForAnyone = path === '/sign-in/passkey/options'
    if (!site || (!person && !isForAnyone))
      return sendJson(response, 401, { message: 'Reload the page and try again.' })
    sendJson(response, 200, await authenticationOptions(services.db, site, person))
  })

const usedPasskey = async ({ services, form }: Posted, who?: Person) => {
  const site = passkeySite(services.publicUrl)
  return site && usePasskey(services.db, site, form.get('credential') ?? '', who)
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
  response.writeHead(status, { ...SECURITY_HEADERS, ...type, ...headers }).end(JSON.stringify(body))
}
