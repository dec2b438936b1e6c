import { domainToASCII } from 'node:url'

/**
 * Two spellings of an email address or a LinkedIn URL with the same key are the same identifier. Records are matched,
 * deduplicated and suppressed on these keys, so every part of the product makes them here. A key is its own key.
 */

const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
const LOCAL_PART = /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+$/u
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * Lower case, without blanks around it, the domain in ASCII. undefined: not an address. Tags (`+news`) and dots are
 * preserved: what they mean is up to the mail provider, and merging two people is worse than missing a match.
 */
export function emailKey(text: string): string | undefined {
  const trimmed = folded(text)
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  if (at < 1 || local.length > MAX_LOCAL_LENGTH || !LOCAL_PART.test(local)) return undefined
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined
  const domain = domainKey(trimmed.slice(at + 1))
  if (!DOMAIN.test(domain)) return undefined
  const key = `${local}@${domain}`
  return key.length <= MAX_EMAIL_LENGTH ? key : undefined
}

const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase().normalize('NFC')

/**
 * An account is found by this key, and its attempts are counted under it. Total, unlike `emailKey`: people type anything into a
 * sign-in form, and a text that is not an address is not the account of any member.
 */
export const accountKey = (text: string): string => emailKey(text) ?? folded(text)

/**
 * Emails to a mailbox are counted by this key: the address without its tag (`+news`), since every tag may lead to the same
 * mailbox. For counts alone; no record is found by it.
 */
export function mailboxKey(text: string): string {
  const key = accountKey(text)
  const at = key.lastIndexOf('@')
  const tag = key.indexOf('+')
  return tag > 0 && tag < at ? key.slice(0, tag) + key.slice(at) : key
}

/** A domain as it is in the key of an address; empty for what cannot be one. */
export function domainKey(text: string): string {
  const given = folded(text)
  // a name of ASCII letters needs no conversion, which would also accept spaces and forms like %65
  return /^[\x21-\x7e]*$/.test(given) ? given : domainToASCII(given)
}

/** Two spellings of one address or one number have the same. */
export const contactKey = (field: 'email' | 'phone', value: string): string =>
  field === 'email' ? `email ${emailKey(value) ?? value}` : `phone ${value.replace(/[^\d+]/g, '')}`

/** A stored contact value is found by this key; phone numbers are not looked for. */
export const storedEmailKey = (field: 'email' | 'phone', value: string): string | null =>
  field === 'email' ? accountKey(value) : null

/** Mailboxes of a function, read by several people: they identify no person. Compared without tags and separators. */
const ROLE_NAMES = new Set(
  `abuse accounting accounts admin administration administrator admissions all apply applications billing board bookings
  bounce bounces business career careers ceo compliance contact customercare customerservice customersupport cv dataprotection
  devnull donotreply dpo enquiries enquiry events everyone feedback finance ftp gdpr general help helpdesk hello hi hiring
  hostmaster hr humanresources info information inquiries invoices it jobs job kontakt legal list mail mailbox mailerdaemon
  management marketing media news newsletter noc noreply notifications office operations ops orders payments people
  peopleops postmaster press privacy procurement purchasing reception recruit recruiter recruiters recruiting recruitment
  registrar reply resume resumes root sales security service services spam staff staffing subscribe support sysadmin
  talent talentacquisition team tech techsupport undisclosedrecipients unsubscribe usenet uucp vacancies webmaster welcome
  work workwithus www`.split(/\s+/),
)

/** Whether an address is shared by role rather than a person's own. Takes a key made by `emailKey`. */
export function isRoleAddress(key: string): boolean {
  const local = key.slice(0, key.lastIndexOf('@'))
  const name = (local.split('+')[0] ?? '').replace(/[._-]/g, '')
  return ROLE_NAMES.has(name)
}

const RESERVED = /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/

/** Whether RFC 2606 or RFC 6761 reserves the domain: no mailbox exists there. Takes a key made by `emailKey`. */
export const isReservedAddress = (key: string): boolean => RESERVED.test(key.slice(key.lastIndexOf('@') + 1))

const LINKEDIN_HOST = /^(?:(?:[a-z]{2,3}|www|m|mobile|touch)\.)?linkedin\.com$/
/** most URLs do not, which is seen without taking them apart */
const MENTIONS_LINKEDIN = /linkedin\.com/iu
const MAX_URL_LENGTH = 2_000
const MAX_SLUG_LENGTH = 200
const SLUG = /^[\p{L}\p{M}\p{N}\p{S}_.~'’()!*-]+$/u

/**
 * `linkedin.com/in/<name>`: whatever the scheme, the country or mobile host, the query string, trailing parts such as
 * `/en` or `/details/…`, percent-encoding and case. undefined: not the address of a person's profile.
 */
export function linkedinKey(url: string): string | undefined {
  if (!MENTIONS_LINKEDIN.test(url)) return undefined
  const trimmed = url.trim()
  if (trimmed.length > MAX_URL_LENGTH) return undefined
  const address = /^(?:https?:)?\/\//i.test(trimmed) ? trimmed.replace(/^(?:https?:)?\/\//i, '') : trimmed
  const [hostAndPort = '', ...path] = address.replace(/[?#].*/s, '').split('/')
  const host = hostAndPort
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.$/, '')
  if (!LINKEDIN_HOST.test(host)) return undefined
  const [kind, name] = path.filter(part => part !== '')
  if (kind?.toLowerCase() !== 'in' || name === undefined) return undefined
  const slug = decoded(name)?.normalize('NFC').toLowerCase().normalize('NFC')
  return slug !== undefined && slug.length <= MAX_SLUG_LENGTH && SLUG.test(slug) ? `linkedin.com/in/${slug}` : undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // a stray percent sign
  }
}
