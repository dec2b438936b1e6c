import { mailboxKey } from '../../kernel/text/person-keys.ts'
import type { Html } from '../../pages/html.ts'
import type { PageOptions } from '../../pages/send.ts'
import type { Refused, Shown } from '../../programs/page.ts'
import type { ProvenPage } from '../../resources/candidates/index.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import type { Titled } from './area.ts'
import { attempt } from './limits.ts'
import { type OwnVisit, provePage } from './pages.ts'

/* What the records of a candidate's pages have in common. */

interface ShownOptions extends PageOptions {
  scripts?: readonly string[]
}

export const shown = (title: string, body: Html, { scripts = [], ...options }: ShownOptions = {}): Shown<Titled> => ({
  show: { title, body, scripts },
  ...options,
})

/** For the page whose address has a token: no request of it names that address elsewhere. */
export const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' }

/** What the overview says after a change. */
export const doneTexts = ({ candidate }: SiteVisit['texts']) => ({
  withdrawn: candidate.withdraw.done,
  consent: candidate.consents.done,
  unsubscribed: candidate.emails.unsubscribed,
  subscribed: candidate.emails.subscribed,
  details: candidate.details.saved,
  used: candidate.pending.used,
  discarded: candidate.pending.discarded,
  resume: candidate.newResume.done,
  written: candidate.write.done,
})

/** To the overview, which says what was done. */
export const done = (visit: SiteVisit, what: keyof ReturnType<typeof doneTexts>): Shown<Titled> => ({
  to: siteLink(visit, '/me', { done: what }),
})

/** What emails to a mailbox are counted by. */
export const byMailbox = ({ site, address }: SiteVisit, email: string) => ({
  account: `${site.workspace_id} ${mailboxKey(email)}`,
  address,
})

export const byApplicant = ({ session, address }: OwnVisit) => ({
  account: `${session.workspace} ${session.applicantId}`,
  address,
})

/** A change, or a download of everything. */
export const limit = attempt('candidate change', byApplicant)

/** What needs a link that was asked for: the page explains it and offers to mail one. */
export const proveFor =
  (opens: ProvenPage) =>
  (visit: SiteVisit, { code }: Refused): Shown<Titled> | undefined =>
    code === 'confirmation_required'
      ? shown(visit.texts.candidate.prove.title, provePage(visit as OwnVisit, opens), { status: 403 })
      : undefined
