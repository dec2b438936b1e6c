import type { AddedSource } from '../../contract/added-sources.ts'
import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { isPhoneNumber } from '../../kernel/http/formats.ts'
import { parseInstant } from '../../kernel/http/params.ts'
import { emailKey, linkedinKey } from '../../kernel/text/person-keys.ts'
import { charactersIn, hasControls, isBlankText } from '../../kernel/text/text.ts'
import { candidateFaults } from './rules.ts'

/** Where a candidate whom the team puts into a job comes from, as the record of a new person has it. */
export interface Acquired {
  acquisition: string
  provider: string | null
}

/** Someone whom the team puts into a job. */
export interface TeamCandidate {
  first_name?: string | undefined
  last_name?: string | undefined
  /** the first is the address of the person's record */
  emails?: readonly string[] | undefined
  phone?: string | undefined
  linkedin_url?: string | undefined
  location?: string | undefined
  /** an open stage of the job; by default the first */
  stage_id?: string | undefined
  source: AddedSource
  /** when they applied somewhere else; by default now */
  applied_at?: string | undefined
  /** The id of the candidate where they come from: in a job, one that is there again is the same candidate */
  external_id?: string | undefined
  /** an upload of the workspace that no application has */
  resume_upload_id?: string | undefined
  /** what a found profile says; otherwise the source says it */
  acquired?: Acquired | undefined
}

/** What was said about how they came, for a new person. No consent is recorded, and no notice was given. */
export function provenanceOf({ source, acquired }: Pick<TeamCandidate, 'source' | 'acquired'>) {
  if (source === 'team:sourced')
    return {
      origin: 'sourced',
      consentBasis: 'legitimate_interest_sourcing',
      ...(acquired ?? { acquisition: 'pool_search', provider: null }),
    } as const
  return {
    origin: 'ats_import',
    acquisition: ACQUISITIONS[source] ?? 'added_by_team',
    provider: null,
    consentBasis: 'customer_provided',
  } as const
}

const ACQUISITIONS: Readonly<Partial<Record<AddedSource, string>>> = {
  'team:referral': 'referral',
  'import:file': 'file_import',
}

const TEXT_LENGTHS = {
  first_name: DETAIL_LENGTHS.name,
  last_name: DETAIL_LENGTHS.name,
  phone: DETAIL_LENGTHS.phone,
  linkedin_url: DETAIL_LENGTHS.url,
  location: DETAIL_LENGTHS.location,
  external_id: 200,
} as const

export const MAX_EMAILS = 5

/** The fault of a detail. `reason` is for pages. */
const fault = (param: string, reason: string, message: string): InputFault => ({ param, reason, message })

/**
 * What is wrong with the details of a candidate, each with its `param`. A name is needed, and one of address, number and
 * profile, unless a profile or a file of another system is what identifies the person.
 */
export function teamCandidateFaults(candidate: TeamCandidate): InputFault[] {
  const { first_name = '', last_name = '', emails = [], phone = '', linkedin_url = '', applied_at } = candidate
  const faults: InputFault[] = []
  if (isBlankText(first_name) && isBlankText(last_name))
    faults.push(fault('last_name', 'name_missing', 'a name is required'))
  const isNamed = !isBlankText(phone) || !isBlankText(linkedin_url) || emails.some(email => !isBlankText(email))
  if (!isNamed && candidate.external_id === undefined)
    faults.push(fault('email', 'contact_missing', 'an email address, a phone number or a LinkedIn URL is required'))
  for (const [name, most] of Object.entries(TEXT_LENGTHS)) {
    const text = candidate[name as keyof typeof TEXT_LENGTHS] ?? ''
    if (charactersIn(text) > most) faults.push(fault(name, 'too_long', `must be at most ${most} characters`))
    if (hasControls(text)) faults.push(fault(name, 'bad_text', 'must be one line without control characters'))
  }
  if (emails.length > MAX_EMAILS) faults.push(fault('email', 'too_many', `at most ${MAX_EMAILS} addresses are stored`))
  for (const email of emails)
    if (emailKey(email) === undefined) faults.push(fault('email', 'not_an_email', 'must be an email address'))
  if (!isBlankText(phone) && !isPhoneNumber(phone))
    faults.push(
      fault('phone', 'not_a_phone', 'must have at least one digit, and otherwise only digits, spaces and + ( ) . -'),
    )
  const isBadProfile = !isBlankText(linkedin_url) && candidateFaults({ linkedin_url }).length > 0
  if (isBadProfile) faults.push(fault('linkedin_url', 'not_linkedin', 'must be an https URL on linkedin.com'))
  if (applied_at !== undefined && !parseInstant(applied_at))
    faults.push(fault('applied_at', 'not_a_time', 'must be a time such as 2026-11-01T00:00:00Z'))
  return faults
}

/** What a candidate is recognized by. */
export interface CandidateKeys {
  emails: string[]
  profile: string | undefined
  /** someone with neither is the same candidate of the job if name and number are the same */
  phone: { number: string; name: string } | undefined
}

export function keysOf({ emails = [], linkedin_url = '', phone = '', ...named }: TeamCandidate): CandidateKeys {
  const keys = [...new Set(emails.flatMap(email => emailKey(email) ?? []))]
  const profile = isBlankText(linkedin_url) ? undefined : linkedinKey(linkedin_url)
  const isNumberAlone = keys.length === 0 && profile === undefined && phone.trim() !== ''
  const name = [named.first_name, named.last_name].map(part => part?.trim()).filter(Boolean)
  return { emails: keys, profile, phone: isNumberAlone ? { number: phone.trim(), name: name.join(' ') } : undefined }
}
