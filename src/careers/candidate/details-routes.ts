import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import type { RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { sendRedirect } from '../../pages/send.ts'
import { correctDetails, requestEmailChange } from '../../resources/candidates/index.ts'
import { countAttemptOf } from '../../sign-in/attempts.ts'
import { siteLink } from '../visit.ts'
import { asDetails, detailFaults, readDetails } from './details.ts'
import { done, mailboxOf, ownChange, ownPage, ownProvedChange, type SendOptions, send } from './own-routes.ts'
import { type DetailsState, detailsPage, type OwnVisit } from './pages.ts'

const showDetails = (visit: OwnVisit, state: DetailsState = {}, sent: SendOptions = {}): void =>
  send(visit, visit.texts.candidate.details.title, detailsPage(visit, state), sent)

/** The person's contact details, and the change of their email address. */
export const detailsRoutes = (services: Services): RawRoute[] => [
  ownPage(services, '/details', async visit => {
    const done = visit.query.get('done') === 'email' ? visit.texts.candidate.details.emailSent : undefined
    showDetails(visit, { done })
  }),
  ownChange(services, '/details', async (visit, form) => {
    const typed = readDetails(form)
    const faults = detailFaults(typed, visit.texts)
    if (Object.keys(faults).length > 0) return showDetails(visit, { typed, faults }, { status: 422 })
    await correctDetails(services.db, visit.session, asDetails(typed))
    done(visit, 'details')
  }),
  ownProvedChange(services, '/email', async (visit, form) => {
    const { details } = visit.texts.candidate
    const email = (form.get('email') ?? '').slice(0, DETAIL_LENGTHS.email).trim()
    const { workspace, applicantId, person } = visit.session
    const key = emailKey(email)
    const fault = key === undefined ? details.emailFault : email === person.email ? details.emailSame : undefined
    if (fault !== undefined) return showDetails(visit, { email, emailFault: fault }, { status: 422 })
    const source = { account: `${workspace} ${applicantId}`, address: visit.address }
    const wait =
      (await countAttemptOf(services, 'candidate address', source)) ??
      (await countAttemptOf(services, 'candidate new address', mailboxOf(visit, email)))
    if (wait !== undefined) return showDetails(visit, { email, emailFault: details.emailTooMany }, { status: 429 })
    await requestEmailChange(services.db, visit.session, email, visit.texts.language.code)
    sendRedirect(visit.response, siteLink(visit, '/me/details', { done: 'email' }))
  }),
]
