import { fail } from '../../kernel/errors/api-error.ts'
import type { Shown } from '../../programs/page.ts'
import {
  ownApplication,
  ownApplications,
  ownChecks,
  ownConsents,
  ownFiles,
  ownFileUrl,
  ownSubmissions,
  setSubscription,
  settleSubmission,
  withdrawConsent,
  withdrawOwn,
} from '../../resources/candidates/index.ts'
import { readOwnInterviews } from '../../resources/interviews/index.ts'
import { siteLink } from '../visit.ts'
import { page, type Titled } from './area.ts'
import { done, doneTexts, limit, NO_REFERRER, shown } from './own-pages.ts'
import { notWithdrawnPage, type OwnVisit, overviewPage, withdrawPage } from './pages.ts'
import { pendingPart } from './pending-part.ts'
import { TIMES_SCRIPT } from './words.ts'

const REASON_LENGTH = 2_000

const application = async ({ services, session }: OwnVisit, id: string) =>
  (await ownApplication(services.db, session, id)) ?? fail('not_found')

/** One that another tab has settled is not an error: the overview shows what is left. */
async function settle(visit: OwnVisit, id: string, choice: 'use' | 'discard'): Promise<Shown<Titled>> {
  const settled = await settleSubmission(visit.services.db, visit.session, id, choice)
  return settled ? done(visit, choice === 'use' ? 'used' : 'discarded') : { to: siteLink(visit, '/me') }
}

/** The person's first page and what its buttons do: forms that wait, withdrawals, files, consents, messages. */
export const overviewPages = [
  page({
    path: '/me',
    session: 'needed',
    show: async visit => {
      const { session, texts, query } = visit
      const { db, keyring } = visit.services
      const now = await db.now()
      const [applications, checks, interviews, files, consents, waiting] = await Promise.all([
        ownApplications(db, session),
        ownChecks(db, session),
        readOwnInterviews({ db, keyring, now }, session),
        ownFiles(db, session),
        ownConsents(db, session),
        ownSubmissions(db, session),
      ])
      const said: Readonly<Record<string, string>> = doneTexts(texts)
      const what = query.get('done') ?? ''
      const overview = {
        applications,
        checks,
        interviews,
        files: files.filter(({ kind }) => kind !== 'pending'),
        consents,
        pending: pendingPart(visit, waiting),
        done: Object.hasOwn(said, what) ? said[what] : undefined,
      }
      return shown(texts.candidate.title, overviewPage(visit, overview), { scripts: [TIMES_SCRIPT] })
    },
  }),
  page({
    path: '/me/submissions/{id}/use',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: visit => settle(visit, visit.params.id, 'use'),
  }),
  page({
    path: '/me/submissions/{id}/discard',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: visit => settle(visit, visit.params.id, 'discard'),
  }),

  page({
    path: '/me/applications/{id}/withdraw',
    session: 'needed',
    csrf: 'session',
    limit,
    show: async visit =>
      shown(visit.texts.candidate.withdraw.title, withdrawPage(visit, await application(visit, visit.params.id))),
    submit: async visit => {
      const { withdraw } = visit.texts.candidate
      const own = await application(visit, visit.params.id)
      const reason = (visit.form.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
      if ([...reason].length > REASON_LENGTH)
        return shown(withdraw.title, withdrawPage(visit, own, reason, withdraw.tooLong), { status: 422 })
      const withdrawn = await withdrawOwn(visit.services, visit.session, own.id, reason || null)
      return withdrawn ? done(visit, 'withdrawn') : shown(withdraw.title, notWithdrawnPage(visit), { status: 409 })
    },
  }),
  page({
    path: '/me/files/{kind}/{id}',
    session: 'needed',
    show: async ({ services, session, params: { kind, id } }) => ({
      to: (await ownFileUrl(services, session, kind, id)) ?? fail('not_found'),
      headers: NO_REFERRER,
    }),
  }),

  page({
    path: '/me/consents',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: async visit => {
      const { services, session, form } = visit
      if (!(await withdrawConsent(services.db, session, form.get('application') ?? '', form.get('consent') ?? '')))
        return fail('not_found')
      return done(visit, 'consent')
    },
  }),
  page({
    path: '/me/emails',
    session: 'needed',
    csrf: 'session',
    limit,
    submit: async visit => {
      const subscribed = visit.form.get('subscribed') === 'yes'
      await setSubscription(visit.services.db, visit.session, subscribed)
      return done(visit, subscribed ? 'subscribed' : 'unsubscribed')
    },
  }),
]
