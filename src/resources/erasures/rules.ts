import { UserError } from '../../kernel/errors/user-error.ts'
import { emailKey, isRoleAddress, linkedinKey } from '../../kernel/text/person-keys.ts'
import type { Identifier } from '../suppressions/store.ts'

/** Who is meant: exactly one of the two. */
export type ErasureSubject = { email: string; linkedinUrl?: undefined } | { linkedinUrl: string; email?: undefined }

/** What is asked is never repeated in the refusal: it may be somebody's address with a slip of the finger. */
export function readErasureSubject(asked: {
  email?: string | undefined
  linkedinUrl?: string | undefined
}): Identifier {
  const { email, linkedinUrl } = asked
  if ((email === undefined) === (linkedinUrl === undefined))
    throw new UserError('name the person by an e-mail address or by a LinkedIn address, one of the two')
  if (email !== undefined) {
    const key = emailKey(email)
    if (key === undefined) throw new UserError('that is not an e-mail address')
    return { kind: 'email', key }
  }
  const key = linkedinKey(linkedinUrl!)
  if (key === undefined) throw new UserError('that is not the address of a LinkedIn profile')
  return { kind: 'linkedin_url', key }
}

/** A record with the identifiers that it carries, in their normal form. */
export interface MatchedRecord {
  object: 'applicant' | 'sourced_profile' | 'pool_profile' | 'person'
  /** null for the shared pool */
  workspace: string | null
  id: string
  emails: readonly string[]
  linkedins: readonly string[]
}

const identifierName = ({ kind, key }: Identifier) => `${kind} ${key}`

export const identifiersOf = (record: MatchedRecord): Identifier[] => [
  ...record.emails.map(key => ({ kind: 'email' as const, key })),
  ...record.linkedins.map(key => ({ kind: 'linkedin_url' as const, key })),
]

/**
 * An address that leads to more different ones than this is nobody's own: people type linkedin.com/in/me into forms, and
 * agencies give their own address for all of their candidates. Following it would erase strangers.
 */
export const MAX_LINKED_IDENTIFIERS = 5

/**
 * Of the records found so far, those of one person, with the identifiers that they carry: an applicant's LinkedIn
 * address leads to the sourced profile that has it, whose revealed e-mail address leads to another applicant. Addresses
 * shared by role lead nowhere, and are not suppressed, unless they are among the seeds; those shared by too many are left
 * out in any case.
 */
export function connectedRecords(
  seeds: readonly Identifier[],
  found: readonly MatchedRecord[],
): { identifiers: Identifier[]; records: MatchedRecord[] } {
  const carriers = new Map<string, MatchedRecord[]>()
  for (const record of found) {
    for (const name of new Set(identifiersOf(record).map(identifierName))) {
      const others = carriers.get(name)
      if (others) others.push(record)
      else carriers.set(name, [record])
    }
  }
  const isShared = (identifier: Identifier) => {
    const opposite = identifier.kind === 'email' ? 'linkedin_url' : 'email'
    const led = (carriers.get(identifierName(identifier)) ?? [])
      .flatMap(identifiersOf)
      .filter(i => i.kind === opposite && !isRole(i))
    return new Set(led.map(identifierName)).size > MAX_LINKED_IDENTIFIERS
  }
  const identifiers = new Map(seeds.filter(seed => !isShared(seed)).map(seed => [identifierName(seed), seed]))
  const records = new Set<MatchedRecord>()
  for (const identifier of identifiers.values()) {
    for (const record of carriers.get(identifierName(identifier)) ?? []) {
      if (records.has(record)) continue
      records.add(record)
      for (const next of identifiersOf(record)) {
        if (!isRole(next) && !isShared(next)) identifiers.set(identifierName(next), next)
      }
    }
  }
  return { identifiers: [...identifiers.values()], records: [...records] }
}

export const isRole = ({ kind, key }: Identifier): boolean => kind === 'email' && isRoleAddress(key)
