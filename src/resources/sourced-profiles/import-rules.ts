import { contactKey } from '../../kernel/text/person-keys.ts'
import { BadLine, cellsByField, createColumnFinder } from '../imports/shape.ts'
import {
  type ContactValue,
  type NewProfile,
  PROFILE_FIELDS,
  PROFILE_NUMBERS,
  type ProfileField,
  readContacts,
  readProfile,
} from './rules.ts'

/** What becomes of a row of a file, or of a profile that is saved from the pool. */
export interface RowFate {
  fate: 'created' | 'updated' | 'unchanged' | 'suppressed'
  /** the profile that holds it; null if none does */
  profile_id: string | null
  /** the fields that it changes, and the kinds of contact details that it adds */
  changed: (ProfileField | ContactValue['field'])[]
  /** the earlier row that names the same profile, by its position */
  same_as: number | null
}

export interface ImportPlan {
  created: Map<string, NewProfile>
  updated: Map<string, { row: NewProfile; changed: Set<string> }>
  unchanged: Map<string, NewProfile>
  suppressed: number
  /** contact details that a profile does not have yet */
  contacts: Map<string, ContactValue[]>
  /** one for each row, in the order given */
  fates: RowFate[]
}

/** The contact details of profiles, as `contactKey` has them. */
export type KnownContacts = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Decides what becomes of each row, before anything is written. A row belongs to the profile with its external_id, or
 * else with its LinkedIn URL: of the workspace (`known`), or of an earlier row. `refused`: rows of people who must not be
 * stored. `keep`: profiles that are known stay as they are.
 */
export function planImport(
  given: readonly NewProfile[],
  refused: ReadonlySet<NewProfile>,
  known: readonly (NewProfile & { suppressed: boolean })[],
  keep: boolean,
  revealed: KnownContacts = new Map(),
): ImportPlan {
  const left = new Set(known.flatMap(row => (row.suppressed ? [row.id] : [])))
  const byExternalId = new Map<string, NewProfile>()
  const byUrl = new Map<string, Map<string, NewProfile>>()
  const addByName = (row: NewProfile) => {
    const { id, external_id, linkedin_key } = row
    if (external_id !== null) byExternalId.set(external_id, row)
    if (linkedin_key !== null) byUrl.set(linkedin_key, (byUrl.get(linkedin_key) ?? new Map()).set(id, row))
  }
  for (const { suppressed: _, ...row } of known) addByName(row as NewProfile)
  const withUrl = (key: string | null): NewProfile | undefined => {
    const all = key === null ? [] : [...(byUrl.get(key)?.values() ?? [])]
    return all.length < 2 ? all[0] : all.reduce((a, b) => (precedes(b, a, left) ? b : a))
  }

  const plan: ImportPlan = {
    created: new Map(),
    updated: new Map(),
    unchanged: new Map(),
    suppressed: 0,
    contacts: new Map(),
    fates: [],
  }
  const { created, updated, unchanged, contacts, fates } = plan
  /** Notes those of the row that the profile does not have, and returns their kinds. */
  const addContacts = (id: string, row: NewProfile): ContactValue['field'][] => {
    const before = contacts.get(id) ?? []
    const has = new Set([...(revealed.get(id) ?? []), ...before.map(keyOf)])
    const news = readContacts(row).filter(value => !has.has(keyOf(value)))
    if (news.length > 0) contacts.set(id, [...before, ...news])
    return [...new Set(news.map(({ field }) => field))]
  }
  const firstRow = new Map<string, number>()
  const decide = (fate: RowFate['fate'], id: string | null, changed: RowFate['changed'] = []) => {
    const same_as = id === null ? null : (firstRow.get(id) ?? null)
    if (id !== null && same_as === null) firstRow.set(id, fates.length)
    if (fate === 'suppressed') plan.suppressed++
    fates.push({ fate, profile_id: id, changed, same_as })
  }
  for (const row of given) {
    const before = byExternalId.get(row.external_id ?? '') ?? withUrl(row.linkedin_key)
    if (refused.has(row) || (before && left.has(before.id))) {
      decide('suppressed', null)
      continue
    }
    if (!before) {
      decide('created', row.id)
      addContacts(row.id, row)
      created.set(row.id, row)
      addByName(row)
      continue
    }
    const merged = { ...before, external_id: before.external_id ?? row.external_id } as NewProfile
    const changed = keep ? [] : PROFILE_FIELDS.filter(name => row[name] !== null && row[name] !== before[name])
    for (const name of changed) merged[name] = row[name]
    if (changed.includes('linkedin_url')) {
      merged.linkedin_key = row.linkedin_key
      // the previous URL no longer identifies this profile: a later row with it is another person
      byUrl.get(before.linkedin_key ?? '')?.delete(before.id)
    }
    const changes = [...changed, ...(keep ? [] : addContacts(before.id, row))]
    decide(changes.length > 0 ? 'updated' : 'unchanged', before.id, changes)
    if (created.has(before.id)) created.set(before.id, merged)
    else if (changed.length > 0) {
      const earlier = updated.get(before.id)?.changed ?? []
      updated.set(before.id, { row: merged, changed: new Set([...earlier, ...changed]) })
    } else {
      const earlier = updated.get(before.id)
      if (earlier) earlier.row = merged
      else unchanged.set(before.id, merged)
    }
    addByName(merged)
  }
  for (const id of updated.keys()) unchanged.delete(id)
  return plan
}

const keyOf = ({ field, value }: Pick<ContactValue, 'field' | 'value'>): string => contactKey(field, value)

/**
 * Which of two profiles with the same LinkedIn URL a row with that URL belongs to. It depends on what is stored and not on
 * the order of rows, so that a file has the same result in one batch and in many: stopped people, then by external_id.
 * An import makes at most one profile without external_id for a URL.
 */
function precedes(a: NewProfile, b: NewProfile, stopped: ReadonlySet<string>): boolean {
  if (stopped.has(a.id) !== stopped.has(b.id)) return stopped.has(a.id)
  if (a.external_id === null || b.external_id === null)
    return a.external_id === b.external_id ? a.id < b.id : a.external_id !== null
  return a.external_id < b.external_id
}

/** Columns of a table that become the name, where it has no column for it. */
const NAME_PARTS = ['first_name', 'last_name'] as const

/** What a column of a table can hold. */
export const TABLE_COLUMNS: readonly string[] = [...PROFILE_FIELDS, ...NAME_PARTS, 'email', 'phone', 'external_id']

/** What other programs call these columns, without blanks and signs. */
const COLUMN_NAMES: Readonly<Record<string, string>> = {
  name: 'full_name',
  candidate: 'full_name',
  candidatename: 'full_name',
  vorname: 'first_name',
  givenname: 'first_name',
  nachname: 'last_name',
  surname: 'last_name',
  familyname: 'last_name',
  title: 'job_title',
  position: 'job_title',
  currenttitle: 'job_title',
  role: 'job_title',
  company: 'company_name',
  employer: 'company_name',
  currentcompany: 'company_name',
  organization: 'company_name',
  industry: 'company_industry',
  website: 'company_website',
  seniority: 'management_level',
  location: 'location_full',
  city: 'location_full',
  country: 'location_country',
  linkedin: 'linkedin_url',
  linkedinprofile: 'linkedin_url',
  profileurl: 'linkedin_url',
  url: 'linkedin_url',
  emails: 'email',
  emailaddress: 'email',
  phones: 'phone',
  phonenumber: 'phone',
  mobile: 'phone',
  telefon: 'phone',
  about: 'summary',
  bio: 'summary',
  id: 'external_id',
  externalid: 'external_id',
}

export const tableColumns = createColumnFinder(TABLE_COLUMNS, COLUMN_NAMES)

const NUMBERS: ReadonlySet<string> = new Set(PROFILE_NUMBERS)

/**
 * The row of a table as the object of an import line, with the rules of `readProfile`; also, it says who the person is, or
 * the same table would make another profile each time. Throws BadLine.
 */
export function readTableRow(columns: readonly (string | null)[], cells: readonly string[], id: string): NewProfile {
  const value: Record<string, string | number> = {}
  for (const [name, cell] of cellsByField(columns, cells))
    value[name] = NUMBERS.has(name) && /^\d{1,10}$/.test(cell) ? Number(cell) : cell
  const { first_name, last_name, ...fields } = value
  const joined = [first_name, last_name].filter(part => part !== undefined).join(' ')
  const profile = readProfile(JSON.stringify({ ...(joined === '' ? {} : { full_name: joined }), ...fields }), id)
  if (profile.full_name === null && profile.linkedin_url === null && profile.external_id === null) {
    throw new BadLine('it has neither full_name nor linkedin_url')
  }
  return profile
}
