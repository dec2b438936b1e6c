import { contactKey } from '../../kernel/text/person-keys.ts'
import type { ContactInfoRow, ContactValueRow } from './shape.ts'

export interface StoredValue {
  field: 'email' | 'phone'
  value: string
  kind: ContactValueRow['kind']
  status: ContactValueRow['status']
  verified_at: string | null
  subject_object: 'applicant' | 'sourced_profile'
  subject_id: string
}

const toValue = (workspace: string, v: StoredValue): ContactValueRow => ({
  value: v.value,
  kind: v.kind,
  status: v.status,
  verified_at: v.verified_at,
  source: { object: v.subject_object, id: v.subject_id, workspace_id: workspace },
  licence: { redistributable: false },
})

/** Email addresses and phone numbers apart, each value once: the first that says it. */
export function contactLists(workspace: string, values: readonly StoredValue[]) {
  const seen = new Set<string>()
  const fresh = values.filter(v => {
    const same = contactKey(v.field, v.value)
    return !seen.has(same) && seen.add(same)
  })
  const of = (field: StoredValue['field']) => fresh.filter(v => v.field === field).map(v => toValue(workspace, v))
  return { emails: of('email'), phones: of('phone') }
}

/** A field that was never revealed and one that was looked for in vain look the same. */
export function fieldStates({ emails, phones }: Pick<ContactInfoRow, 'emails' | 'phones'>) {
  const state = (found: boolean) => (found ? 'found' : 'not_found')
  return {
    work_email: state(emails.some(e => e.kind === 'work')),
    personal_email: state(emails.some(e => e.kind === 'personal')),
    phone: state(phones.length > 0),
  } as const
}

export const EXCLUDED_REASON =
  'Records found by email address only are probable matches; their contact details are not shown here.'
export const NONE_EXCLUDED = 'No probable matches were excluded.'
