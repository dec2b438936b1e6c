import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { addressFault } from '../../kernel/access/workspace-kind.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import type { Shown } from '../../programs/page.ts'
import { correctDetails, requestEmailChange } from '../../resources/candidates/index.ts'
import { siteLink } from '../visit.ts'
import { page, type Titled } from './area.ts'
import { asDetails, detailFaults, readDetails } from './details.ts'
import { countAttemptOf } from './limits.ts'
import { byApplicant, byMailbox, done, limit, proveFor, shown } from './own-pages.ts'
import { type DetailsState, detailsPage, type OwnVisit } from './pages.ts'

const showDetails = (visit: OwnVisit, state: DetailsState = {}, status = 200): Shown<Titled> =>
  shown(visit.texts.candidate.details.title, detailsPage(visit, state), { status })

/** The person's contact details, and the change of their email address. */
export const detailsPages = [
  page({
    path: '/me/details',
    session: 'needed',
    csrf: 'session',
    limit,
    show: visit => {
      const { details } = visit.texts.candidate
      return showDetails(visit, { done: visit.query.get('done') === 'email' ? details.emailSent : undefined })
    },
    submit: async visit => {
      const typed = readDetails(visit.form)
      const faults = detailFaults(typed, visit.texts)
      if (Object.keys(faults).length > 0) return showDetails(visit, { typed, faults }, 422)
      await correctDetails(visit.services.db, visit.session, asDetails(typed))
      return done(visit, 'details')
    },
  }),
  page({
    path: '/me/email',
    session: 'needed',
    csrf: 'session',
    sensitive: true,
    limit,
    refuse: proveFor('details'),
    submit: async visit => {
      const { services, session, texts, form } = visit
      const { details } = texts.candidate
      const email = (form.get('email') ?? '').slice(0, DETAIL_LENGTHS.email).trim()
      const key = emailKey(email)
      const fault =
        key === undefined
          ? details.emailFault
          : email === session.person.email
            ? details.emailSame
            : (await addressFault(services.db, session.workspace, key))
              ? texts.apply.realMailbox
              : undefined
      if (fault !== undefined) return showDetails(visit, { email, emailFault: fault }, 422)
      const wait =
        (await countAttemptOf(services, 'candidate address', byApplicant(visit))) ??
        (await countAttemptOf(services, 'candidate new address', byMailbox(visit, email)))
      if (wait !== undefined) return showDetails(visit, { email, emailFault: details.emailTooMany }, 429)
      await requestEmailChange(services.db, session, email, texts.language.code)
      return { to: siteLink(visit, '/me/details', { done: 'email' }) }
    },
  }),
]
