import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { html } from '../pages/html.ts'
import { page } from '../pages/page.ts'
import { programPage } from '../pages/program-page.ts'
import { sendPage, sendRedirect } from '../pages/send.ts'
import { mayUseConsole } from '../sign-in/landing-page.ts'
import { readSession } from '../sign-in/sessions.ts'

/** Where people sign in; `return_to` brings them back. */
export const SIGN_IN_PATH = '/sign-in'

/** The pages of the console: one document for all URLs, whose script renders the pages. */
export function consolePageRoutes(services: Services): RawRoute[] {
  const show: RawRoute['handler'] = async ({ request, response }) => {
    const session = await readSession(services, request)
    if (!session) {
      return sendRedirect(response, `${SIGN_IN_PATH}?return_to=${encodeURIComponent(request.url ?? '/console')}`)
    }
    if (!mayUseConsole(session)) return sendPage(response, notForYou(session.email), { status: 403 })
    sendPage(
      response,
      await programPage(services, { program: 'console', title: 'Console', withoutScripts: WITHOUT_SCRIPTS }),
    )
  }
  return [
    { methods: ['GET', 'HEAD'], path: '/console', handler: show },
    { methods: ['GET', 'HEAD'], path: '/console/*', handler: show },
  ]
}

const WITHOUT_SCRIPTS = html`The console needs JavaScript. What it does can also be done with <code>npx hiring --help</code>.`

const notForYou = (email: string) =>
  page({
    title: 'The console is for owners and admins',
    layout: 'card',
    body: html`<h1>The console is for owners and admins</h1>
<p>You are signed in as <b>${email}</b>, but you are not an owner or admin of this workspace. Ask an owner to change your role, or sign in with another account.</p>
<div class="actions"><a class="button" href="/hiring">Go to the hiring pages</a><a class="button secondary" href="${SIGN_IN_PATH}?again">Use another account</a></div>`,
  })
