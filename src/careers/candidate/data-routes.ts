import { fail } from '../../kernel/errors/api-error.ts'
import { personalData, requestOwnErasure } from '../../resources/candidates/index.ts'
import { companyOf } from '../shell.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { page } from './area.ts'
import { dataPage } from './data-page.ts'
import { limit, proveFor, shown } from './own-pages.ts'
import { erasureBegunPage, erasurePage, type OwnVisit, provePage } from './pages.ts'
import { endedCandidateCookie, isProved } from './session.ts'
import { TIMES_SCRIPT } from './words.ts'

/** So that no one can make the page say another date. */
const erasedText = ({ site }: SiteVisit, deleteBy: string) => `candidate erased ${site.workspace_id} ${deleteBy}`

const allData = async ({ services, session, site }: OwnVisit) =>
  (await personalData(services, session, companyOf(site))) ?? fail('not_found')

/** Everything that is stored about the person, to read and to take along, and its erasure. */
export const dataPages = [
  page({
    path: '/me/data',
    session: 'needed',
    limit,
    show: async visit =>
      shown(visit.texts.candidate.data.title, dataPage(visit, await allData(visit)), { scripts: [TIMES_SCRIPT] }),
  }),
  page({
    path: '/me/data.json',
    session: 'needed',
    limit,
    show: async visit => ({
      file: Buffer.from(`${JSON.stringify(await allData(visit), null, 2)}\n`),
      type: 'application/json; charset=utf-8',
      name: `${visit.site.slug}-data.json`,
    }),
  }),

  page({
    path: '/me/erasure',
    session: 'needed',
    csrf: 'session',
    sensitive: true,
    limit,
    refuse: proveFor('erasure'),
    show: visit => {
      const { erasure, prove } = visit.texts.candidate
      if (!isProved(visit.session)) return shown(prove.title, provePage(visit, 'erasure'))
      return shown(erasure.pageTitle, erasurePage(visit))
    },
    submit: async visit => {
      const { services, session, site, texts, form } = visit
      const { erasure } = texts.candidate
      if (form.get('confirm') !== 'yes')
        return shown(erasure.pageTitle, erasurePage(visit, { fault: erasure.confirmFault }), { status: 422 })
      const { email } = session.person
      const begun = email === null ? undefined : await requestOwnErasure(services, { ...session, email })
      if (!begun) return shown(erasure.pageTitle, erasurePage(visit, { failed: true }), { status: 409 })
      const proof = services.keyring.signText('session', erasedText(visit, begun.deleteBy))
      const headers = { 'Set-Cookie': endedCandidateCookie(services, site), 'Clear-Site-Data': '"cache"' }
      return { to: siteLink(visit, '/erased', { by: begun.deleteBy, proof }), headers }
    },
  }),
  // a page of its own, without a session: the back button sends no form again, and nothing here names the person
  page({
    path: '/erased',
    session: 'none',
    show: visit => {
      const by = visit.query.get('by') ?? ''
      const proof = visit.query.get('proof') ?? ''
      if (!visit.services.keyring.verifyText('session', erasedText(visit, by), proof))
        return { to: siteLink(visit, '/applications') }
      return shown(visit.texts.candidate.erasure.begunTitle, erasureBegunPage(visit, by))
    },
  }),
]
