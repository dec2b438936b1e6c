import { findContacts } from './contacts.ts'
import { wordsOfName } from './handles.ts'
import { plainText } from './plain-text.ts'
import { ABBREVIATIONS, FILE_ENDS, TOP_LEVEL_DOMAINS } from './vocabulary/contact-words.ts'
import { findHeading } from './vocabulary/headings.ts'
import { KNOWN_SKILLS } from './vocabulary/skills.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'
import { fold } from './vocabulary/words.ts'

/**
 * Email addresses that a narrow column breaks inside a word, without a hyphen: `jane.can` above `ary@example.org`. The
 * line below has an address of its own then, so what decides is whether the word above can be the beginning of one.
 */
const SKILLS: ReadonlySet<string> = new Set(KNOWN_SKILLS.map(skill => skill.toLowerCase()))
const EMAIL_LABEL = /(?:^|[\s|,;•·(])(?:e-?mails?|mail|correo|courriel|poczta|@)\s?[:.]?\s{0,2}$/iu
const LAST_WORD = /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,60}$/u
const FIRST_WORD = /^[a-z0-9.-]{1,60}(?![\p{L}\p{N}@])/u
const MAX_HALF = 80

/** Whether a word may be the first half of the local part whose second half is given. */
function isFirstHalf(word: string, before: string, second: string, person: readonly string[]): boolean {
  if (EMAIL_LABEL.test(before)) return true
  const lower = word.toLowerCase()
  if (SKILLS.has(lower) || /^[\d.,%-]{1,60}$/.test(word)) return false
  if (hasSigns(lower)) return true
  // a word of the person's name lies over the break
  const letters = (text: string) => fold(text).replace(/[^\p{L}]+/gu, '')
  const [first, whole] = [letters(word), letters(word + second)]
  if (person.some(name => isOver(whole, name, first.length))) return true
  if (!/^\p{Ll}/u.test(word)) return false
  const bare = word.replace(/[._-]$/, '')
  if (person.includes(fold(bare))) return true
  return before.trim() === '' && findHeading(bare) === undefined && !looksLikeTitle(bare) && !findLabel(bare)
}

const findLabel = (word: string): boolean => /^(?:contacts?|kontakt|phone|tel|telefon|address|web|links?)$/i.test(word)

const isOver = (whole: string, name: string, at: number): boolean => {
  const start = whole.indexOf(name)
  return start >= 0 && start < at && at < start + name.length
}

/** `jane.can`, `j.can`, `jane_c`: no file, no abbreviation, no end of a sentence. */
function hasSigns(word: string): boolean {
  if (/^\p{L}[\p{L}\p{N}]{1,60}_[\p{L}\p{N}_]{1,60}$/u.test(word)) return true
  const parts = word.split('.')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length < 2 || parts.some(part => part === '' || ABBREVIATIONS.has(part)) || FILE_ENDS.has(last))
    return false
  return /^\p{L}/u.test(word) && (first.length > 1 ? first.length + last.length > 4 : last.length > 2)
}

/** Whether a host is whole: it ends as hosts do. */
const isWhole = (host: string): boolean => {
  const labels = host.split('.')
  return labels.length > 1 && TOP_LEVEL_DOMAINS.has(labels.at(-1)?.toLowerCase() ?? '')
}

/** The first word of the line below if it is the rest of the host at the end of the line above. */
function restOfHost(above: string, below: string): string | undefined {
  const host = /@([\p{L}\p{N}.-]{1,60})$/u.exec(plainText(above).text)?.[1]
  const [word] = FIRST_WORD.exec(below) ?? []
  if (host === undefined || word === undefined || !isWhole(host + word)) return undefined
  return !isWhole(host) || word.length <= 2 ? word : undefined
}

/** Lines without the halves of email addresses that are broken inside a word. The other halves are whole addresses. */
export const brokenAddressesCut = (lines: readonly string[], name: string | null): string[] =>
  cutBroken(lines, name).kept

/** The halves that are cut. */
export const brokenHalves = (lines: readonly string[], name: string | null): string[] => cutBroken(lines, name).halves

function cutBroken(lines: readonly string[], name: string | null): { kept: string[]; halves: string[] } {
  const person = wordsOfName(name)
  const kept = [...lines]
  const halves: string[] = []
  for (let i = kept.length - 1; i > 0; i--) {
    const [above = '', line = ''] = [kept[i - 1], kept[i]]
    if (/[@＠﹫]/.test(above)) {
      const rest = restOfHost(above.slice(-MAX_HALF), line)
      if (rest !== undefined) {
        kept[i] = line.slice(rest.length).trimStart()
        halves.push(rest)
      }
    }
    let second = localPart(kept[i] ?? '')
    // upwards, as long as the whole line was a part of the address
    for (let j = i - 1; second !== undefined && j >= 0; j--) {
      const first = cutFirstHalf(kept, j, second, person)
      if (first !== undefined) halves.push(first)
      second = first !== undefined && kept[j] === '' ? first + second : undefined
    }
  }
  return { kept, halves }
}

/** The local part of an email address at the beginning of a cell. */
function localPart(line: string): string | undefined {
  if (!/[@＠﹫(]/.test(line)) return undefined
  for (const cell of line.split('\t')) {
    const start = cell.trimStart().slice(0, MAX_HALF)
    const found = findContacts(start)[0]
    if (found?.kind !== 'email' || found.start > 0) continue
    const { text } = plainText(found.value)
    const at = text.indexOf('@')
    if (at > 0) return text.slice(0, at).trim()
  }
  return undefined
}

/** Whether the last word of a text is the end of a contact that begins before it. */
const endsContact = (text: string, wordAt: number): boolean => {
  const from = Math.max(0, text.length - MAX_HALF)
  const last = findContacts(text.slice(from)).at(-1)
  return last !== undefined && from + last.end === text.length && from + last.start < wordAt
}

/** Cuts the first half of an email address off the end of a cell, and returns it. */
function cutFirstHalf(kept: string[], at: number, second: string, person: readonly string[]): string | undefined {
  const cells = (kept[at] ?? '').split('\t')
  for (const [i, cell] of cells.entries()) {
    const text = cell.trimEnd()
    const [word] = LAST_WORD.exec(text.slice(-MAX_HALF)) ?? []
    if (word === undefined) continue
    const before = text.slice(0, text.length - word.length)
    if (isWhole(word) || endsContact(text, before.length) || !isFirstHalf(word, before, second, person)) continue
    cells[i] = before.replace(EMAIL_LABEL, '').trimEnd()
    kept[at] = cells.join('\t').trim()
    return word
  }
  return undefined
}
