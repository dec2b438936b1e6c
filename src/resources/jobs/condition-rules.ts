import type { FormFieldInput } from './sections-input.ts'

type Condition = { field_id: string; values: string[] }
type Named = Pick<FormFieldInput, 'label' | 'type'> & {
  id: string
  options: readonly string[]
  candidate_field: FormFieldInput['candidate_field']
  condition: object | null
}

/** What a condition may name: questions with a fixed set of answers, which partners can give, too. */
const CONDITION_TYPES: readonly FormFieldInput['type'][] = ['select', 'multiselect', 'boolean']

/**
 * The condition of a field as it is stored, or what is wrong with it; `before` are the fields above it. It names one of
 * these, so there are no circles, and answers that this one can have. Equal-opportunity questions are not among the types:
 * what is shown after one would reveal the answer. Name and email address are always asked for.
 */
export function resolveCondition(
  { condition, candidate_field }: FormFieldInput,
  before: readonly Named[],
): Condition | null | { fault: string } {
  const section = before.findLast(({ type }) => type === 'section')
  if ((candidate_field === 'name' || candidate_field === 'email') && (condition || section?.condition))
    return { fault: 'name and email address cannot depend on a condition' }
  if (!condition) return null
  const named = 'position' in condition ? before[condition.position] : before.find(f => f.id === condition.field_id)
  if (!named) return { fault: 'must name an earlier field of the form' }
  if (!CONDITION_TYPES.includes(named.type) || (named.candidate_field ?? null) !== null)
    return { fault: 'must name a question with options or of type boolean' }
  const possible = named.type === 'boolean' ? ['true', 'false'] : named.options
  if (condition.values.some(value => !possible.includes(value)))
    return { fault: `has a value that ${named.label} cannot have` }
  return { field_id: named.id, values: [...new Set(condition.values)] }
}

/** What people read of a question. */
interface Texts {
  label: string
  help_text: string | null
  options: readonly string[]
}

const textsOf = ({ label, help_text, options }: Texts) => JSON.stringify([label, help_text, options])

/** A consent names the version of the text that was shown: it rises with every change of what people read. */
export const textVersion = (field: Texts, stored: (Texts & { version: number }) | undefined): number =>
  stored === undefined ? 1 : stored.version + (textsOf(stored) === textsOf(field) ? 0 : 1)
