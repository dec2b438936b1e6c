import { type Html, html, type Part } from '../../pages/html.ts'
import type { WaitingSubmission } from '../../resources/applications/index.ts'
import { fillSentence } from '../language.ts'
import { siteLink } from '../visit.ts'
import { findDetailLabel } from './details.ts'
import { csrf, type OwnVisit } from './pages.ts'
import { longClass, shownTime } from './words.ts'

/** The forms that wait for the person's choice, newest first; nothing where none does. */
export function pendingPart(visit: OwnVisit, waiting: readonly WaitingSubmission[]): Part {
  const { pending } = visit.texts.candidate
  if (waiting.length === 0) return undefined
  return html`<section aria-labelledby="pending" data-times="${visit.texts.language.locale}"><h2 id="pending">${pending.title}</h2>
<p>${pending.text}</p>
<ul class="plain">${waiting.map(one => pendingForm(visit, one))}</ul></section>`
}

function pendingForm(
  visit: OwnVisit,
  { id, job_title, submitted_at, details, content, files, questions }: WaitingSubmission,
): Html {
  const { candidate } = visit.texts
  const { pending } = candidate
  const name = [details.first_name, details.last_name].filter(Boolean).join(' ')
  const fact = (label: string, value: Part): Html =>
    html`<div><dt>${label}</dt><dd dir="auto"${longClass(value)}>${value || html`<span class="soft">${candidate.details.none}</span>`}</dd></div>`
  const button = (what: 'use' | 'discard', look: string, label: string) =>
    html`<form method="post" action="${siteLink(visit, `/me/submissions/${id}/${what}`)}">${csrf(visit)}<button class="button ${look}" type="submit" aria-label="${label}">${pending[what]}</button></form>`
  const number = content?.screening_phone
  return html`<li class="panel"><h3>${job_title}</h3>
<p class="soft">${fillSentence(candidate.appliedOn, shownTime(submitted_at, visit.texts))}</p>
<dl class="facts rows">${fact(pending.name, name)}${fact(findDetailLabel(candidate, 'phone'), details.phone)}${fact(findDetailLabel(candidate, 'linkedin_url'), details.linkedin_url)}${number && number !== details.phone ? fact(pending.screeningPhone, number) : ''}${answersIn(content).map(([field, answer]) => fact(questions[field] ?? pending.answer, answer))}${resumeFirst(
    files,
  ).map(
    file =>
      html`<div><dt>${file.field_id === null ? candidate.resume : (questions[file.field_id] ?? candidate.document)}</dt><dd><a href="${siteLink(visit, `/me/files/pending/${file.id}`)}" aria-label="${candidate.downloadOf(file.filename)}">${file.filename}</a></dd></div>`,
  )}</dl>
<p class="soft">${content === null ? pending.detailsOnly : pending.replaces}</p>
<div class="actions">${button('use', '', pending.useOf(name, job_title))}${button('discard', 'secondary', pending.discardOf(name, job_title))}</div></li>`
}

/** Texts alone: they are what a person recognizes their own form by. */
const answersIn = (content: WaitingSubmission['content']): [field: string, answer: string][] =>
  Object.entries(content?.answers ?? {}).flatMap(([field, answer]) =>
    typeof answer === 'string' ? [[field, answer] as [string, string]] : [],
  )

const resumeFirst = (files: WaitingSubmission['files']) =>
  files.toSorted((a, b) => Number(a.field_id !== null) - Number(b.field_id !== null))
