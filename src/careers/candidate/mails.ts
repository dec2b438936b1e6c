import { present } from '../../kernel/errors/present.ts'
import { type Html, html, type Part } from '../../pages/html.ts'
import { isCheckMail, isInterviewMail, type MailFacts, type WriteMail } from '../../resources/candidates/index.ts'
import { type EntryTexts, type Invitation, locationOf } from '../../resources/interviews/index.ts'
import { accentVariants, OWN_COLOR } from '../accent-variants.ts'
import { textsIn } from '../language.ts'
import { logoPath } from '../shell.ts'
import { en, type Texts } from '../texts/en.ts'
import { formatMoment, formatSpan, formatTime } from '../wording.ts'
import { checkName } from './check-pages.ts'

const DAY = 86_400
const MINUTE = 60

/** What a workspace's own text may name. */
type Variables = Readonly<Record<string, string>>

/**
 * A text of the workspace with its variables filled in. One that is unknown, or has no value, is left out together with the
 * blank before it. The length is limited, so that the time stays linear.
 */
const filled = (text: string, variables: Variables): string =>
  text.replaceAll(/([ \t]?)\{\{([^{}]{0,60})\}\}/g, (_, blank: string, named: string) => {
    const name = named.trim()
    const value = Object.hasOwn(variables, name) && variables[name]
    return value ? blank + value : ''
  })

const paragraphsOf = (text: string): string[] =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(part => part.trim())
    .filter(part => part !== '')

interface Written {
  subject: string
  paragraphs: readonly string[]
}

/** The workspace's own text for the language, where it has one, or that of the catalogue. */
function written(facts: MailFacts, texts: Texts): Written & { link: string; button: string } {
  const { company, jobTitle, firstName, kind } = facts
  const { mail } = texts
  const own = kind === 'confirmation' ? facts.templates[facts.language] : undefined
  const greeted = (body: readonly string[]) => [mail.greeting(firstName), ...body.filter(part => part !== '')]
  if (kind === 'confirmation') {
    const { subject, body, link, button } = mail.confirmation
    if (own === undefined)
      return { subject: subject(company, jobTitle), paragraphs: greeted(body(company, jobTitle)), link, button }
    const variables = { first_name: firstName ?? '', job_title: jobTitle ?? '', company }
    const paragraphs = paragraphsOf(filled(own.body, variables))
    return { subject: filled(own.subject, variables).trim(), paragraphs, link, button }
  }
  if (kind === 'already_applied') {
    const { subject, body, link, button } = mail.alreadyApplied
    return { subject: subject(company), paragraphs: greeted(body(company, jobTitle)), link, button }
  }
  if (kind === 'email_changed') {
    const { subject, body, link, button } = mail.emailChanged
    const time = formatTime(facts.at, texts)
    return { subject: subject(company), paragraphs: greeted(body(company, time, facts.contact)), link, button }
  }
  if (isCheckMail(kind)) {
    const { subject, body, link, button } = mail.checks[kind]
    const { vendor, minutes, due_at, privacy_url: privacy, ...mailed } = present(facts.check, 'the check')
    const name = checkName(texts, mailed.name)
    const due = due_at === null ? null : formatTime(due_at, texts)
    const check = { company, job: jobTitle, name, vendor, minutes, due, privacy, contact: facts.contact }
    return { subject: subject(company, name), paragraphs: greeted(body(check)), link, button }
  }
  if (isInterviewMail(kind)) {
    const { subject, body, link, button } = texts.interviews.mails[kind]
    const mailed = interviewFacts(facts, texts)
    return { subject: subject(mailed), paragraphs: greeted(body(mailed)), link, button }
  }
  const { subject, body, link, button } =
    kind === 'access' ? mail.access : kind === 'data_copy' ? mail.dataCopy : mail.emailChange
  return { subject: subject(company), paragraphs: greeted(body(company)), link, button }
}

const zoneOf = ({ time_zone, candidate_time_zone }: Invitation): string => candidate_time_zone ?? time_zone

/** What an email about an interview tells. */
function interviewFacts({ company, interview, link }: MailFacts, texts: Texts) {
  const mailed = present(interview, 'the interview')
  const { job_title, kind, span, place, meeting_url, people, candidate_text, times, offered_until, sequence } = mailed
  const zone = zoneOf(mailed)
  return {
    company,
    job: job_title,
    kind: texts.interviews.kinds[kind] ?? kind,
    when: span && formatSpan(span, zone, texts),
    place,
    url: meeting_url,
    people: people.join(', '),
    text: candidate_text,
    times: times.map(time => formatSpan(time, zone, texts)).join('\n'),
    until: offered_until && formatMoment(offered_until, zone, texts),
    isChange: sequence > 0,
    hasPage: link !== null,
  }
}

/** The entry in the calendar of the candidate. */
function interviewEntry({ company, interview, pageUrl }: MailFacts, { interviews: t }: Texts): EntryTexts {
  const { job_title, people, candidate_text, place, meeting_url } = present(interview, 'the interview')
  const lines = [
    people.length > 0 ? t.entryPeople(people.join(', ')) : null,
    place !== null && meeting_url !== null ? meeting_url : null,
    candidate_text,
    pageUrl && t.entryPage(pageUrl),
  ]
  return {
    summary: t.entry(company, job_title),
    description: lines.filter(Boolean).join('\n\n'),
    location: locationOf({ place, meeting_url }),
    ...(pageUrl !== null && { url: pageUrl }),
  }
}

/** An email in the language of the candidate, as text and as HTML with the same words. */
export const writeCandidateMail: WriteMail = (facts): ReturnType<WriteMail> => {
  const texts = textsIn(facts.language) ?? en
  const { mail } = texts
  const { subject, paragraphs, link, button } = written(facts, texts)
  const { linkSeconds, unsubscribeUrl } = facts
  const life =
    linkSeconds === null
      ? undefined
      : linkSeconds >= DAY
        ? mail.linkDays(linkSeconds / DAY)
        : mail.linkMinutes(linkSeconds / MINUTE)
  const foot = [mail.reason(facts.company), ...(facts.contact === null ? [] : [mail.contact(facts.contact)])]
  const text = [
    ...paragraphs.flatMap(part => [part, '']),
    ...(facts.link === null ? [] : [link, facts.link, '']),
    ...(life === undefined ? [] : [life, '']),
    '----',
    ...foot,
    ...(unsubscribeUrl === null ? [] : [`${mail.unsubscribe}: ${unsubscribeUrl}`]),
    '',
  ].join('\n')
  const page = mailPage({ ...facts, texts, subject, paragraphs, button, life, foot })
  const entry = facts.interview && interviewEntry(facts, texts)
  return { subject, text, html: page.text, ...(entry && { entry }) }
}

const lines = (text: string): Part => text.split('\n').map((line, i) => (i === 0 ? line : html`<br>${line}`))

/** Mail programs have neither web fonts nor style sheets. */
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const WIDTH = 560

interface MailPage extends Pick<MailFacts, 'company' | 'look' | 'origin' | 'link' | 'unsubscribeUrl'> {
  texts: Texts
  subject: string
  paragraphs: readonly string[]
  button: string
  life: string | undefined
  foot: readonly string[]
}

/** In tables with inline styles, which every mail program shows. The accent colour is six digits, so it is not markup. */
function mailPage(page: MailPage): Html {
  const { texts, subject, company, look, origin, link, unsubscribeUrl, life, foot } = page
  const { fill, onFill, text: accent } = accentVariants(look.accent_color ?? OWN_COLOR, 'light')
  const logo = logoPath(look)
  const paragraph = (part: Part) => html`<p style="margin:0 0 16px">${part}</p>\n`
  return html`<!doctype html>
<html lang="${texts.language.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;padding:0;background:#f1f3f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f1f3f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" style="width:100%;max-width:${WIDTH}px;background:#ffffff;border-top:4px solid ${fill};border-radius:8px">
<tr><td style="padding:28px 32px 20px;${FONT};font-size:18px;line-height:1.3;font-weight:600;color:#171c26">${
    logo
      ? html`<img src="${origin}${logo}" alt="${company}" height="36" style="height:36px;width:auto;max-width:240px;border:0;display:block">`
      : company
  }</td></tr>
<tr><td style="padding:0 32px 12px;${FONT};font-size:16px;line-height:1.55;color:#171c26">
${page.paragraphs.map(part => paragraph(lines(part)))}${
  link !== null &&
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr><td style="background-color:${fill};border-radius:6px"><a href="${link}" style="display:inline-block;padding:12px 22px;${FONT};font-size:16px;font-weight:600;color:${onFill};text-decoration:none">${page.button}</a></td></tr></table>`
}
${life && html`<p style="margin:0 0 16px;font-size:14px;color:#4c5566">${life}</p>\n`}</td></tr>
<tr><td style="padding:16px 32px 24px;border-top:1px solid #e2e6ec;${FONT};font-size:13px;line-height:1.5;color:#4c5566">${foot.map((part, i) => html`${i > 0 && html`<br>`}${part}`)}${
    unsubscribeUrl && html`<br><a href="${unsubscribeUrl}" style="color:${accent}">${texts.mail.unsubscribe}</a>`
  }</td></tr>
</table></td></tr></table>
</body></html>`
}
