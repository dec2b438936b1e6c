import type { Keyring } from '../../kernel/crypto/signing.ts'
import { shownName } from '../../kernel/text/names.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import {
  type InvitedCheck,
  type OwnApplication,
  type OwnCheck,
  publicCheckState,
} from '../../resources/candidates/index.ts'
import { checkToken } from '../../resources/orders/index.ts'
import { companyOf } from '../shell.ts'
import type { Texts } from '../texts/en.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { formatDay } from '../wording.ts'

/* What candidates see of tests and checks: what there is to do, and never what came of it. */

const TAGS = { to_do: 'info', in_progress: 'accent', done: 'good', not_needed: '' } as const

/** The name that a vendor gave a check, if it can be shown. */
export const checkName = ({ candidate }: Texts, name: string): string =>
  shownName(name, 'package') ?? candidate.checks.unnamed

const day = (visit: SiteVisit, due: string | null) => (due === null ? null : formatDay(due, visit.texts))

const stateOf = (visit: SiteVisit, { status, due_at }: Pick<OwnCheck, 'status' | 'due_at'>): string => {
  const { states } = visit.texts.candidate.checks
  const state = publicCheckState(status)
  return state === 'to_do' ? states.to_do(day(visit, due_at)) : states[state]
}

/** Those of an application, below what is said about it. */
export function checkRows(
  visit: SiteVisit,
  { id, job_title }: Pick<OwnApplication, 'id' | 'job_title'>,
  checks: readonly OwnCheck[],
): Part {
  const own = checks.filter(check => check.application_id === id)
  if (own.length === 0) return undefined
  const { checks: t } = visit.texts.candidate
  return html`<ul class="plain checks" aria-label="${t.title(job_title)}">${own.map(check => checkRow(visit, check))}</ul>`
}

function checkRow(visit: SiteVisit, check: OwnCheck): Html {
  const { checks: t } = visit.texts.candidate
  const state = publicCheckState(check.status)
  const name = checkName(visit.texts, check.name)
  const [action, label] = state === 'in_progress' ? [t.continue, t.continueOf] : [t.start, t.startOf]
  return html`<li class="own-check"><p><strong dir="auto">${name}</strong> <span class="soft">${t.by(check.vendor)}</span></p>
<p><span class="tag ${TAGS[state]}">${stateOf(visit, check)}</span></p>
${state === 'to_do' && !check.can_start && html`<p>${t.vendorInvites(check.vendor)}</p>`}${check.can_start && html`<p class="actions"><a class="button secondary" href="${checkLink(visit, visit.services.keyring, check.id)}" aria-label="${label(name)}">${action}</a></p>`}</li>`
}

const checkLink = (visit: SiteVisit, keyring: Keyring, order: string): string =>
  siteLink(visit, `/checks/${checkToken(keyring, { workspace: visit.site.workspace_id, order })}`)

type Ended = 'done' | 'not_needed' | 'expired' | 'preparing'

/** Why there is nothing to start; undefined: there is. */
export function findEndReason({ status, candidate_url }: InvitedCheck): Ended | undefined {
  if (status === 'completed') return 'done'
  if (status === 'expired') return 'expired'
  if (status === 'requested') return 'preparing'
  if (status !== 'invited' && status !== 'in_progress') return 'not_needed'
  return candidate_url === null ? 'preparing' : undefined
}

/** The page that an invitation opens: what it is, whose site it leads to, and whom to ask for other conditions. */
export function checkPage(visit: SiteVisit, check: InvitedCheck): Html {
  const { checks: t } = visit.texts.candidate
  const { vendor, job_title, minutes, due_at, privacy_url, candidate_url } = check
  const company = companyOf(visit.site)
  const end = findEndReason(check)
  if (end !== undefined || candidate_url === null) return endedPage(visit, check, end ?? 'preparing')
  const { host } = new URL(candidate_url)
  const { contact_email: contact } = visit.site
  return html`<div class="narrow"><p class="eyebrow">${t.by(vendor)}</p><h1 dir="auto">${checkName(visit.texts, check.name)}</h1>
<p class="lead">${t.forJob(company, job_title)}</p>
<p>${minutes !== null && html`${t.minutes(minutes)} `}${due_at !== null && t.until(formatDay(due_at, visit.texts))}</p>
<p class="notice info">${t.leaves(vendor, host)}</p>
<p class="actions"><a class="button large" href="${candidate_url}" rel="noreferrer noopener">${t.go(host)}</a></p>
<p class="soft">${t.decides}</p>
<p><a href="${privacy_url}" rel="noreferrer noopener">${t.privacy(vendor)}</a></p>
${
  contact === null
    ? html`<p>${t.helpNoContact(company)}</p>`
    : html`<p>${t.help(company)} <a href="mailto:${contact}">${contact}</a></p>`
}</div>`
}

function endedPage(visit: SiteVisit, { name, vendor }: InvitedCheck, end: Ended): Html {
  const { checks: t, title } = visit.texts.candidate
  const { contact_email: contact } = visit.site
  return html`<div class="narrow"><p class="eyebrow" dir="auto">${checkName(visit.texts, name)}, ${t.by(vendor)}</p><h1>${t.ended[end].title}</h1>
<p class="lead">${t.ended[end].text}</p>
${end === 'expired' && contact !== null && html`<p><a href="mailto:${contact}">${contact}</a></p>`}
<p class="actions"><a class="button secondary" href="${siteLink(visit, '/applications')}">${title}</a></p></div>`
}

export const badCheckLinkPage = (visit: SiteVisit): Html => {
  const { checks: t, link } = visit.texts.candidate
  return html`<div class="narrow"><h1>${t.badTitle}</h1>
<p class="lead">${t.badText}</p>
<p class="actions"><a class="button" href="${siteLink(visit, '/applications')}">${link.ask}</a></p></div>`
}
