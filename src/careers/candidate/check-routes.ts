import { invitedCheck } from '../../resources/candidates/index.ts'
import { readCheckToken } from '../../resources/orders/index.ts'
import { page } from './area.ts'
import { badCheckLinkPage, checkName, checkPage, findEndReason } from './check-pages.ts'
import { NO_REFERRER, shown } from './own-pages.ts'

/**
 * The page of one test or check, which an invitation opens without a sign-in: its address is signed, and shows nothing about
 * the person. It says what became of the check as long as the record is there.
 */
export const checkPages = [
  page({
    path: '/checks/{token}',
    session: 'none',
    show: async visit => {
      const { services, site, texts, params } = visit
      const { checks: t } = texts.candidate
      const named = readCheckToken(services.keyring, params.token)
      // a link of another site is like one that never was
      const found =
        named?.workspace === site.workspace_id
          ? await services.db.one(invitedCheck(site.workspace_id, named.order))
          : undefined
      if (!found) return shown(t.badTitle, badCheckLinkPage(visit), { status: 404, headers: NO_REFERRER })
      const end = findEndReason(found)
      const title = end === undefined ? checkName(texts, found.name) : t.ended[end].title
      return shown(title, checkPage(visit, found), { headers: NO_REFERRER })
    },
  }),
]
