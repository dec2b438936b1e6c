import type { NewEvent } from '../../kernel/feed/append.ts'
import { contactKey, emailKey, linkedinKey } from '../../kernel/text/person-keys.ts'
import { charactersIn } from '../../kernel/text/text.ts'
import { BadLine, lineInteger, lineKey, lineObject, lineText, lineUrl } from '../imports/shape.ts'
import { type AttachmentType, importedFields, PROFILE_MATCH_TIERS } from './shape.ts'

/** The fields that an import can set; columns have the same names. */
export type ProfileField = keyof typeof importedFields
export const PROFILE_FIELDS = Object.keys(importedFields) as ProfileField[]
const isNumber = (name: ProfileField) => importedFields[name].schema['type'] === 'integer'
export const PROFILE_NUMBERS = PROFILE_FIELDS.filter(isNumber)
export const PROFILE_TEXTS = PROFILE_FIELDS.filter(name => !isNumber(name))
const URLS: ReadonlySet<string> = new Set(PROFILE_TEXTS.filter(n => importedFields[n].schema['format'] === 'uri'))

/** A parsed profile of a file. */
export type NewProfile = Record<ProfileField, string | number | null> & {
  id: string
  external_id: string | null
  linkedin_key: string | null
} & ImportedContacts

/** Addresses and numbers as a line of a file has them, separated by semicolons or commas. */
interface ImportedContacts {
  email?: string | null
  phone?: string | null
}

export interface ContactValue {
  field: 'email' | 'phone'
  value: string
  kind: 'work' | 'personal' | 'submitted' | 'mobile' | 'other'
  status: 'verified' | 'unverified' | 'invalid'
  verified_at: string | null
}

/** Parses a line of an import: an object with profile fields and external_id, all optional. */
export function readProfile(line: string, id: string): NewProfile {
  const value = lineObject(line)
  const row: Record<string, string | number | null> = { id }
  for (const name of PROFILE_TEXTS) row[name] = URLS.has(name) ? lineUrl(value, name) : lineText(value, name)
  for (const name of PROFILE_NUMBERS) row[name] = lineInteger(value, name)
  const tier = row['match_tier']
  if (tier !== null && !PROFILE_MATCH_TIERS.includes(tier as (typeof PROFILE_MATCH_TIERS)[number]))
    throw new BadLine(`match_tier must be one of ${PROFILE_MATCH_TIERS.join(', ')}`)
  if (PROFILE_FIELDS.every(name => row[name] === null)) throw new BadLine('it has no field of a profile')
  row['external_id'] = lineKey(value, 'external_id')
  const contacts = { email: lineText(value, 'email'), phone: lineText(value, 'phone') }
  readContacts(contacts)
  Object.assign(row, contacts)
  row['linkedin_key'] = typeof row['linkedin_url'] === 'string' ? (linkedinKey(row['linkedin_url']) ?? null) : null
  return row as unknown as NewProfile
}

const MAX_CONTACTS = 20

/** Each address and number of a line once; nothing is known about them but that the team has them. Throws BadLine. */
export function readContacts({ email, phone }: ImportedContacts): ContactValue[] {
  const split = (text: string | null | undefined, at: RegExp) =>
    (text ?? '')
      .split(at)
      .map(part => part.trim())
      .filter(Boolean)
  const emails = split(email, /[\s,;|]/)
  const phones = split(phone, /[,;|\n]/)
  if (emails.some(value => emailKey(value) === undefined)) throw new BadLine('email must be an email address')
  if (!phones.every(isPhone)) throw new BadLine('phone must be a phone number of at most 50 characters')
  if (emails.length + phones.length > MAX_CONTACTS)
    throw new BadLine(`it has more than ${MAX_CONTACTS} contact details`)
  const values = [...emails.map(value => ['email', value] as const), ...phones.map(value => ['phone', value] as const)]
  const byKey = new Map(values.map(([field, value]) => [contactKey(field, value), { field, value }]))
  return [...byKey.values()].map(one => ({ ...one, kind: 'other', status: 'unverified', verified_at: null }))
}

/** The names of revealed details in events and in `field_states`. */
export const revealedField = ({ field, kind }: Pick<ContactValue, 'field' | 'kind'>): string =>
  field === 'phone' ? 'phone' : kind === 'work' ? 'work_email' : kind === 'personal' ? 'personal_email' : 'email'

/** Stored as found, with text such as `ext.`; the same maximum length as for applicants. */
export const isPhone = (text: string): boolean =>
  charactersIn(text) <= 50 && !/\p{Cc}/u.test(text) && text.replace(/\D/g, '').length >= 4

export const isFilename = (text: string): boolean =>
  text !== '' && charactersIn(text) <= 255 && !/[\p{Cc}\p{Cs}]/u.test(text)

const IMAGES = ['image/jpeg', 'image/png', 'image/webp']
const DOCUMENTS = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/msword',
  'application/rtf',
  'text/rtf',
  'text/plain',
]

/** The media types allowed for each kind of file. Downloads are served with them, so none that a browser would run. */
export const ATTACHMENT_MIMES: Readonly<Record<AttachmentType, readonly string[]>> = {
  profile_photo: IMAGES,
  business_card: [...IMAGES, 'application/pdf'],
  resume: DOCUMENTS,
}

export const profileEvent = (
  type: NewEvent['type'],
  actor: { workspace: string; originKeyId: string | null },
  id: string,
  updatedAt: string,
): NewEvent => ({ type, workspaceId: actor.workspace, id, updatedAt, originKeyId: actor.originKeyId })
