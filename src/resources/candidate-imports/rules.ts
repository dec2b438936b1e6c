import type { AddedSource } from '../../contract/added-sources.ts'
import { isPhoneNumber } from '../../kernel/http/formats.ts'
import { emailKey, linkedinKey } from '../../kernel/text/person-keys.ts'
import { splitName } from '../../kernel/text/person-name.ts'
import type { NewCandidate } from '../hiring-team/index.ts'
import { BadLine, cellsByField, createColumnFinder } from '../imports/shape.ts'

/** What a column of a table of candidates can hold. */
export const CANDIDATE_COLUMNS = [
  ...['first_name', 'last_name', 'full_name', 'email', 'phone', 'linkedin_url', 'location', 'tags', 'stage', 'source'],
  ...['applied_on', 'note', 'external_id'],
] as const

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
  emails: 'email',
  emailaddress: 'email',
  emailadresse: 'email',
  mail: 'email',
  phones: 'phone',
  phonenumber: 'phone',
  mobile: 'phone',
  telefon: 'phone',
  telefonnummer: 'phone',
  linkedin: 'linkedin_url',
  linkedinprofile: 'linkedin_url',
  profileurl: 'linkedin_url',
  city: 'location',
  place: 'location',
  ort: 'location',
  tag: 'tags',
  labels: 'tags',
  phase: 'stage',
  currentstage: 'stage',
  quelle: 'source',
  applied: 'applied_on',
  appliedat: 'applied_on',
  applicationdate: 'applied_on',
  dateapplied: 'applied_on',
  beworbenam: 'applied_on',
  notes: 'note',
  notiz: 'note',
  id: 'external_id',
  candidateid: 'external_id',
}

export const candidateColumns = createColumnFinder(CANDIDATE_COLUMNS, COLUMN_NAMES)

/** The source of an application where the table says no other. */
const FILE_SOURCE = 'import:file'

/** Sources in the words of our pages. Any other text becomes a tag. */
const SOURCES: Readonly<Record<string, AddedSource>> = {
  file: FILE_SOURCE,
  datei: FILE_SOURCE,
  addedbytheteam: 'team:manual',
  vomteamangelegt: 'team:manual',
  referral: 'team:referral',
  empfehlung: 'team:referral',
  agency: 'team:agency',
  agentur: 'team:agency',
  event: 'team:event',
  veranstaltung: 'team:event',
  sourced: 'team:sourced',
  selbstgefunden: 'team:sourced',
}

/** A stage of the job, as a table names it. */
export interface NamedStage {
  id: string
  name: string
  is_open: boolean
}

/** Why the text of a row cannot be read. The rules for candidates whom the team adds find further faults. */
export type RowProblem =
  | 'too_many_cells'
  | 'bad_text'
  | 'not_an_email'
  | 'not_a_phone'
  | 'not_linkedin'
  | 'unknown_stage'
  | 'final_stage'
  | 'not_a_day'
  | 'in_the_future'

/** A row that cannot be imported: why, and the text that it is about. */
export class BadRow extends BadLine {
  readonly problem: RowProblem
  readonly value: string
  constructor(problem: RowProblem, value = '') {
    super(value === '' ? problem : `${problem}: ${value}`)
    this.problem = problem
    this.value = value.slice(0, 100)
  }
}

/** What a row is read with. */
export interface RowContext {
  stages: readonly NamedStage[]
  /** the day on which the table is imported */
  today: string
}

/** Throws BadRow. */
export function readCandidateRow(
  columns: readonly (string | null)[],
  cells: readonly string[],
  { stages, today }: RowContext,
): NewCandidate {
  const given = readCells(columns, cells)
  const source = given.get('source')
  const known = source === undefined ? FILE_SOURCE : SOURCES[source.toLowerCase().replace(/[^\p{L}]/gu, '')]
  const oneLine = (name: string) => (given.has(name) ? squeeze(given.get(name) ?? '') : undefined)
  return {
    ...readName(given),
    emails: readEmails(given.get('email') ?? ''),
    phone: readPhone(given.get('phone')),
    linkedin_url: readLinkedin(given.get('linkedin_url')),
    location: oneLine('location'),
    tags: [
      ...splitList(given.get('tags') ?? '', /[;,\n]/),
      ...(source !== undefined && !known ? [squeeze(source)] : []),
    ],
    stage_id: readStage(given.get('stage'), stages),
    source: known ?? FILE_SOURCE,
    acquired: { acquisition: 'file_import', provider: null },
    applied_at: readDay(given.get('applied_on'), today),
    note: given.get('note'),
    external_id: oneLine('external_id'),
  }
}

function readCells(columns: readonly (string | null)[], cells: readonly string[]): Map<string, string> {
  let given: Map<string, string>
  try {
    given = cellsByField(columns, cells)
  } catch (error) {
    if (error instanceof BadLine) throw new BadRow('too_many_cells')
    throw error
  }
  for (const [name, text] of given)
    if (/[^\P{Cc}\t\r\n]/u.test(text) || !text.isWellFormed()) throw new BadRow('bad_text', name)
  return given
}

const splitList = (text: string, at: RegExp): string[] =>
  text
    .split(at)
    .map(part => part.trim())
    .filter(part => part !== '')

const squeeze = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** A name in one column, such as "Ada Lovelace" or "Lovelace, Ada". One word is the last name. */
function partsOfName(full: string): { first?: string; last?: string } {
  const comma = full.indexOf(',')
  if (comma >= 0) return { first: full.slice(comma + 1), last: full.slice(0, comma) }
  return full.includes(' ') ? splitName(full) : { last: full }
}

function readName(given: ReadonlyMap<string, string>): Pick<NewCandidate, 'first_name' | 'last_name'> {
  const { first = '', last = '' } = partsOfName(squeeze(given.get('full_name') ?? ''))
  return {
    first_name: squeeze(given.get('first_name') ?? first) || undefined,
    last_name: squeeze(given.get('last_name') ?? last) || undefined,
  }
}

function readEmails(cell: string): string[] {
  const byKey = new Map<string, string>()
  for (const part of splitList(cell, /[\s,;|]/)) {
    const address = part.replace(/^mailto:/i, '').replace(/^<(.*)>$/, '$1')
    const key = emailKey(address)
    if (key === undefined) throw new BadRow('not_an_email', part)
    if (!byKey.has(key)) byKey.set(key, address)
  }
  return [...byKey.values()]
}

function readPhone(cell: string | undefined): string | undefined {
  // spreadsheets write an apostrophe before what would be a formula
  const number = cell?.replace(/^'/, '').replaceAll('/', ' ')
  if (number !== undefined && !isPhoneNumber(number)) throw new BadRow('not_a_phone', cell)
  return number
}

function readLinkedin(cell: string | undefined): string | undefined {
  if (cell === undefined) return undefined
  const url = `https://${cell.replace(/^(?:https?:)?\/\//i, '')}`
  if (linkedinKey(url) === undefined) throw new BadRow('not_linkedin', cell)
  return URL.parse(url)?.href
}

const stageKey = (name: string): string => squeeze(name.normalize('NFC')).toLowerCase()

function readStage(cell: string | undefined, stages: readonly NamedStage[]): string | undefined {
  if (cell === undefined) return undefined
  const named = stages.filter(({ name }) => stageKey(name) === stageKey(cell))
  const open = named.find(({ is_open }) => is_open)
  if (!open) throw new BadRow(named.length > 0 ? 'final_stage' : 'unknown_stage', cell)
  return open.id
}

/** 2026-11-19, 2026/11/19, 19.11.2026, or a timestamp that begins with a day. Elsewhere the order of day and month is unclear. */
const DAY = /^(?:(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ].*)?|(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}))$/

function readDay(cell: string | undefined, today: string): string | undefined {
  if (cell === undefined) return undefined
  const [, y, , m, d, day = d, month = m, year = y] = DAY.exec(cell) ?? []
  const text = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const time = Date.parse(`${text}T00:00:00Z`)
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && text >= '1970'
  if (!isDay) throw new BadRow('not_a_day', cell)
  if (text > today) throw new BadRow('in_the_future', cell)
  return new Date(time).toISOString()
}
