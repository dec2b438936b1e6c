import { type Html, html, type Part } from '../../pages/html.ts'
import type { Answered, CandidateData } from '../../resources/candidates/index.ts'
import { companyOf } from '../shell.ts'
import type { Texts } from '../texts/en.ts'
import { siteLink } from '../visit.ts'
import type { OwnVisit } from './pages.ts'
import { longClass, shownTime, sizeInWords } from './words.ts'

type Json = Readonly<Record<string, unknown>>

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** Fields whose values are words of the service; all others hold what people wrote. */
export const OUR_WORDS: readonly string[] = [
  'kind',
  'field',
  'status',
  'origin',
  'acquisition',
  'consent_basis',
  'source',
  'call_status',
  'completion_state',
  'consent_state',
  'match_tier',
  'education_level',
  'order_status',
  'interview_status',
  'candidate_wish',
]

/** Names of records, which only programs need: they are in the file. */
export const isReference = (key: string): boolean => key === 'id' || key === 'mime' || key.endsWith('_id')

const wordOf = (words: Readonly<Record<string, string>>, key: string, other: string): string =>
  (Object.hasOwn(words, key) ? words[key] : undefined) ?? other

/** A stored value for people: times in their language, lists and objects as lists. Empty values are left out. */
function shownValue(texts: Texts, value: unknown): Part {
  if (isEmpty(value)) return undefined
  if (typeof value === 'boolean') return value ? texts.candidate.data.yes : texts.candidate.data.no
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return TIME.test(value) ? shownTime(value, texts) : lines(value)
  if (!Array.isArray(value)) return rows(texts, value as Json)
  const parts = value.filter(one => !isEmpty(one))
  return parts.every(one => typeof one === 'object')
    ? parts.map(one => html`<div class="entry">${shownValue(texts, one)}</div>`)
    : html`<ul>${parts.map(one => html`<li>${shownValue(texts, one)}</li>`)}</ul>`
}

/** Also a record that has nothing but references. */
const isEmpty = (value: unknown): boolean => {
  if (value === null || value === undefined || value === '') return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isEmpty)
  return Object.entries(value).every(([key, one]) => isReference(key) || isEmpty(one))
}

const lines = (text: string): Part => text.split('\n').map((line, i) => (i === 0 ? line : html`<br>${line}`))

/** A text of a field: a word of the service in the language of the page, or what people wrote. */
function namedValue(texts: Texts, key: string, value: string): Part {
  const { values } = texts.candidate.data
  if (key === 'seniority') return wordOf(texts.job.levels, value, value)
  // the same word may mean different things in two fields
  return OUR_WORDS.includes(key)
    ? wordOf(values, `${key}.${value}`, wordOf(values, value, value))
    : shownValue(texts, value)
}

const rows = (texts: Texts, record: Json): Html => {
  const { fields } = texts.candidate.data
  return html`<dl class="facts rows">${Object.entries(record).map(([key, value]) => {
    if (isReference(key) || isEmpty(value)) return undefined
    const shown = typeof value === 'string' ? namedValue(texts, key, value) : shownValue(texts, value)
    return html`<div><dt>${wordOf(fields, key, key.replaceAll('_', ' '))}</dt><dd dir="auto"${longClass(value)}>${shown}</dd></div>`
  })}</dl>`
}

/** Answers under the questions to which they were given. */
function answersUnder(texts: Texts, answers: readonly Answered[]): Part {
  const given = answers.filter(({ answer }) => !isEmpty(answer))
  if (given.length === 0) return undefined
  return html`<dl class="facts rows">${given.map(
    ({ question, answer }) =>
      html`<div><dt>${question ?? texts.candidate.data.fields.answer}</dt><dd dir="auto"${longClass(answer)}>${shownValue(texts, answer)}</dd></div>`,
  )}</dl>`
}

/** All data in a form for people, complete when printed. */
export function dataPage(visit: OwnVisit, data: CandidateData): Html {
  const { texts } = visit
  const { data: words, back } = texts.candidate
  const company = companyOf(visit.site)
  const section = (title: string, body: unknown): Html => {
    const shown = shownValue(texts, body)
    return html`<section><h2>${title}</h2>${shown ?? html`<p class="soft">${words.none}</p>`}</section>`
  }
  const titled = (title: string, shown: Part): Part => shown !== undefined && html`<h4>${title}</h4>${shown}`
  const part = (title: string, value: unknown): Part => titled(title, shownValue(texts, value))
  const questions = (title: string, answers: readonly Answered[]): Part => titled(title, answersUnder(texts, answers))
  const { first_name, last_name, full_name, location, linkedin_url, github_url, portfolio_url, email, phone, ...rest } =
    data.person
  const internal = data.applications.map(({ internal }) => internal)
  const count = (name: 'notes' | 'scorecards' | 'interviews' | 'tags' | 'stage_changes' | 'check_results') =>
    internal.reduce((sum, one) => sum + one[name].length, 0)
  return html`<div class="narrow" data-times="${texts.language.locale}">
<p class="eyebrow no-print"><a href="${siteLink(visit, '/me')}">← ${back}</a></p>
<h1>${words.pageTitle(company)}</h1>
<p class="soft">${words.madeAt} ${shownTime(data.generated_at, texts)}</p>
<p class="no-print">${words.print}</p>
<p class="actions no-print"><a class="button secondary" href="${siteLink(visit, '/me/data.json')}" download>${words.json}</a></p>
${section(words.person, { first_name, last_name, full_name, email, phone, location, linkedin_url, github_url, portfolio_url })}
${section(words.contacts, data.contact_values)}
${section(words.provenance, rest)}
<section><h2>${words.preferences}</h2><p>${
    visit.session.person.unsubscribed ? texts.candidate.emails.off(company) : texts.candidate.emails.on(company)
  }</p>${shownValue(texts, data.email_preferences)}</section>
<section><h2>${words.applications}</h2>
${data.applications.length === 0 && html`<p class="soft">${words.none}</p>`}
${data.applications.map(
  ({
    answers,
    consents,
    equal_opportunity,
    prescreen,
    score,
    phone_screening,
    checks,
    internal,
    job,
    state,
    ...facts
  }) => html`
<section class="panel"><h3>${(job as { title: string }).title}</h3>
<p>${state === 'withdrawn' ? texts.candidate.withdrawnByTeam.state : texts.candidate.states[state]}</p>${rows(texts, facts)}
${questions(words.answers, answers)}${part(words.consents, consents)}${questions(words.equalOpportunity, equal_opportunity)}${questions(words.prescreen, prescreen)}${part(words.score, score)}${part(words.screening, phone_screening)}${part(words.checks, checks)}</section>`,
)}</section>
${data.pending_submissions.length > 0 && section(words.pending, data.pending_submissions)}
${section(
  words.files,
  data.files.map(({ filename, bytes, created_at }) => ({ filename, size: sizeInWords(texts, bytes), created_at })),
)}
${section(words.profiles, data.resume_profiles)}
<section><h2>${words.sourced}</h2><p class="soft">${words.sourcedText}</p>${shownValue(texts, data.sourced_profiles) ?? html`<p class="soft">${words.none}</p>`}</section>
${data.interviews.length > 0 && section(words.interviews, data.interviews)}
${section(words.emails, data.emails)}
${section(
  words.recipients,
  data.recipients.map(({ times, ...read }) => ({ ...read, times: words.times(times) })),
)}
<section><h2>${words.internal}</h2><p>${words.internalText(company)}</p>
<p>${words.internalCounts(count('notes'), count('scorecards'), count('tags'), count('stage_changes'), count('check_results'), count('interviews'))}</p></section>
</div>`
}
