import { type Html, html, type Part } from '../../pages/html.ts'
import { notice } from '../../pages/page.ts'
import { ANSWER_LENGTH, type CandidateInterview } from '../../resources/interviews/index.ts'
import { companyOf, webAddress } from '../shell.ts'
import { siteLink } from '../visit.ts'
import { formatClocks, formatDayIn, formatMoment, formatOffset, formatSpan } from '../wording.ts'
import { interviewLink, TAGS, zoneOf } from './interview-rows.ts'
import { back, csrf, type OwnVisit } from './pages.ts'

/* What candidates see of an interview: when, where and with whom; times to choose from; and how to say no. */

export interface InterviewState {
  /** what was just done */
  done?: string | undefined
  fault?: string | undefined
  /** what the person wrote into the form whose text is refused */
  typed?: { form: 'none' | 'move' | 'cancel'; words: string; fault: string }
}

export function interviewPage(visit: OwnVisit, interview: CandidateInterview, state: InterviewState = {}): Html {
  const { interviews: t } = visit.texts
  const { status, job_title, answer } = interview
  const company = companyOf(visit.site)
  const isOpen = status === 'proposed'
  const said = answer === 'none_fits' ? t.none.done : answer === 'move' ? t.move.done : undefined
  return html`<div class="narrow">${back(visit)}<h1>${isOpen ? t.chooseTitle : t.title}</h1>
<p class="lead">${isOpen ? t.forJob(company, job_title) : t.plannedFor(company, job_title)}</p>
${state.done && html`<div class="notice good" role="status">${state.done}</div>`}
${state.fault && notice('warn', state.fault, { alert: true })}
${!state.done && said && notice('info', said)}
<p><span class="tag ${TAGS[status]}">${t.states[status]}</span></p>
${factList(visit, interview)}
${zoneForm(visit, interview)}
${isOpen && timesForm(visit, interview)}
${isOpen && wordsForm(visit, interview, 'none', state)}
${interview.can_ask_to_move && wordsForm(visit, interview, 'move', state)}
${(status === 'scheduled' || isOpen) && wordsForm(visit, interview, 'cancel', state)}</div>`
}

function factList(visit: OwnVisit, interview: CandidateInterview): Html {
  const { texts } = visit
  const { interviews: t } = texts
  const { starts_at, ends_at, kind, place, meeting_url, people, text } = interview
  const fact = (label: string, value: Part): Part =>
    value && html`<div><dt>${label}</dt><dd dir="auto">${value}</dd></div>`
  const zone = zoneOf(visit, interview)
  const link = webAddress(meeting_url)
  const when = starts_at === null || ends_at === null ? undefined : { starts_at, ends_at }
  return html`<dl class="facts rows">${
    when && fact(t.when, html`<time datetime="${when.starts_at}">${formatSpan(when, zone, texts)}</time>`)
  }${fact(t.how, t.kinds[kind])}${fact(t.where, place)}${
    link && fact(t.link, html`<a href="${link}" rel="noreferrer noopener">${link}</a>`)
  }${fact(t.people, people.join(', '))}${
    text !== null &&
    html`<div><dt>${t.message}</dt><dd class="long" dir="auto">${text.split('\n').map((line, i) => html`${i > 0 && html`<br>`}${line}`)}</dd></div>`
  }</dl>`
}

/** Without scripts a menu; the script of the page chooses the zone of the browser. */
function zoneForm(visit: OwnVisit, interview: CandidateInterview): Part {
  const { interviews: t } = visit.texts
  const { id, starts_at, times } = interview
  const instant = starts_at ?? times[0]?.starts_at
  if (instant === undefined) return undefined
  const chosen = zoneOf(visit, interview)
  const lang = visit.query.get('lang')
  return html`<form class="form zone" method="get" action="${siteLink(visit, `/me/interviews/${id}`)}" data-zone="${visit.query.has('zone') ? 'chosen' : ''}">${
    lang !== null && html`<input type="hidden" name="lang" value="${lang}">`
  }
<div class="field"><label for="zone">${t.zone}</label><p class="hint" id="zone-hint">${t.zoneHint}</p>
<select id="zone" name="zone" aria-describedby="zone-hint">${zonesWith(chosen).map(
    zone =>
      html`<option value="${zone}"${zone === chosen && html` selected`}>${zone.replaceAll('_', ' ')} (${formatOffset(instant, zone)})</option>`,
  )}</select></div>
<p class="actions"><button class="button secondary" type="submit">${t.zoneButton}</button></p></form>`
}

let zones: readonly string[] | undefined

function zonesWith(chosen: string): readonly string[] {
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone')]
  return zones.includes(chosen) ? zones : [chosen, ...zones]
}

function timesForm(visit: OwnVisit, interview: CandidateInterview): Html {
  const { texts } = visit
  const { interviews: t } = texts
  const { id, times, offered_until } = interview
  const zone = zoneOf(visit, interview)
  if (times.length === 0) return notice('warn', t.noneLeft)
  const days = Map.groupBy(times, time => formatDayIn(time.starts_at, zone, texts))
  return html`<section aria-labelledby="times"><h2 id="times">${t.times}</h2>
${offered_until !== null && html`<p class="soft">${t.until(formatMoment(offered_until, zone, texts))}</p>`}
<form method="post" action="${interviewLink(visit, id, '/choose')}">${csrf(visit)}<input type="hidden" name="zone" value="${zone}">
${[...days].map(
  ([day, open]) => html`<h3>${day}</h3>
<ul class="plain times">${open.map(
    time =>
      html`<li><span>${formatClocks(time, zone, texts)}</span> <button class="button secondary" type="submit" name="starts_at" value="${time.starts_at}" aria-label="${t.takeOf(formatSpan(time, zone, texts))}">${t.take}</button></li>`,
  )}</ul>`,
)}</form></section>`
}

/** A text to the company, folded away until it is wanted. */
function wordsForm(
  visit: OwnVisit,
  { id }: CandidateInterview,
  form: 'none' | 'move' | 'cancel',
  { typed }: InterviewState,
): Html {
  const { interviews: t } = visit.texts
  const words = t[form]
  const own = typed?.form === form ? typed : undefined
  const isRequired = form !== 'cancel'
  return html`<details class="answer"${own && html` open`}><summary>${words.title}</summary>
<p>${words.text}</p>
<form class="form" method="post" action="${interviewLink(visit, id, `/${form}`)}" novalidate>${csrf(visit)}
<div class="field${own && ' invalid'}"><label for="words-${form}">${words.label}${!isRequired && html` <span class="optional">(${t.optional})</span>`}</label>
${own && html`<p class="fault" id="words-${form}-fault">${own.fault}</p>`}<textarea id="words-${form}" name="words" rows="4" maxlength="${ANSWER_LENGTH}" dir="auto"${isRequired && html` required`}${own && html` aria-invalid="true" aria-describedby="words-${form}-fault"`}>${own?.words}</textarea></div>
<p class="actions"><button class="button ${form === 'cancel' ? 'danger' : 'secondary'}" type="submit">${words.button}</button></p></form></details>`
}
