import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { isPhoneNumber } from '../../kernel/http/formats.ts'
import { linkedinKey } from '../../kernel/text/person-keys.ts'
import type { CandidateRow, ContactDetails } from '../../resources/candidates/index.ts'
import { phoneNumber } from '../phone.ts'
import type { Texts } from '../texts/en.ts'

export type Detail = keyof ContactDetails

export const DETAILS: readonly { name: Detail; most: number; autocomplete: string; type: string }[] = [
  { name: 'first_name', most: DETAIL_LENGTHS.name, autocomplete: 'given-name', type: 'text' },
  { name: 'last_name', most: DETAIL_LENGTHS.name, autocomplete: 'family-name', type: 'text' },
  { name: 'phone', most: DETAIL_LENGTHS.phone, autocomplete: 'tel', type: 'tel' },
  { name: 'location', most: DETAIL_LENGTHS.location, autocomplete: 'address-level2', type: 'text' },
  { name: 'linkedin_url', most: DETAIL_LENGTHS.url, autocomplete: 'off', type: 'text' },
  { name: 'portfolio_url', most: DETAIL_LENGTHS.url, autocomplete: 'url', type: 'text' },
]

export const findDetailLabel = ({ details }: Texts['candidate'], name: Detail): string =>
  ({
    first_name: details.firstName,
    last_name: details.lastName,
    phone: details.phone,
    location: details.location,
    linkedin_url: details.linkedin,
    portfolio_url: details.portfolio,
  })[name]

export type DetailFaults = Partial<Record<Detail, string>>

export const detailsOf = (person: CandidateRow): Record<Detail, string> =>
  Object.fromEntries(DETAILS.map(({ name }) => [name, person[name] ?? ''])) as Record<Detail, string>

/** What was typed, in one line each; addresses get the scheme that people leave out. */
export function readDetails(form: URLSearchParams): Record<Detail, string> {
  const typed = Object.fromEntries(
    DETAILS.map(({ name }) => [name, (form.get(name) ?? '').replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()]),
  ) as Record<Detail, string>
  for (const name of ['linkedin_url', 'portfolio_url'] as const)
    if (typed[name] !== '' && !/^[a-z]+:/i.test(typed[name])) typed[name] = `https://${typed[name]}`
  typed.phone = phoneNumber(typed.phone)
  return typed
}

/** The API's limits, in words for people. */
export function detailFaults(typed: Record<Detail, string>, texts: Texts): DetailFaults {
  const { details } = texts.candidate
  const faults: DetailFaults = {}
  if (typed.first_name === '' && typed.last_name === '') faults.first_name = details.name
  if (typed.phone !== '' && !isPhoneNumber(typed.phone)) faults.phone = details.phoneFault
  if (typed.linkedin_url !== '' && (linkedinKey(typed.linkedin_url) === undefined || !isWebUrl(typed.linkedin_url)))
    faults.linkedin_url = details.linkedinFault
  if (typed.portfolio_url !== '' && !isWebUrl(typed.portfolio_url)) faults.portfolio_url = details.urlFault
  for (const { name, most } of DETAILS)
    if ([...typed[name]].length > most) faults[name] = details.long(findDetailLabel(texts.candidate, name), most)
  return faults
}

const isWebUrl = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).hostname.includes('.')

export const asDetails = (typed: Record<Detail, string>): ContactDetails =>
  Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text === '' ? null : text])) as ContactDetails
