import type { IncomingMessage } from 'node:http'
import { isPageLanguage, type PageLanguage } from '../contract/page-languages.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { acceptedLanguages } from '../pages/accept-language.ts'
import { html } from '../pages/html.ts'
import { framePage, programPage } from '../pages/program-page.ts'
import { framePolicy, sendPage, sendRedirect } from '../pages/send.ts'
import { readMemberSettings } from '../resources/member-settings/index.ts'
import { readSession, type UserSession } from '../sign-in/sessions.ts'

const WITHOUT_SCRIPTS = html`The hiring pages need JavaScript.`

/** That of the account, else the first of the browser's languages that the pages have. */
async function chooseLanguage({ db }: Services, session: UserSession, request: IncomingMessage): Promise<PageLanguage> {
  const { language } = await readMemberSettings(db, session.workspaceId, session.userId)
  return language ?? acceptedLanguages(request.headers['accept-language']).find(isPageLanguage) ?? 'en'
}

/** The hiring pages: one document for all URLs, whose script draws the pages. For everyone who is signed in. */
export function hiringPageRoutes(services: Services): RawRoute[] {
  const show: RawRoute['handler'] = async ({ request, response }) => {
    const session = await readSession(services, request)
    if (!session) return sendRedirect(response, `/sign-in?return_to=${encodeURIComponent(request.url ?? '/hiring')}`)
    const language = await chooseLanguage(services, session, request)
    sendPage(
      response,
      await programPage(services, { program: 'hiring', language, title: 'Hiring', withoutScripts: WITHOUT_SCRIPTS }),
      { frames: true, headers: { Vary: 'Accept-Language' } },
    )
  }
  const showViewer: RawRoute['handler'] = async ({ response }) =>
    sendPage(
      response,
      await framePage(services, 'resume-viewer', 'Résumé', html`<main id="pages" tabindex="0"></main>`),
      {
        cache: 'public',
        headers: { 'Content-Security-Policy': framePolicy() },
      },
    )
  return [
    { methods: ['GET', 'HEAD'], path: '/hiring', handler: show },
    { methods: ['GET', 'HEAD'], path: '/hiring/resume-viewer', handler: showViewer },
    { methods: ['GET', 'HEAD'], path: '/hiring/*', handler: show },
  ]
}
