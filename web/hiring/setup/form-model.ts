import type { Read } from '../api.ts'
import { type Item, isNew, newFieldKey } from './merge.ts'
import { type TypeInfo, typeTitle } from './question-types.ts'

type FormFieldSetup = Read<'/jobs/{job_id}/form'>['fields'][number]
type FieldType = FormFieldSetup['type']

/** A question of a form while it is edited: texts are as they were typed. */
export interface FormField extends Item {
  label: string
  type: FieldType
  required: boolean
  section: string
  help_text: string
  /** one for each line, blank lines included */
  options: string[]
  max_length: string
  candidate_field: FormFieldSetup['candidate_field']
  /** the key of the question it depends on */
  condition: { key: string; values: string[] } | null
  version: number
  is_default_label: boolean
  is_default_help_text: boolean
}

export const fieldName = ({ label }: FormField): string => label.trim() || 'New question'

type Detail = NonNullable<FormField['candidate_field']>
export const DETAILS: readonly (TypeInfo & { detail: Detail; label: string })[] = [
  { detail: 'name', type: 'text', title: 'Name', label: 'Full name', about: 'First and last name; always asked' },
  { detail: 'email', type: 'email', title: 'Email', label: 'Email address', about: 'Always asked' },
  { detail: 'phone', type: 'phone', title: 'Phone', label: 'Phone', about: 'With the country code' },
  { detail: 'linkedin', type: 'url', title: 'LinkedIn', label: 'LinkedIn profile', about: 'The address of a profile' },
  { detail: 'resume', type: 'file', title: 'Résumé', label: 'Résumé', about: 'A file, or pasted text' },
]

export const findFieldTitle = ({ type, candidate_field }: Pick<FormField, 'type' | 'candidate_field'>): string =>
  DETAILS.find(({ detail }) => detail === candidate_field)?.title ?? typeTitle(type)

export const takesOptions = (type: FieldType): boolean => ['select', 'multiselect', 'eeo'].includes(type)
export const takesLength = ({ type, options, candidate_field }: FormField): boolean =>
  candidate_field === null &&
  (type === 'text' || type === 'textarea' || (type === 'eeo' && cleanOptions({ options }).length === 0))
/** An application always has them. */
export const isAlwaysAsked = ({ candidate_field }: Pick<FormField, 'candidate_field'>): boolean =>
  candidate_field === 'name' || candidate_field === 'email'

export const cleanOptions = ({ options }: Pick<FormField, 'options'>): string[] =>
  options.map(option => option.trim()).filter(option => option !== '')

export const toField = (field: FormFieldSetup): FormField => ({
  key: field.id,
  label: field.label,
  type: field.type,
  required: field.required,
  section: field.section ?? '',
  help_text: field.help_text ?? '',
  options: field.options,
  max_length: field.max_length === null ? '' : String(field.max_length),
  candidate_field: field.candidate_field,
  condition: field.condition && { key: field.condition.field_id, values: field.condition.values },
  version: field.version,
  is_default_label: field.is_default_label,
  is_default_help_text: field.is_default_help_text,
})

/** The questions of the template as new ones of another form. */
export function copied(fields: readonly FormFieldSetup[]): FormField[] {
  const keys = new Map(fields.map(({ id }) => [id, newFieldKey()]))
  const keyOf = (id: string) => keys.get(id) ?? id
  return fields.map(toField).map(field => ({
    ...field,
    key: keyOf(field.key),
    version: 1,
    condition: field.condition && { ...field.condition, key: keyOf(field.condition.key) },
  }))
}

export const newField = (info: TypeInfo & { detail?: Detail; label?: string }): FormField => ({
  key: newFieldKey(),
  label: info.label ?? '',
  type: info.type,
  required: info.type === 'consent' || info.detail === 'name' || info.detail === 'email',
  section: '',
  help_text: '',
  options: [],
  max_length: '',
  candidate_field: info.detail ?? null,
  condition: null,
  version: 1,
  is_default_label: false,
  is_default_help_text: false,
})

/** What a change of the form sends. */
export const buildFormBody = (fields: readonly FormField[]) => ({
  fields: fields.map(field => {
    const { condition, help_text, section, max_length } = field
    const at = condition ? fields.findIndex(({ key }) => key === condition.key) : -1
    const named = fields[at]
    return {
      ...(isNew(field) ? {} : { id: field.key }),
      label: field.label,
      type: field.type,
      required: field.required,
      section: section.trim() === '' ? null : section,
      help_text: help_text.trim() === '' ? null : help_text,
      options: takesOptions(field.type) ? cleanOptions(field) : [],
      max_length: max_length === '' ? null : Number(max_length),
      candidate_field: field.candidate_field,
      condition:
        condition === null
          ? null
          : named && isNew(named)
            ? { position: at, values: condition.values }
            : { field_id: condition.key, values: condition.values },
    }
  }),
})

/** What a condition of the question at `index` can name: earlier ones with a fixed set of answers. */
export const conditionTargets = (before: readonly FormField[]): FormField[] =>
  before.filter(
    ({ type, candidate_field }) => candidate_field === null && ['select', 'multiselect', 'boolean'].includes(type),
  )

export const optionValues = (field: FormField): (readonly [value: string, title: string])[] =>
  field.type === 'boolean'
    ? [
        ['true', 'Yes'],
        ['false', 'No'],
      ]
    : cleanOptions(field).map(option => [option, option] as const)

/** What must be fixed before the form can be saved, under `<key> <name>`. */
export function fieldProblems(fields: readonly FormField[]): Map<string, string> {
  const found = new Map<string, string>()
  let section: FormField | undefined
  for (const [index, field] of fields.entries()) {
    const wrong = (name: keyof FormField, message: string) => found.set(`${field.key} ${name}`, message)
    if (field.type === 'section') section = field
    if (field.label.trim() === '') wrong('label', 'Enter a text.')
    const options = cleanOptions(field)
    if (takesOptions(field.type) && field.type !== 'eeo' && options.length === 0)
      wrong('options', 'Enter at least one option.')
    const twice = options.find((option, i) => options.indexOf(option) !== i)
    if (twice !== undefined) wrong('options', `“${twice}” occurs twice.`)
    const length = Number(field.max_length)
    if (field.max_length !== '' && !(Number.isInteger(length) && length >= 1 && length <= 100_000))
      wrong('max_length', 'Enter a whole number from 1 to 100,000, or nothing.')
    if (isAlwaysAsked(field) && (field.condition || section?.condition)) {
      wrong(
        'condition',
        'Name and email address are always asked: move the question out of the section, or ask always.',
      )
    }
    const fault = field.condition && conditionFault(field.condition, conditionTargets(fields.slice(0, index)))
    if (fault) wrong('condition', fault)
  }
  return found
}

function conditionFault(
  { key, values }: NonNullable<FormField['condition']>,
  targets: readonly FormField[],
): string | undefined {
  const target = targets.find(field => field.key === key)
  if (!target) return 'The question that it depends on is gone, or is further down. Choose another.'
  if (values.length === 0) return 'Choose at least one answer.'
  const possible = optionValues(target).map(([value]) => value)
  const gone = values.find(value => !possible.includes(value))
  return gone === undefined ? undefined : `“${gone}” is no longer an option of “${fieldName(target)}”.`
}
