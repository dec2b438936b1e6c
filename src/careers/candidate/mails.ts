import type { Mail } from '../../kernel/mail/mail.ts'
import { html } from '../../pages/html.ts'
import type { MailFacts, WriteMail } from '../../resources/candidates/index.ts'
import { textsIn } from '../language.ts'
import { en, type Texts } from '../texts/en.ts'
import { timeOf } from '../wording.ts'

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
    const value = Object.hasOwn(variables, name) ? variables[name]! : ''
    return value === '' ? '' : blank + value
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
  const greeted = (body: readonly string[]) => [mail.greeting(firstName), ...body]
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
    return { subject: subject(company), paragraphs: greeted(body(company, timeOf(facts.at, texts))), link, button }
  }
  const { subject, body, link, button } = kind === 'access' ? mail.access : mail.emailChange
  return { subject: subject(company), paragraphs: greeted(body(company)), link, button }
}

/** An email in the language of the candidate, as text and as HTML with the same words. */
export const writeCandidateMail: WriteMail = (facts): Pick<Mail, 'subject' | 'text' | 'html'> => {
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
  const reason = mail.reason(facts.company)
  const text = [
    ...paragraphs.flatMap(part => [part, '']),
    link,
    facts.link,
    '',
    ...(life === undefined ? [] : [life, '']),
    '----',
    reason,
    ...(unsubscribeUrl === null ? [] : [`${mail.unsubscribe}: ${unsubscribeUrl}`]),
    '',
  ].join('\n')
  const lines = (part: string) => part.split('\n').map((line, i) => (i === 0 ? line : html`<br>${line}`))
  const page = html`<!doctype html>
<html lang="${texts.language.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body>
${paragraphs.map(part => html`<p>${lines(part)}</p>\n`)}<p><a href="${facts.link}">${button}</a></p>
${life && html`<p>${life}</p>\n`}<hr>
<p><small>${reason}${unsubscribeUrl && html`<br><a href="${unsubscribeUrl}">${mail.unsubscribe}</a>`}</small></p>
</body></html>`
  return { subject, text, html: page.text }
}
