import { fail } from '../../kernel/errors/api-error.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { sendRedirect } from '../../pages/send.ts'
import {
  ownApplication,
  ownApplications,
  ownConsents,
  ownFiles,
  ownFileUrl,
  ownSubmissions,
  setSubscription,
  settleSubmission,
  withdrawConsent,
  withdrawOwn,
} from '../../resources/candidates/index.ts'
import { siteLink } from '../visit.ts'
import { done, doneTexts, NO_REFERRER, ownChange, ownPage, send } from './own-routes.ts'
import { notWithdrawnPage, overviewPage, withdrawPage } from './pages.ts'
import { pendingPart } from './pending-part.ts'
import { TIMES_SCRIPT } from './words.ts'

const REASON_LENGTH = 2_000

/** The person's first page and what its buttons do: forms that wait, withdrawals, files, consents, messages. */
export const overviewRoutes = (services: Services): RawRoute[] => [
  ownPage(services, '', async visit => {
    const { session } = visit
    const [applications, files, consents, waiting] = await Promise.all([
      ownApplications(services.db, session),
      ownFiles(services.db, session),
      ownConsents(services.db, session),
      ownSubmissions(services.db, session),
    ])
    const said: Readonly<Record<string, string>> = doneTexts(visit.texts)
    const what = visit.query.get('done') ?? ''
    const done = Object.hasOwn(said, what) ? said[what] : undefined
    const sent = files.filter(({ kind }) => kind !== 'pending')
    const pending = pendingPart(visit, waiting)
    send(
      visit,
      visit.texts.candidate.title,
      overviewPage(visit, { applications, files: sent, consents, pending, done }),
      { scripts: [TIMES_SCRIPT] },
    )
  }),
  ...(['use', 'discard'] as const).map(choice =>
    ownChange(services, `/submissions/{id}/${choice}`, async visit => {
      // one that another tab has settled is no error: the overview shows what is left
      const settled = await settleSubmission(services.db, visit.session, visit.params['id']!, choice)
      if (settled) done(visit, choice === 'use' ? 'used' : 'discarded')
      else sendRedirect(visit.response, siteLink(visit, '/me'))
    }),
  ),

  ownPage(services, '/applications/{id}/withdraw', async visit => {
    const application = (await ownApplication(services.db, visit.session, visit.params['id']!)) ?? fail('not_found')
    send(visit, visit.texts.candidate.withdraw.title, withdrawPage(visit, application))
  }),
  ownChange(services, '/applications/{id}/withdraw', async (visit, form) => {
    const { withdraw } = visit.texts.candidate
    const application = (await ownApplication(services.db, visit.session, visit.params['id']!)) ?? fail('not_found')
    const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
    if ([...reason].length > REASON_LENGTH) {
      const page = withdrawPage(visit, application, reason, withdraw.tooLong)
      return send(visit, withdraw.title, page, { status: 422 })
    }
    const withdrawn = await withdrawOwn(services.db, visit.session, application.id, reason || null)
    if (withdrawn) return done(visit, 'withdrawn')
    send(visit, withdraw.title, notWithdrawnPage(visit), { status: 409 })
  }),

  ownPage(services, '/files/{kind}/{id}', async visit => {
    const { kind, id } = visit.params
    const url = (await ownFileUrl(services, visit.session, kind!, id!)) ?? fail('not_found')
    sendRedirect(visit.response, url, NO_REFERRER)
  }),

  ownChange(services, '/consents', async (visit, form) => {
    const { session } = visit
    if (!(await withdrawConsent(services.db, session, form.get('application') ?? '', form.get('consent') ?? '')))
      return fail('not_found')
    done(visit, 'consent')
  }),

  ownChange(services, '/emails', async (visit, form) => {
    const subscribed = form.get('subscribed') === 'yes'
    await setSubscription(services.db, visit.session, subscribed)
    done(visit, subscribed ? 'subscribed' : 'unsubscribed')
  }),
]
