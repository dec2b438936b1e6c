import { fail } from '../../kernel/errors/api-error.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { SECURITY_HEADERS, sendRedirect } from '../../pages/send.ts'
import { personalData, requestOwnErasure } from '../../resources/candidates/index.ts'
import { companyOf } from '../shell.ts'
import { siteLink, sitePage, type Visit } from '../visit.ts'
import { dataPage } from './data-page.ts'
import { mayChange, ownPage, ownProvedChange, send } from './own-routes.ts'
import { erasureBegunPage, erasurePage, isProved, provePage } from './pages.ts'
import { endedCookie } from './session.ts'
import { TIMES_SCRIPT } from './words.ts'

/** So that no one can make the page say another date. */
const erasedText = ({ site }: Visit, deleteBy: string) => `candidate erased ${site.workspace_id} ${deleteBy}`

/** Everything that is stored about the person, to read and to take along, and its erasure. */
export const dataRoutes = (services: Services): RawRoute[] => [
  ownPage(services, '/data', async visit => {
    if (!(await mayChange(services, visit))) return
    const data = (await personalData(services.db, visit.session, companyOf(visit.site))) ?? fail('not_found')
    send(visit, visit.texts.candidate.data.title, dataPage(visit, data), { scripts: [TIMES_SCRIPT] })
  }),
  ownPage(services, '/data.json', async visit => {
    if (!(await mayChange(services, visit))) return
    const { response, session, site } = visit
    const data = (await personalData(services.db, session, companyOf(site))) ?? fail('not_found')
    const body = Buffer.from(`${JSON.stringify(data, null, 2)}\n`)
    response
      .writeHead(200, {
        ...SECURITY_HEADERS,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': body.length,
        'Content-Disposition': `attachment; filename="${site.slug}-data.json"`,
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
      })
      .end(body)
  }),

  ownPage(services, '/erasure', async visit => {
    const { erasure, prove } = visit.texts.candidate
    if (!isProved(visit)) return send(visit, prove.title, provePage(visit, 'erasure'))
    send(visit, erasure.pageTitle, erasurePage(visit))
  }),
  ownProvedChange(services, '/erasure', async (visit, form) => {
    const { erasure } = visit.texts.candidate
    if (form.get('confirm') !== 'yes') {
      const page = erasurePage(visit, { fault: erasure.confirmFault })
      return send(visit, erasure.pageTitle, page, { status: 422 })
    }
    const { email } = visit.session.person
    const begun = email === null ? undefined : await requestOwnErasure(services, { ...visit.session, email })
    if (!begun) return send(visit, erasure.pageTitle, erasurePage(visit, { failed: true }), { status: 409 })
    const query = { by: begun.deleteBy, proof: services.keyring.signText('session', erasedText(visit, begun.deleteBy)) }
    sendRedirect(visit.response, siteLink(visit, '/erased', query), {
      'Set-Cookie': endedCookie(services, visit.site),
      'Clear-Site-Data': '"cache"',
    })
  }),
  // a page of its own, without a session: the back button sends no form again, and nothing here names the person
  sitePage(services, '/erased', visit => {
    const by = visit.query.get('by') ?? ''
    if (!services.keyring.verifyText('session', erasedText(visit, by), visit.query.get('proof') ?? ''))
      return sendRedirect(visit.response, siteLink(visit, '/applications'))
    send(visit, visit.texts.candidate.erasure.begunTitle, erasureBegunPage(visit, by))
  }),
]
