import { DETAIL_LENGTHS, REPLY_LENGTH } from '../../contract/limits.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import { notice } from '../../pages/page.ts'
import {
  type LandingPage,
  type OwnApplication,
  type OwnCheck,
  type OwnConsent,
  type OwnFile,
  type ProvenPage,
  publicState,
} from '../../resources/candidates/index.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import type { CandidateInterview } from '../../resources/interviews/index.ts'
import { buildAccept } from '../apply/files.ts'
import { RESUME } from '../apply/questions.ts'
import { companyOf } from '../shell.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { formatDay } from '../wording.ts'
import { checkRows } from './check-pages.ts'
import { DETAILS, type Detail, type DetailFaults, detailsOf, findDetailLabel } from './details.ts'
import { interviewRows } from './interview-rows.ts'
import { type CandidateSession, isProved } from './session.ts'
import { sizeInWords } from './words.ts'

/** A page of a person who opened a mailed link. */
export interface OwnVisit extends SiteVisit {
  session: CandidateSession
}

export const csrf = ({ session }: OwnVisit): Html =>
  html`<input type="hidden" name="csrf" value="${session.csrfToken}">`

const status = (text: Part): Html => html`<div class="notice good" role="status">${text}</div>`

export const back = (visit: SiteVisit): Html =>
  html`<p class="eyebrow no-print"><a href="${siteLink(visit, '/me')}">← ${visit.texts.candidate.back}</a></p>`

interface Fault {
  id: string
  text: string
}

/** The faults of a form above it, each leading to its question. */
const faultLinks = (visit: SiteVisit, faults: readonly Fault[]): Part =>
  faults.length > 0 &&
  html`<div class="error-summary" role="alert" tabindex="-1"><h2>${visit.texts.candidate.details.faults}</h2>
<ul>${faults.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></div>`

interface Question {
  id: string
  label: Part
  hint?: string | undefined
  fault?: string | undefined
  /** the control, given the attributes that connect it with hint and fault */
  control: (attributes: Html) => Html
}

function question({ id, label, hint, fault, control }: Question): Html {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const attributes = html`${described && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}`
  return html`<div class="field${fault && ' invalid'}"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${fault && html`<p class="fault" id="${id}-fault">${fault}</p>`}${control(attributes)}</div>`
}

const emailQuestion = (id: string, label: string, value: string, hint?: string, fault?: string): Html =>
  question({
    id,
    label,
    hint,
    fault,
    control: attributes =>
      html`<input id="${id}" name="email" type="email" autocomplete="email" maxlength="${DETAIL_LENGTHS.email}" required value="${value}"${attributes}>`,
  })

/** Asks for a link. The page after it is the same for everyone. */
export function askPage(
  visit: SiteVisit,
  state: { email?: string; fault?: string | undefined; note?: string | undefined } = {},
): Html {
  const { ask } = visit.texts.candidate
  const { email = '', fault, note } = state
  return html`<div class="narrow"><h1>${ask.title}</h1>
${note && notice('info', note)}
<p class="lead">${ask.intro(companyOf(visit.site))}</p>
${faultLinks(visit, fault === undefined ? [] : [{ id: 'email', text: fault }])}
<form class="form" method="post" action="${siteLink(visit, '/applications')}" novalidate>
${emailQuestion('email', ask.email, email, ask.emailHint, fault)}
<p class="actions"><button class="button large" type="submit">${ask.send}</button></p>
</form></div>`
}

export function sentPage(visit: SiteVisit): Html {
  const { ask } = visit.texts.candidate
  return html`<div class="narrow"><h1>${ask.sentTitle}</h1>
<p class="lead">${ask.sent(companyOf(visit.site))}</p>
<p class="soft">${ask.sentAgain}</p>
<p class="actions"><a class="button secondary" href="${siteLink(visit, '/applications')}">${ask.again}</a></p></div>`
}

/** What a mailed link opens: a button, because programs that check emails open links by themselves. */
export function linkPage(
  visit: SiteVisit,
  { token, newAddress, opens }: { token: string; newAddress: string | null; opens: LandingPage | undefined },
): Html {
  const { link } = visit.texts.candidate
  const isChange = newAddress !== null
  return html`<div class="narrow"><h1>${isChange ? link.changeTitle : link.openTitle}</h1>
<p class="lead">${isChange ? link.changeText(newAddress, companyOf(visit.site)) : link.openText}</p>
<form method="post" action="${siteLink(visit, isChange ? '/link/email' : '/link', opens === undefined ? {} : { opens })}"><input type="hidden" name="token" value="${token}">
<p class="actions"><button class="button large" type="submit">${isChange ? link.changeButton : link.openButton}</button></p></form></div>`
}

/** One message and the way to a new link. */
const linkMessage = (visit: SiteVisit, title: string, text: string): Html =>
  html`<div class="narrow"><h1>${title}</h1>
<p class="lead">${text}</p>
<p class="actions"><a class="button" href="${siteLink(visit, '/applications')}">${visit.texts.candidate.link.ask}</a></p></div>`

export const expiredPage = (visit: SiteVisit): Html =>
  linkMessage(visit, visit.texts.candidate.link.expiredTitle, visit.texts.candidate.link.expiredText)

export const changedPage = (visit: SiteVisit): Html =>
  linkMessage(visit, visit.texts.candidate.link.changedTitle, visit.texts.candidate.link.changedText)

export const changeFailedPage = (visit: SiteVisit): Html =>
  linkMessage(visit, visit.texts.candidate.link.failedTitle, visit.texts.candidate.link.failedText)

export const refusedRequestPage = (visit: SiteVisit): Html =>
  linkMessage(visit, visit.texts.candidate.refusedTitle, visit.texts.candidate.refusedText)

/** Why a link is needed first, and the button that mails it. */
function proveForm(visit: OwnVisit, opens: ProvenPage): Html {
  const { prove } = visit.texts.candidate
  return html`<p>${prove.text(visit.session.person.email ?? '')}</p>
<form method="post" action="${siteLink(visit, '/me/link')}">${csrf(visit)}<input type="hidden" name="opens" value="${opens}">
<p class="actions"><button class="button" type="submit">${prove.button}</button></p></form>`
}

export const provePage = (visit: OwnVisit, opens: ProvenPage): Html =>
  html`<div class="narrow">${back(visit)}<h1>${visit.texts.candidate.prove.title}</h1>
${proveForm(visit, opens)}</div>`

/** After the button above: the person is known, so the page can name the address. */
export const proofSentPage = (visit: OwnVisit): Html =>
  html`<div class="narrow">${back(visit)}<h1>${visit.texts.candidate.ask.sentTitle}</h1>
<p class="lead">${visit.texts.candidate.prove.sent(visit.session.person.email ?? '')}</p></div>`

export function tooManyLinksPage(visit: OwnVisit, minutes: number): Html {
  const { tooMany } = visit.texts.candidate
  return html`<div class="narrow">${back(visit)}<h1>${tooMany.title}</h1>
<p class="lead">${tooMany.text(minutes)}</p></div>`
}

const TAGS = { received: 'info', in_review: 'accent', decided: '', withdrawn: '' } as const

/** While no decision was made, the person can withdraw and send another résumé. */
export const isUndecided = ({ status }: OwnApplication): boolean =>
  ['received', 'in_review'].includes(publicState(status))

function applicationRow(
  visit: OwnVisit,
  application: OwnApplication,
  { checks, interviews }: Pick<Overview, 'checks' | 'interviews'>,
): Html {
  const { candidate } = visit.texts
  const state = publicState(application.status)
  const { job_slug, job_title } = application
  const own = { state: candidate.states[state], text: candidate.stateTexts[state] }
  const said = application.withdrawn_by === 'team' ? candidate.withdrawnByTeam : own
  const resume = application.has_resume ? candidate.newResume.replace : candidate.newResume.add
  const title = job_slug === null ? job_title : html`<a href="${siteLink(visit, jobBelow(job_slug))}">${job_title}</a>`
  return html`<li class="panel"><h3>${title}</h3>
<p><span class="tag ${TAGS[state]}">${said.state}</span> <span class="soft">${candidate.appliedOn(formatDay(application.applied_at, visit.texts))}</span></p>
<p class="soft">${said.text}</p>
${isUndecided(application) && application.is_resume_unreadable && html`<p class="notice info">${candidate.newResume.unreadable}</p>`}
${
  isUndecided(application) &&
  html`<p class="actions"><a class="button secondary" href="${siteLink(visit, `/me/applications/${application.id}/resume`)}" aria-label="${resume.of(job_title)}">${resume.action}</a><a class="button secondary" href="${siteLink(visit, `/me/applications/${application.id}/withdraw`)}" aria-label="${candidate.withdraw.of(job_title)}">${candidate.withdraw.action}</a></p>`
}<p><a href="${siteLink(visit, `/me/applications/${application.id}/write`)}" aria-label="${candidate.write.of(companyOf(visit.site), job_title)}">${candidate.write.action(companyOf(visit.site))}</a></p>${interviewRows(visit, application, interviews)}${checkRows(visit, application, checks)}</li>`
}

const fileRow = (visit: OwnVisit, file: OwnFile): Html => {
  const { candidate } = visit.texts
  const what = file.kind === 'resume' ? candidate.resume : (file.question ?? candidate.document)
  return html`<li class="file"><span class="file-name">${file.filename}</span>
<span class="file-state">${what} · ${sizeInWords(visit.texts, file.bytes)}</span>
<a href="${siteLink(visit, `/me/files/${file.kind}/${file.id}`)}" aria-label="${candidate.downloadOf(file.filename)}">${candidate.download}</a></li>`
}

/** Each consent that was given, with the way to withdraw it. */
function consentSection(visit: OwnVisit, consents: readonly OwnConsent[]): Html {
  const { candidate } = visit.texts
  const { consents: t } = candidate
  return html`<section aria-labelledby="consents"><h2 id="consents">${t.title}</h2>
<p>${t.text}</p>
<ul class="plain">${consents.map(
    consent => html`<li class="panel"><p dir="auto">${consent.label}</p>
<p class="soft">${t.given(consent.job_title, formatDay(consent.at, visit.texts))}</p>
${
  consent.withdrawn_at === null
    ? html`<form method="post" action="${siteLink(visit, '/me/consents')}">${csrf(visit)}<input type="hidden" name="application" value="${consent.application_id}"><input type="hidden" name="consent" value="${consent.field_id}"><p class="actions"><button class="button secondary" type="submit" aria-label="${t.of(consent.label)}">${t.action}</button></p></form>`
    : html`<p>${t.withdrawn(formatDay(consent.withdrawn_at, visit.texts))}</p>`
}</li>`,
  )}</ul></section>`
}

export interface Overview {
  applications: readonly OwnApplication[]
  checks: readonly OwnCheck[]
  interviews: readonly CandidateInterview[]
  files: readonly OwnFile[]
  consents: readonly OwnConsent[]
  /** forms that wait for a choice */
  pending: Part
  done: string | undefined
}

export function overviewPage(
  visit: OwnVisit,
  { applications, checks, interviews, files, consents, pending, done }: Overview,
): Html {
  const { texts, session } = visit
  const { candidate } = texts
  const { person } = session
  const company = companyOf(visit.site)
  const values = detailsOf(person)
  return html`<div class="narrow">
<h1>${candidate.title}</h1>
<div class="own-top"><p class="soft">${candidate.signedInAs(person.email ?? '')}</p>
<form method="post" action="${siteLink(visit, '/me/sign-out')}">${csrf(visit)}<button class="button quiet" type="submit">${candidate.signOut}</button></form></div>
${done && status(done)}
${pending}
<section aria-labelledby="applications"><h2 id="applications">${candidate.applications}</h2>
${
  applications.length === 0
    ? html`<p>${candidate.noApplications}</p><p><a href="${siteLink(visit)}">${candidate.findJobs}</a></p>`
    : html`<ul class="plain">${applications.map(application => applicationRow(visit, application, { checks, interviews }))}</ul>`
}</section>
<section aria-labelledby="documents"><h2 id="documents">${candidate.documents}</h2>
${files.length === 0 ? html`<p class="soft">${candidate.noDocuments}</p>` : html`<ul class="plain">${files.map(file => fileRow(visit, file))}</ul>`}</section>
<section aria-labelledby="details"><h2 id="details">${candidate.details.title}</h2>
<dl class="facts rows">${DETAILS.map(
    ({ name }) =>
      html`<div><dt>${findDetailLabel(candidate, name)}</dt><dd dir="auto">${values[name] || html`<span class="soft">${candidate.details.none}</span>`}</dd></div>`,
  )}<div><dt>${candidate.details.email}</dt><dd>${person.email}</dd></div></dl>
<p class="actions"><a class="button secondary" href="${siteLink(visit, '/me/details')}">${candidate.details.change}</a></p></section>
${consents.length > 0 && consentSection(visit, consents)}
<section aria-labelledby="emails"><h2 id="emails">${candidate.emails.title}</h2>
<p>${person.unsubscribed ? candidate.emails.off(company) : candidate.emails.on(company)}</p>
<form method="post" action="${siteLink(visit, '/me/emails')}">${csrf(visit)}<input type="hidden" name="subscribed" value="${person.unsubscribed ? 'yes' : 'no'}">
<p class="actions"><button class="button secondary" type="submit">${person.unsubscribed ? candidate.emails.subscribe : candidate.emails.unsubscribe}</button></p></form></section>
<section aria-labelledby="data"><h2 id="data">${candidate.data.title}</h2>
<p>${candidate.data.text}</p>
<p class="actions"><a class="button secondary" href="${siteLink(visit, '/me/data')}">${candidate.data.see}</a><a class="button secondary" href="${siteLink(visit, '/me/data.json')}" download>${candidate.data.json}</a></p></section>
<section aria-labelledby="erasure"><h2 id="erasure">${candidate.erasure.title}</h2>
<p>${candidate.erasure.text}</p>
<p class="actions"><a class="button secondary" href="${siteLink(visit, '/me/erasure')}">${candidate.erasure.start}</a></p></section>
</div>`
}

export function withdrawPage(visit: OwnVisit, application: OwnApplication, reason = '', fault?: string): Html {
  const { withdraw } = visit.texts.candidate
  return html`<div class="narrow">${back(visit)}<h1>${withdraw.title}</h1>
<p class="lead">${withdraw.text(application.job_title)}</p>
${application.has_pending && html`<p>${withdraw.pending}</p>`}
${faultLinks(visit, fault === undefined ? [] : [{ id: 'reason', text: fault }])}
<form class="form" method="post" action="${siteLink(visit, `/me/applications/${application.id}/withdraw`)}">${csrf(visit)}
${question({
  id: 'reason',
  label: html`${withdraw.reason} <span class="optional">(${withdraw.optional})</span>`,
  hint: withdraw.reasonHint,
  fault,
  control: attributes =>
    html`<textarea id="reason" name="reason" rows="4" dir="auto"${attributes}>${reason}</textarea>`,
})}
<p class="actions"><button class="button danger" type="submit">${withdraw.button}</button><a class="button secondary" href="${siteLink(visit, '/me')}">${withdraw.keep}</a></p>
</form></div>`
}

interface WriteState {
  formId: string
  body?: string
  fault?: string
}

/** A text to the people who hire, about one application. */
export function writePage(
  visit: OwnVisit,
  application: OwnApplication,
  { formId, body = '', fault }: WriteState,
): Html {
  const { write } = visit.texts.candidate
  const company = companyOf(visit.site)
  return html`<div class="narrow">${back(visit)}<h1>${write.title(company)}</h1>
<p class="lead">${write.text(application.job_title)}</p>
${faultLinks(visit, fault === undefined ? [] : [{ id: 'text', text: fault }])}
<form class="form" method="post" action="${siteLink(visit, `/me/applications/${application.id}/write`)}" novalidate>${csrf(visit)}<input type="hidden" name="form" value="${formId}">
${question({
  id: 'text',
  label: write.label,
  hint: write.hint,
  fault,
  control: attributes =>
    html`<textarea id="text" name="text" rows="8" required maxlength="${REPLY_LENGTH}" dir="auto"${attributes}>${body}</textarea>`,
})}
<p class="actions"><button class="button" type="submit">${write.button}</button><a class="button secondary" href="${siteLink(visit, '/me')}">${write.cancel}</a></p>
</form></div>`
}

export function notWrittenPage(visit: OwnVisit): Html {
  const { write } = visit.texts.candidate
  return html`<div class="narrow">${back(visit)}<h1>${write.title(companyOf(visit.site))}</h1>
${notice('warn', write.notPossible, { alert: true })}</div>`
}

/** Another résumé for an application, or its first one. */
export function resumePage(visit: OwnVisit, application: OwnApplication, fault?: string): Html {
  const { candidate, apply } = visit.texts
  const { newResume } = candidate
  const { title } = application.has_resume ? newResume.replace : newResume.add
  return html`<div class="narrow">${back(visit)}<h1>${title}</h1>
<p class="lead">${newResume.text(application.job_title)}</p>
${faultLinks(visit, fault === undefined ? [] : [{ id: 'resume', text: fault }])}
<form class="form" method="post" enctype="multipart/form-data" action="${siteLink(visit, `/me/applications/${application.id}/resume`)}">${csrf(visit)}
${question({
  id: 'resume',
  label: candidate.resume,
  hint: apply.fileHint,
  fault,
  control: attributes =>
    html`<div class="drop"><input id="resume" name="${RESUME}" type="file" accept="${buildAccept({ name: RESUME })}" required${attributes}></div>`,
})}
<p class="actions"><button class="button" type="submit">${newResume.button}</button><a class="button secondary" href="${siteLink(visit, '/me')}">${newResume.cancel}</a></p>
</form></div>`
}

export function resumeClosedPage(visit: OwnVisit, application: OwnApplication): Html {
  const { newResume } = visit.texts.candidate
  return html`<div class="narrow">${back(visit)}<h1>${newResume.replace.title}</h1>
${notice('warn', newResume.notPossible(application.job_title), { alert: true })}</div>`
}

export function notWithdrawnPage(visit: OwnVisit): Html {
  const { withdraw } = visit.texts.candidate
  return html`<div class="narrow">${back(visit)}<h1>${withdraw.title}</h1>
${notice('warn', withdraw.notPossible, { alert: true })}</div>`
}

export interface DetailsState {
  typed?: Record<Detail, string>
  faults?: DetailFaults
  email?: string
  emailFault?: string
  done?: string | undefined
}

function emailForm(visit: OwnVisit, email: string, emailFault: string | undefined): Html {
  const { details } = visit.texts.candidate
  return html`<p>${details.emailText}</p>
<form class="form" method="post" action="${siteLink(visit, '/me/email')}" novalidate>${csrf(visit)}
<p class="soft">${details.email}: ${visit.session.person.email}</p>
${emailQuestion('new-email', details.newEmail, email, undefined, emailFault)}
<p class="actions"><button class="button secondary" type="submit">${details.emailButton}</button></p></form>`
}

export function detailsPage(visit: OwnVisit, state: DetailsState = {}): Html {
  const { candidate } = visit.texts
  const { details } = candidate
  const { typed = detailsOf(visit.session.person), faults = {}, email = '', emailFault, done } = state
  const all = DETAILS.flatMap(({ name }) => {
    const text = faults[name]
    return text === undefined ? [] : [{ id: name, text }]
  })
  return html`<div class="narrow">${back(visit)}<h1>${details.title}</h1>
${done && status(done)}
${faultLinks(visit, [...all, ...(emailFault === undefined ? [] : [{ id: 'new-email', text: emailFault }])])}
<form class="form" method="post" action="${siteLink(visit, '/me/details')}" novalidate>${csrf(visit)}
${DETAILS.map(({ name, most, autocomplete, type }) =>
  question({
    id: name,
    label: findDetailLabel(candidate, name),
    fault: faults[name],
    control: attributes =>
      html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${most}" value="${typed[name]}"${type === 'text' && html` dir="auto"`}${attributes}>`,
  }),
)}
<p class="actions"><button class="button" type="submit">${details.save}</button></p></form>
<section class="form-part" aria-labelledby="change-email"><h2 id="change-email">${details.emailTitle}</h2>
${isProved(visit.session) ? emailForm(visit, email, emailFault) : proveForm(visit, 'details')}</section></div>`
}

export function erasurePage(visit: OwnVisit, state: { fault?: string; failed?: boolean } = {}): Html {
  const { erasure } = visit.texts.candidate
  const { fault, failed } = state
  return html`<div class="narrow">${back(visit)}<h1>${erasure.pageTitle}</h1>
${failed && notice('bad', erasure.failed, { alert: true })}
${faultLinks(visit, fault === undefined ? [] : [{ id: 'confirm', text: fault }])}
<ul>${erasure.what(companyOf(visit.site)).map(line => html`<li>${line}</li>`)}</ul>
<p class="soft">${erasure.keep}</p>
<form class="form" method="post" action="${siteLink(visit, '/me/erasure')}" novalidate>${csrf(visit)}
<div class="field${fault && ' invalid'}">${fault && html`<p class="fault" id="confirm-fault">${fault}</p>`}<div class="choices"><label class="choice boxed"><input id="confirm" type="checkbox" name="confirm" value="yes" required${fault && html` aria-invalid="true" aria-describedby="confirm-fault"`}><span>${erasure.confirm}</span></label></div></div>
<p class="actions"><button class="button danger" type="submit">${erasure.button}</button><a class="button secondary" href="${siteLink(visit, '/me')}">${erasure.cancel}</a></p>
</form></div>`
}

export function erasureBegunPage(visit: SiteVisit, deleteBy: string): Html {
  const { erasure } = visit.texts.candidate
  return html`<div class="narrow"><h1>${erasure.begunTitle}</h1>
<p class="lead">${erasure.begun(formatDay(deleteBy, visit.texts))}</p>
<p>${erasure.begunAfter}</p></div>`
}
