import { type Html, html, type Part } from '../../pages/html.ts'
import { NOINDEX } from '../head.ts'
import { shell, webAddress } from '../shell.ts'
import type { Texts } from '../texts/en.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import type { Entries } from './entries.ts'
import { applyPath, SCRIPT } from './form-page.ts'
import { type FormPart, type Question, questionsIn, RESUME_TEXT } from './questions.ts'
import { type FormTarget, readSentAddress, sealSentAddress } from './token.ts'

const TICK = html`<div class="done-mark" aria-hidden="true"><svg viewBox="0 0 24 24" width="28" height="28" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="m5 13 4 4L19 7"/></svg></div>`

const message = (visit: SiteVisit, title: string, body: Part): Html =>
  shell({ ...visit, title, head: NOINDEX, body: html`<div class="narrow"><h1>${title}</h1>${body}</div>` })

const otherJobs = (visit: SiteVisit): Html =>
  html`<div class="actions"><a class="button" href="${siteLink(visit)}">${visit.texts.apply.otherJobs}</a></div>`

/**
 * The page after sending. It is the same for everyone, so that it says nothing about who applied before, and says only what
 * is true for everyone: an address that may not be used gets no email. It names the address that was typed, so that a
 * mistake in it is seen.
 */
export function donePage(visit: SiteVisit, job: { id: string; slug: string; title: string }): Html {
  const t = visit.texts.apply
  const address = readSentAddress(visit.services.keyring, sentForm(visit, job), visit.query.get(SENT_TO) ?? '')
  return shell({
    ...visit,
    title: t.doneTitle,
    head: NOINDEX,
    scripts: [SCRIPT],
    body: html`<div class="narrow" data-sent="${visit.site.slug}/${job.slug}">${TICK}<h1>${t.doneTitle}</h1>
<p class="lead">${t.done(job.title)}</p><p>${t.doneMail}${address !== undefined && html` <strong>${t.doneAddress(address)}</strong>`}</p><p>${t.doneNext}</p><p>${t.doneAgain}</p>
<p class="soft">${t.doneNoMail(visit.site.contact_email)}</p>
<div class="actions"><a class="button secondary" href="${siteLink(visit)}">${t.otherJobs}</a><a class="button secondary" href="${siteLink(visit, '/applications')}">${visit.texts.frame.yourApplications}</a></div></div>`,
  })
}

/** The parameter of that page with the address, sealed: neither a log nor the history of a browser has it in the open. */
const SENT_TO = 'to'

const sentForm = ({ site }: SiteVisit, { id }: { id: string }): FormTarget => ({
  workspace: site.workspace_id,
  job: id,
})

/** The path of the page after sending, which names this address for some minutes. */
export const donePath = (visit: SiteVisit, job: { id: string; slug: string }, address: string): string =>
  siteLink(visit, applyPath(job, '/done'), {
    [SENT_TO]: sealSentAddress(visit.services.keyring, sentForm(visit, job), address),
  })

export const refusedFormPage = (visit: SiteVisit): Html =>
  message(visit, visit.texts.apply.refusedTitle, html`<p>${visit.texts.apply.refused}</p>${otherJobs(visit)}`)

/** Seconds for a short wait, minutes for a longer one. */
export const waitText = (t: Texts['apply'], seconds: number): string =>
  t.wait(seconds < 90 ? t.seconds(seconds) : t.minutes(Math.ceil(seconds / 60)))

interface TypedForm {
  parts: readonly FormPart[]
  entries: Entries
}

/** The job was closed while the form was open: what was typed can be copied. */
export const closedFormPage = (visit: SiteVisit, form: TypedForm): Html =>
  message(
    visit,
    visit.texts.apply.closedTitle,
    html`<p class="lead">${visit.texts.apply.closedText}</p>${otherJobs(visit)}${typedCopy(visit, form)}`,
  )

/** The company began to take applications elsewhere while the form was open. */
export function elsewherePage(visit: SiteVisit, form: TypedForm, url: string): Html {
  const { apply: t, job } = visit.texts
  const address = webAddress(url)
  const link =
    address !== undefined &&
    html`<div class="actions"><a class="button" href="${address}" rel="noopener">${job.applyAt(new URL(address).host)}</a></div>`
  return message(visit, t.elsewhereTitle, html`<p class="lead">${t.elsewhereText}</p>${link}${typedCopy(visit, form)}`)
}

function typedCopy({ texts }: SiteVisit, { parts, entries }: TypedForm): Part {
  const typed = typedText(parts, entries, texts.apply)
  return (
    typed !== '' &&
    html`<div class="field"><label for="typed">${texts.apply.closedKept}</label><textarea id="typed" rows="14" dir="auto" readonly>
${typed}</textarea></div>`
  )
}

/** The questions that were answered, with their answers, to be copied. */
function typedText(parts: readonly FormPart[], entries: Entries, t: Texts['apply']): string {
  const blocks = questionsIn(parts)
    .filter(({ name, kind }) => kind !== 'consent' && kind !== 'file' && !name.startsWith('equal_opportunity.'))
    .flatMap(question => {
      const answer = entries
        .all(question.name)
        .filter(value => value.trim() !== '')
        .map(value => shownAnswer(question, value, t))
      return answer.length > 0 ? [`${question.label}\n${answer.join(', ')}`] : []
    })
  const resume = entries.first(RESUME_TEXT).trim()
  return [...blocks, ...(resume === '' ? [] : [`${t.pasted}\n${resume}`])].join('\n\n')
}

function shownAnswer({ kind }: Question, value: string, t: Texts['apply']): string {
  if (kind === 'tick') return t.yes
  if (kind !== 'yesno') return value
  return value === 'true' ? t.yes : t.no
}
