import { join } from 'node:path'
import { asset } from '../../pages/assets.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import { jobBelow } from '../../resources/careers/index.ts'
import type { PublicFormView } from '../../resources/jobs/index.ts'
import { NOINDEX } from '../head.ts'
import { fillSentence } from '../language.ts'
import { shell, webAddress } from '../shell.ts'
import type { Texts } from '../texts/en.ts'
import { type SiteVisit, siteLink } from '../visit.ts'
import { Entries, removeOf, ticketOf } from './entries.ts'
import { acceptedTypes, buildAccept, listEndings } from './files.ts'
import { type CompanyMarks, detectCompanyMarks, markText } from './form-language.ts'
import {
  type FormPart,
  MAX_FILE_BYTES,
  type Question,
  type QuestionCondition,
  questionsIn,
  RESUME,
  RESUME_TEXT,
  RESUME_TEXT_LENGTH,
} from './questions.ts'
import { PUZZLE_BITS, PUZZLES } from './token.ts'

const ours = (name: string) => asset(join(import.meta.dirname, '../assets', name))
export const SCRIPT = ours('apply.js')
const WORKER = ours('apply-work.js')
const STYLE = ours('apply.css')

/** The name of the field that people do not see. */
export const HONEYPOT = 'homepage'

export interface FormPageParts {
  visit: SiteVisit
  job: PublicFormView
  parts: readonly FormPart[]
  token: string
  entries?: Entries
  /** name of the question, and what is wrong */
  faults?: ReadonlyMap<string, string>
  /** the token was too old: a script sends the form again by itself */
  isExpired?: boolean
  /** about the form as a whole */
  notice?: string | undefined
  /** name of the question, the ticket and name of its file */
  files?: ReadonlyMap<string, UploadedFile>
}

export interface UploadedFile {
  ticket: string
  filename: string
}

export const applyPath = (job: { slug: string }, below = ''): string => `${jobBelow(job.slug)}/apply${below}`

/** The page of the form, blank or as it was sent. */
export function formPage(page: FormPageParts): Html {
  const { visit, job, parts, token, entries = new Entries(), faults = new Map(), files = new Map() } = page
  const { texts, site } = visit
  const t = texts.apply
  const questions = questionsIn(parts)
  const marks = detectCompanyMarks(job, texts)
  const context: Context = { t, marks, entries, faults, files, questions }
  const wrong = questions.filter(({ name }) => faults.has(name))
  const privacy = webAddress(site.privacy_url)
  const isReturned = page.entries !== undefined
  const title = wrong.length > 0 ? `${t.faultPrefix} ${t.title(job.title)}` : t.title(job.title)
  return shell({
    ...visit,
    title,
    head: html`${NOINDEX}<meta name="description" content="${texts.feeds.description(job.title)}">`,
    styles: [STYLE],
    scripts: [SCRIPT],
    body: html`<div class="narrow">
<p class="eyebrow"><a href="${siteLink(visit, jobBelow(job.slug))}"><span aria-hidden="true">←</span> ${t.back}</a></p>
<h1>${fillSentence(t.title, markText(job.title, marks.title))}</h1>
<p class="lead">${t.intro}</p>
<div id="apply-notes">${page.notice && html`<div class="notice warn" role="alert" tabindex="-1" data-focus>${page.notice}</div>`}${wrong.length > 0 && faultSummary(wrong, context)}</div>
<form id="apply" class="form" method="post" action="${siteLink(visit, applyPath(job))}" enctype="multipart/form-data" novalidate
 data-draft="${site.slug}/${job.slug}" data-returned="${isReturned ? 'true' : 'false'}"${page.isExpired && html` data-expired`} data-path="${siteLink(visit, applyPath(job))}"
 data-uploads="${siteLink(visit, applyPath(job, '/uploads'))}" data-reading="${siteLink(visit, applyPath(job, '/reading'))}" data-token="${siteLink(visit, applyPath(job, '/token'))}"
 data-worker="${WORKER}" data-puzzles="${PUZZLES}" data-bits="${PUZZLE_BITS}" data-most-bytes="${MAX_FILE_BYTES}" data-most-pasted="${RESUME_TEXT_LENGTH}"
 data-texts="${JSON.stringify(scriptTexts(t))}">
<input type="hidden" name="token" value="${token}" autocomplete="off">
<input type="hidden" name="work" value="" autocomplete="off">
<div class="not-for-people" aria-hidden="true"><label>${t.trap} <input name="${HONEYPOT}" tabindex="-1" autocomplete="off" value=""></label></div>
${parts.map(part => formPart(part, context))}
<div class="form-part send">
${privacy && html`<p class="small"><a href="${privacy}">${t.privacy}</a></p>`}
<p class="small soft" data-plain>${t.noScript}</p>
<div class="actions"><button class="button large" type="submit">${t.send}</button></div>
<p class="soft" id="apply-status" role="status"></p>
</div>
</form>
</div>`,
  })
}

const scriptTexts = (t: Texts['apply']) => ({
  ...t.script,
  fileTooLarge: t.fileTooLarge,
  fileEmpty: t.fileEmpty,
  fileType: t.fileType,
  pastedTooLong: t.tooLong(t.pasted, RESUME_TEXT_LENGTH),
})

interface Context {
  t: Texts['apply']
  marks: CompanyMarks
  entries: Entries
  faults: ReadonlyMap<string, string>
  files: ReadonlyMap<string, UploadedFile>
  questions: readonly Question[]
}

/** All faults, each with a link to its question. */
const faultSummary = (wrong: readonly Question[], { t, faults }: Context): Html =>
  html`<div class="error-summary" role="alert" tabindex="-1" data-focus><h2>${t.faultTitle}</h2><ul>
${wrong.map(({ id, name }) => html`<li><a href="#${id}">${faults.get(name)}</a></li>`)}
</ul></div>`

function formPart(part: FormPart, context: Context): Html {
  const questions = part.questions.map(question => field(question, context))
  const condition = conditionOf(part.condition, context)
  if (part.title === null)
    return html`<div class="form-first"${condition.attribute}>${condition.text}${questions}</div>`
  return html`<section class="form-part"${condition.attribute}><h2${context.marks.mark(part.title)}>${part.title}</h2>
${part.text && html`<p class="soft"${context.marks.mark(part.text)}>${part.text}</p>`}${condition.text}${questions}</section>`
}

/** For the script as data, for readers without it as text. */
function conditionOf(condition: QuestionCondition | null, context: Context): { attribute?: Part; text?: Part } {
  const { t, questions } = context
  const on = condition && questions.find(({ fieldId }) => fieldId === condition.field_id)
  if (!condition || !on) return {}
  const words = condition.values.map((value, i) => [
    i > 0 && ` ${t.or} `,
    on.kind === 'yesno'
      ? t.quoted(value === 'true' ? t.yes : t.no)
      : fillSentence(t.quoted, writeInItsLanguage(value, context)),
  ])
  return {
    attribute: html` data-if="${on.name}" data-values="${JSON.stringify(condition.values)}"`,
    text: html`<p class="hint condition">${fillSentence(t.onlyIf, writeInItsLanguage(on.label, context), words)}</p>`,
  }
}

/** What a company asks may be in another language than the page. */
const writeInItsLanguage = (text: string, { marks }: Context): Part => markText(text, marks.mark(text))

const GROUPS: ReadonlySet<Question['kind']> = new Set(['radios', 'checkboxes', 'yesno'])

function field(question: Question, context: Context): Html {
  const { t, faults } = context
  const { id, hint, required, kind } = question
  const label = writeInItsLanguage(question.label, context)
  const fault = faults.get(question.name)
  const condition = conditionOf(question.condition, context)
  const described = [
    hint && `${id}-hint`,
    condition.text && `${id}-if`,
    fault && `${id}-fault`,
    question.maxLength !== null && kind === 'textarea' && `${id}-count`,
  ]
  const describedBy = described.filter(Boolean).join(' ')
  const notes = html`${hint && html`<p class="hint" id="${id}-hint"${context.marks.mark(hint)}>${hint}</p>`}${condition.text && html`<div id="${id}-if">${condition.text}</div>`}${
    fault &&
    html`<p class="fault" id="${id}-fault"><span><span class="visually-hidden">${t.faultPrefix} </span>${fault}</span></p>`
  }`
  const mark = !required && kind !== 'tick' && html` <span class="optional">${t.optional}</span>`
  const classes = `field${fault ? ' invalid' : ''}`
  const data = html`${condition.attribute} data-question="${question.name}"`
  const aria = html`${describedBy && html` aria-describedby="${describedBy}"`}${fault && html` aria-invalid="true"`}`
  if (kind === 'file') return fileField(question, context, { notes, mark, classes, data, aria })
  if (kind === 'consent' || kind === 'tick') {
    const ticked = context.entries.first(question.name) !== '' && !(kind === 'consent' && fault)
    return html`<div class="${classes}"${data}>${
      fault &&
      html`<p class="fault" id="${id}-fault"><span><span class="visually-hidden">${t.faultPrefix} </span>${fault}</span></p>`
    }${condition.text && html`<div id="${id}-if">${condition.text}</div>`}<div class="choices"><label class="choice${kind === 'consent' && ' boxed'}"><input type="checkbox" id="${id}" name="${question.name}" value="${kind === 'consent' ? question.version : 'true'}"${ticked && html` checked`}${aria}><span>${label}${mark}${hint && html`<span class="consent-text" id="${id}-hint"${context.marks.mark(hint)}>${hint}</span>`}</span></label></div></div>`
  }
  if (GROUPS.has(kind)) {
    return html`<fieldset class="${classes}"${data}${aria}><legend>${label}${mark}</legend>${notes}<div class="choices">${choices(question, context)}</div></fieldset>`
  }
  return html`<div class="${classes}"${data}><label for="${id}">${label}${mark}</label>${notes}${control(question, context, aria)}${
    kind === 'textarea' &&
    question.maxLength !== null &&
    html`<p class="count" id="${id}-count" data-most="${question.maxLength}">${t.count(question.maxLength)}</p>`
  }</div>`
}

function choices({ id, name, kind, options, required }: Question, { t, entries, marks }: Context): Html[] {
  const chosen = entries.all(name)
  const listed: (readonly [string, string])[] =
    kind === 'yesno'
      ? [['true', t.yes], ['false', t.no], ...(required ? [] : ([['', t.noAnswer]] as const))]
      : options.map(option => [option, option] as const)
  const type = kind === 'checkboxes' ? 'checkbox' : 'radio'
  return listed.map(([value, label], i) => {
    const isChosen = value === '' ? chosen.every(each => each === '') : chosen.includes(value)
    // the first input has the id that a link from the summary leads to
    return html`<label class="choice"><input type="${type}" id="${i === 0 ? id : `${id}-${i}`}" name="${name}" value="${value}"${isChosen && html` checked`}><span${kind !== 'yesno' && marks.mark(label)}>${label}</span></label>`
  })
}

const TYPES: Partial<Record<Question['kind'], string>> = { email: 'email', phone: 'tel', url: 'url', date: 'date' }
const MODES: Partial<Record<Question['kind'], string>> = { number: 'decimal', phone: 'tel', url: 'url', email: 'email' }
const SHORT: ReadonlySet<Question['kind']> = new Set(['number', 'date', 'phone'])

function control(question: Question, { t, entries, marks }: Context, aria: Html): Html {
  const { id, name, kind, options, required, maxLength, autocomplete } = question
  const value = entries.first(name)
  const fill = html`${autocomplete ? html` autocomplete="${autocomplete}"` : html` autocomplete="off"`}${required && html` required`}`
  if (kind === 'textarea') {
    return html`<textarea id="${id}" name="${name}" rows="6" dir="auto"${required && html` required`}${aria}>
${value}</textarea>`
  }
  if (kind === 'select') {
    return html`<select id="${id}" name="${name}"${required && html` required`}${aria}><option value="">${required ? t.choose : t.noAnswer}</option>${options.map(
      option =>
        html`<option value="${option}"${marks.mark(option)}${option === value && html` selected`}>${option}</option>`,
    )}</select>`
  }
  const shown = kind === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value) && value !== '' ? 'text' : (TYPES[kind] ?? 'text')
  return html`<input id="${id}" name="${name}" type="${shown}" value="${value}"${kind === 'text' && html` dir="auto"`}${MODES[kind] && html` inputmode="${MODES[kind]}"`}${SHORT.has(kind) && html` class="short"`}${
    // longer texts are not cut: the page says how long they may be
    maxLength !== null && html` data-most="${maxLength}"`
  }${(kind === 'email' || kind === 'url') && html` autocapitalize="none" spellcheck="false"`}${fill}${aria}>`
}

interface FieldParts {
  notes: Html
  mark: Part
  classes: string
  data: Html
  aria: Html
}

function fileField(question: Question, context: Context, { notes, mark, classes, data, aria }: FieldParts): Html {
  const { id, name, required } = question
  const label = writeInItsLanguage(question.label, context)
  const uploaded = context.files.get(name)
  const types = acceptedTypes(question)
  const { t, entries } = context
  return html`<div class="${classes} file-field"${data} data-file data-types="${JSON.stringify(types)}" data-endings="${JSON.stringify(listEndings(types))}"><label for="${id}">${label}${mark}</label>${notes}
<input type="hidden" name="${ticketOf(name)}" value="${uploaded?.ticket}" autocomplete="off" data-filename="${uploaded?.filename}">
${
  uploaded &&
  html`<div class="file" data-kept><span class="file-name">${uploaded.filename}</span><span class="file-state">${t.fileKept}</span><label class="choice"><input type="checkbox" name="${removeOf(name)}" value="true"><span>${t.fileRemove}</span></label></div>`
}
<div class="drop"><span${!uploaded && html` class="drop-text"`}>${uploaded ? t.fileReplace : t.dropText}</span><input type="file" id="${id}" name="${name}" accept="${buildAccept(question)}"${required && !uploaded && html` data-required`}${aria}></div>
${
  name === RESUME &&
  html`<details${entries.first(RESUME_TEXT) !== '' && html` open`}><summary>${t.pasteInstead}</summary><label class="visually-hidden" for="${id}-text">${t.pasted}</label><textarea id="${id}-text" name="${RESUME_TEXT}" rows="8" dir="auto" aria-describedby="${id}-count">
${entries.first(RESUME_TEXT)}</textarea><p class="count" id="${id}-count" data-most="${RESUME_TEXT_LENGTH}">${t.count(RESUME_TEXT_LENGTH)}</p></details>`
}</div>`
}
