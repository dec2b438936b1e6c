import type { FormFieldType } from '../../../packages/sdk/src/generated.ts'

export interface TypeInfo {
  type: FormFieldType
  title: string
  about: string
}

export const QUESTION_TYPES: readonly TypeInfo[] = [
  { type: 'text', title: 'Short text', about: 'One line' },
  { type: 'textarea', title: 'Long text', about: 'Several lines' },
  { type: 'select', title: 'One of a list', about: 'Candidates choose one option' },
  { type: 'multiselect', title: 'Several of a list', about: 'Candidates tick any number of options' },
  { type: 'boolean', title: 'Yes or no', about: 'Other questions can depend on it' },
  { type: 'number', title: 'Number', about: 'Such as years or a salary' },
  { type: 'date', title: 'Date', about: 'Such as the earliest start' },
  { type: 'url', title: 'Link', about: 'A web address' },
  { type: 'email', title: 'Email address', about: 'Another one than that of the candidate' },
  { type: 'phone', title: 'Phone number', about: 'Another one than that of the candidate' },
  { type: 'file', title: 'File', about: 'PDF, Word, text or a picture, up to 5 MB' },
]
export const OTHER_TYPES: readonly TypeInfo[] = [
  { type: 'section', title: 'Section', about: 'A heading; the questions below belong to it' },
  { type: 'consent', title: 'Consent', about: 'A box to tick below a text that you write' },
  {
    type: 'eeo',
    title: 'Equal-opportunity question',
    about: 'Answers are stored apart and shown to no one in the workspace',
  },
]

const TITLES = new Map([...QUESTION_TYPES, ...OTHER_TYPES].map(({ type, title }) => [type as string, title]))
const TYPE_IN_LINE = new RegExp(` \\((${[...TITLES.keys()].join('|')})(?=[,)])`)

export const typeTitle = (type: string): string => TITLES.get(type) ?? type

/** A line of the history of a form, `Letter (textarea, required)`, with the builder's name of the type. */
export const inBuilderWords = (line: string): string =>
  line.replace(TYPE_IN_LINE, (_, type) => ` (${typeTitle(type).toLowerCase()}`)
