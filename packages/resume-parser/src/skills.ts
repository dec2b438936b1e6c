import { type TextLine, toLine, trimMarks, withoutBullet, withoutRepeats } from './lines.ts'
import { findLanguage } from './vocabulary/places.ts'
import { isLevel, KNOWN_SKILLS, SKILL_GROUPS } from './vocabulary/skills.ts'
import { fold } from './vocabulary/words.ts'

const MAX_SKILLS = 100
const MAX_LENGTH = 50
const MAX_WORDS = 6

const RATING = /[●○◯⬤★☆✩✭■□▮▯▪▫█▓░◆◇⚫⚪•]{2,}|(?:[●○◯★☆■□◆◇]\s?){2,}|\s\d{1,3}\s?%|\s\d{1,2}\/\d{1,2}$/gu
const SPLIT = /[,;|•·\t●▪]|\s[–—/-]\s|\s{3,}/u
const GROUP = /^[\p{L}\s&/()+'’-]{2,44}:\s{0,3}/u
const SENTENCE =
  /^(?:i (?:work|worked|have worked|am experienced|know|use|am familiar|have experience)\b(?:\s(?:with|in|of))?|experienced? (?:in|with)|proficient (?:in|with)|familiar with|knowledge of|ich arbeite mit|kenntnisse in|je maîtrise|je travaille avec|manejo de|conosco|domino)\s/iu
/** Spoken languages at the end of a sentence about something else. */
const SPEAKS = /,?\s(?:and|und|et|y)\s(?:i\s)?(?:speak|spreche|parle|hablo)\s.{1,200}$/iu
const AND = /\s{1,3}(?:and|und|et|y|e|en|i|och|og|a)\s{1,3}/u

/** The skills that the lines of a section list, whatever groups they are in. */
export function listedSkills(lines: readonly TextLine[]): string[] {
  const rows = lines.filter(line => line.parts.length === 2)
  // a table whose right cells are lists has the names of groups in its left cells
  const grouped =
    rows.length > 0 &&
    rows.some(line => /[,;•|]/.test(withoutBullet(line.parts[1] ?? ''))) &&
    rows.every(line => !/[,;]/.test(line.parts[0] ?? ''))
  const found = lines.flatMap((line, i) => {
    if (isGroupName(line, lines[i + 1])) return []
    const parts = grouped && line.parts.length === 2 ? line.parts.slice(1) : line.parts
    return parts.flatMap(part => itemsOf(withoutBullet(part)))
  })
  return withoutRepeats(found.filter(isSkill)).slice(0, MAX_SKILLS)
}

function itemsOf(part: string): string[] {
  const isSentence = SENTENCE.test(part)
  const bare = part.replace(SENTENCE, '').replace(SPEAKS, '').replace(RATING, ' ').replace(GROUP, '')
  // another group may begin in the same line: `Languages: Go, SQL   Tools: Git`
  return bare
    .split(SPLIT)
    .flatMap(item => (isSentence ? item.split(AND) : [item]))
    .flatMap(item => item.replace(/(?:^|\s)\p{L}[\p{L}\s&]{2,24}:\s/u, '\t').split('\t'))
    .map(item => tidy(item))
}

const tidy = (item: string): string =>
  trimMarks(
    withoutBullet(item.trim())
      .replace(/\s{0,3}\(([^()]{1,40})\)$/u, (whole, inner: string) => (isLevel(inner) ? '' : whole))
      .replace(/\s{0,3}\[[^[\]]{1,30}\]$/u, ''),
  ).replace(/(?<=\p{L}{2})\.$/u, '')

const isSkill = (item: string): boolean =>
  item.length > 0 &&
  item.length <= MAX_LENGTH &&
  /\p{L}/u.test(item) &&
  item.split(/\s+/).length <= MAX_WORDS &&
  !isLevel(item) &&
  (item.length > 1 || /[CR]/.test(item))

/** A line that names a group of the lines below it: it ends with a colon, or is such a name above a list. */
function isGroupName(line: TextLine, next: TextLine | undefined): boolean {
  const text = trimMarks(line.text.replace(/:$/, ''))
  if (/[:：]$/.test(line.text.trim())) return true
  const lists = (l: TextLine) => /[,;|•·]/.test(withoutBullet(l.text)) || /:\s?$|:\s/.test(l.text)
  return next !== undefined && !lists(line) && !line.bullet && lists(next) && SKILL_GROUPS.has(fold(text))
}

/** Skills named anywhere in the text of a résumé that lists none. */
export function mentionedSkills(text: string): string[] {
  const lower = text.toLowerCase()
  return KNOWN_SKILLS.filter(skill => skill.length > 2 && mentions(lower, skill))
}

/** Whether a text, in lower case, names a skill as a word of its own. */
function mentions(text: string, skill: string): boolean {
  const wanted = skill.toLowerCase()
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + wanted.length] ?? ' '
    if (!/[\p{L}\p{N}+#]/u.test(before) && !/[\p{L}\p{N}+#]/u.test(after)) return true
  }
  return false
}

const SPEAK =
  /(?<!\p{L})(?:speak|spreche|parle|hablo|parlo|falo|spreek|mówię|talar|fluent in|native)(?!\p{L}).{1,200}/iu

/** Languages that a sentence says the person speaks. */
export const spokenLanguages = (lines: readonly TextLine[]): string[] =>
  readLanguages(lines.flatMap(({ text }) => SPEAK.exec(text)?.slice(0, 1) ?? []).map(toLine))

/** Every language of people that the lines name, by its English name. */
export function readLanguages(lines: readonly TextLine[]): string[] {
  const found: string[] = []
  for (const { text } of lines) {
    const all = text.match(/\p{L}[\p{L}’']*/gu) ?? []
    for (let i = 0; i < all.length; i++) {
      const pair = findLanguage(`${all[i]} ${all[i + 1] ?? ''}`)
      const one = pair ?? findLanguage(all[i] ?? '')
      if (pair) i++
      if (one) found.push(one)
    }
  }
  return withoutRepeats(found)
}
