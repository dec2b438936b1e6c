import { useEffect, useId, useRef } from 'preact/hooks'
import { SelectField, TextField } from '../../ui/form.tsx'
import {
  conditionTargets,
  type FormField,
  fieldName,
  findFieldTitle,
  isAlwaysAsked,
  optionValues,
  takesLength,
  takesOptions,
} from './form-model.ts'
import { isNew } from './merge.ts'
import { OTHER_TYPES, QUESTION_TYPES } from './question-types.ts'

interface FieldEditorProps {
  field: FormField
  /** the questions above it */
  before: readonly FormField[]
  /** what is wrong with a value */
  problem: (name: keyof FormField) => string | undefined
  onChange: (change: Partial<FormField>) => void
}

const LABELS: Partial<Record<FormField['type'], string>> = { section: 'Heading', consent: 'Text next to the box' }
const HELP: Partial<Record<FormField['type'], string>> = {
  section: 'Text below the heading',
  consent: 'Text that candidates agree to',
}
const TYPE_OPTIONS = [...QUESTION_TYPES, ...OTHER_TYPES].map(({ type, title }) => [type, title] as const)

/** Everything about one question. */
export function FieldEditor({ field, before, problem, onChange }: FieldEditorProps) {
  const { type, candidate_field, condition } = field
  const editor = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // a question that was just added
    if (isNew(field) && field.label === '') editor.current?.querySelector<HTMLElement>('input, textarea')?.focus()
  }, [])
  const always = isAlwaysAsked(field)
  return (
    <div ref={editor}>
      <TextField
        label={LABELS[type] ?? 'Question'}
        value={field.label}
        onInput={label => onChange({ label, is_default_label: false })}
        maxLength={500}
        fault={problem('label')}
        hint={
          field.is_default_label
            ? 'Candidates see it in the language of the page, as long as you do not change it.'
            : candidate_field === 'name'
              ? 'Candidates are asked for their first and last name.'
              : undefined
        }
      />
      {candidate_field === null && isNew(field) && (
        <SelectField
          label="Type"
          value={type}
          options={TYPE_OPTIONS}
          onInput={next => onChange({ type: next as FormField['type'] })}
        />
      )}
      {candidate_field === null && !isNew(field) && (
        <p class="small soft">
          {findFieldTitle(field)}. To ask in another way, add a new question: answers that were given stay as they are.
        </p>
      )}
      <TextField
        label={HELP[type] ?? 'Help text'}
        value={field.help_text}
        onInput={help_text => onChange({ help_text, is_default_help_text: false })}
        rows={type === 'consent' ? 5 : 2}
        maxLength={2000}
        fault={problem('help_text')}
        hint={
          type === 'consent'
            ? `Version ${field.version}. The text is stored with each application, and a change makes a new version: candidates who have the form open must read it again.`
            : undefined
        }
      />
      {takesOptions(type) && (
        <TextField
          label="Options, one on each line"
          value={field.options.join('\n')}
          onInput={text => onChange({ options: text === '' ? [] : text.split('\n') })}
          rows={Math.min(10, Math.max(4, field.options.length + 1))}
          fault={problem('options')}
          hint={type === 'eeo' ? 'Without options, candidates can write a text.' : undefined}
        />
      )}
      {takesLength(field) && (
        <TextField
          label="Maximum length in characters"
          type="number"
          value={field.max_length}
          onInput={max_length => onChange({ max_length })}
          fault={problem('max_length')}
          hint="Leave empty for the limit of the service."
        />
      )}
      {field.section !== '' && (
        <TextField
          label="Heading above the question"
          value={field.section}
          onInput={section => onChange({ section })}
          maxLength={200}
          hint="From an earlier version of the form. Add a section instead, which can have a condition."
        />
      )}
      {type !== 'section' && <RequiredCheck field={field} onChange={onChange} />}
      {!always && (
        <ConditionEditor
          targets={conditionTargets(before)}
          condition={condition}
          fault={problem('condition')}
          section={type === 'section'}
          onChange={next => onChange({ condition: next })}
        />
      )}
      {always && problem('condition') && <p class="fault">{problem('condition')}</p>}
    </div>
  )
}

function RequiredCheck({ field, onChange }: { field: FormField } & Pick<FieldEditorProps, 'onChange'>) {
  const always = isAlwaysAsked(field)
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={always || field.required}
        disabled={always}
        onChange={event => onChange({ required: event.currentTarget.checked })}
      />
      <span>
        {field.type === 'consent' ? 'Candidates must agree to apply' : 'Required'}
        {always && <span class="soft"> (every application has it)</span>}
      </span>
    </label>
  )
}

interface ConditionEditorProps {
  targets: readonly FormField[]
  condition: FormField['condition']
  fault: string | undefined
  section: boolean
  onChange: (condition: FormField['condition']) => void
}

function ConditionEditor({ targets, condition, fault, section, onChange }: ConditionEditorProps) {
  const name = useId()
  const target = targets.find(({ key }) => key === condition?.key)
  if (targets.length === 0 && !condition) return null
  const what = section ? 'Show the section' : 'Show the question'
  const values = target ? optionValues(target) : []
  // values that the question no longer has stay in sight until they are unticked
  const gone = (condition?.values ?? []).filter(value => !values.some(([known]) => known === value))
  return (
    <>
      <SelectField
        label={what}
        value={condition?.key ?? ''}
        options={[
          ['', 'Always'],
          ...targets.map(field => [field.key, `Only after certain answers to “${fieldName(field)}”`] as const),
          ...(condition && !target ? ([[condition.key, 'Depends on a question that is not above']] as const) : []),
        ]}
        onInput={key => onChange(key === '' ? null : { key, values: [] })}
        fault={fault}
      />
      {condition && target && (
        <fieldset class="condition-values" aria-label={`Answers to “${fieldName(target)}”`}>
          {[...values, ...gone.map(value => [value, value] as const)].map(([value, title]) => (
            <label key={value} class="check">
              <input
                type="checkbox"
                name={name}
                checked={condition.values.includes(value)}
                onChange={event => {
                  const rest = condition.values.filter(each => each !== value)
                  onChange({ ...condition, values: event.currentTarget.checked ? [...rest, value] : rest })
                }}
              />
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}
