/*
 * A stage, a field of the form or a question as one line of the history: enough to see what was added, removed, renamed or
 * made required.
 */

/** Long texts are cut: the history says what changed, and is not a copy of it. */
const MAX_CHARACTERS = 200

const cut = (text: string): string => {
  const characters = [...text]
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : text
}

const line = (name: string, parts: readonly (string | false)[]): string =>
  `${cut(name)} (${cut(parts.filter(Boolean).join(', '))})`

const plain = (value: string): string => value.replaceAll('_', ' ')

interface StageText {
  name: string
  type: string
  order_package_ids: readonly string[]
}

export const stageWords = ({ name, type, order_package_ids: { length } }: StageText): string =>
  line(name, [plain(type), length > 0 && `orders ${length} ${length === 1 ? 'package' : 'packages'}`])

interface FieldText {
  label: string
  type: string
  required: boolean
  options: readonly string[]
  condition: object | null
}

export const fieldWords = ({ label, type, required, options, condition }: FieldText): string =>
  line(label, [plain(type), required && 'required', condition !== null && 'with a condition', ...options])

interface QuestionText {
  prompt: string
  answer_type: string
  required: boolean
  choices: readonly string[] | null
}

export const questionWords = ({ prompt, answer_type, required, choices }: QuestionText): string =>
  line(prompt, [plain(answer_type), required && 'required', ...(choices ?? [])])

/** A job without a form of its own. */
export const TEMPLATE_WORDS = 'the form of the workspace'

/** A part of a job before and after a change, a line for each entry. */
export interface SectionLines {
  previous: readonly string[]
  next: readonly string[]
  /** lines of entries that are still there and read differently: renamed, not removed and added */
  renamed: readonly (readonly [before: string, after: string])[]
}

interface Entry {
  id: string
}

export const sectionLines = <E extends Entry>(
  previous: readonly E[],
  next: readonly E[],
  words: (entry: E) => string,
): SectionLines => {
  const before = new Map(previous.map(entry => [entry.id, words(entry)]))
  const pairs = next.map(entry => [before.get(entry.id), words(entry)] as const)
  return {
    previous: previous.map(words),
    next: next.map(words),
    renamed: pairs.flatMap(([was, is]) => (was === undefined || was === is ? [] : [[was, is] as const])),
  }
}
