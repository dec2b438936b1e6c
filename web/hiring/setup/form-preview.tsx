import { useState } from 'preact/hooks'
import {
  type FormPart,
  formParts,
  type Question,
  type QuestionCondition,
} from '../../../src/careers/apply/questions.ts'
import { en } from '../../../src/careers/texts/en.ts'
import type { Read } from '../api.ts'
import { cleanOptions, type FormField, takesOptions } from './form-model.ts'

interface FormPreviewProps {
  /** The title of the job. */
  title: string
  fields: readonly FormField[]
  questions: Read<'/jobs/{job_id}/form'>['questions']
  hasPhonePrescreen: boolean
}

const t = en.apply

/** The form as candidates see it, arranged by the code of the careers site. Entries are only for trying it. */
export function FormPreview({ title, fields, questions, hasPhonePrescreen }: FormPreviewProps) {
  const [entered, setEntered] = useState<Readonly<Record<string, string[]>>>({})
  const parts = formParts(
    {
      id: '',
      slug: '',
      title,
      summary: null,
      language: null,
      status: 'published',
      accept_applications: true,
      external_apply_url: null,
      has_phone_prescreen: hasPhonePrescreen,
      fields: fields.map(toPublic),
      questions: [...questions],
    },
    en,
  )
  const holds = holdsFor(parts, entered)
  return (
    <section class="form-preview" aria-label="Preview: the form as candidates see it">
      <p class="form-preview-title">{t.title(title)}</p>
      <p class="soft">{t.intro}</p>
      {parts.map((part, i) =>
        holds(part.condition) ? (
          <div key={i} class="preview-part">
            {part.title !== null && <h3>{part.title}</h3>}
            {part.text && <p class="soft">{part.text}</p>}
            {part.questions.map(question =>
              holds(question.condition) ? (
                <PreviewQuestion
                  key={question.name}
                  question={question}
                  value={entered[question.name] ?? []}
                  onInput={value => setEntered(before => ({ ...before, [question.name]: value }))}
                />
              ) : null,
            )}
          </div>
        ) : null,
      )}
      <span class="button preview-send" aria-hidden="true">
        {t.send}
      </span>
    </section>
  )
}

const toPublic = (field: FormField) => ({
  id: field.key,
  label: field.label.trim() || 'New question',
  type: field.type,
  required: field.required,
  section: field.section.trim() || null,
  help_text: field.help_text.trim() || null,
  options: takesOptions(field.type) ? cleanOptions(field) : [],
  max_length: Number(field.max_length) || null,
  candidate_field: field.candidate_field,
  condition: field.condition && { field_id: field.condition.key, values: field.condition.values },
  version: field.version,
  is_default_label: field.is_default_label,
  is_default_help_text: field.is_default_help_text,
})

/** Whether a condition is met: the question that it names is shown, and has one of the values. */
function holdsFor(parts: readonly FormPart[], entered: Readonly<Record<string, string[]>>) {
  const places = parts.flatMap(part => part.questions.map(question => ({ part, question })))
  const holds = (condition: QuestionCondition | null, above: readonly string[] = []): boolean => {
    if (!condition) return true
    // while it is edited, a form may have a circle
    if (above.includes(condition.field_id)) return false
    const named = places.find(({ question }) => question.fieldId === condition.field_id)
    const within = [...above, condition.field_id]
    return (
      named !== undefined &&
      holds(named.part.condition, within) &&
      holds(named.question.condition, within) &&
      (entered[named.question.name] ?? []).some(value => condition.values.includes(value))
    )
  }
  return holds
}

interface PreviewQuestionProps {
  question: Question
  value: readonly string[]
  onInput: (value: string[]) => void
}

const INPUT_TYPES: Partial<Record<Question['kind'], string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  date: 'date',
}

function PreviewQuestion({ question, value, onInput }: PreviewQuestionProps) {
  const { kind, label, hint, required, options } = question
  const id = `preview-${question.id}`
  const mark = !required && kind !== 'tick' && <span class="soft preview-optional"> {t.optional}</span>
  const hintLine = hint && <p class="hint">{hint}</p>
  if (kind === 'consent' || kind === 'tick') {
    return (
      <label class={kind === 'consent' ? 'preview-choice boxed' : 'preview-choice'}>
        <input type="checkbox" />
        <span>
          {label}
          {mark}
          {hint && <span class="preview-consent">{hint}</span>}
        </span>
      </label>
    )
  }
  if (kind === 'radios' || kind === 'checkboxes' || kind === 'yesno') {
    const several = kind === 'checkboxes'
    const listed: (readonly [string, string])[] =
      kind === 'yesno'
        ? [['true', t.yes], ['false', t.no], ...(required ? [] : ([['', t.noAnswer]] as const))]
        : options.map(option => [option, option] as const)
    return (
      <fieldset class="preview-field">
        <legend>
          {label}
          {mark}
        </legend>
        {hintLine}
        {listed.map(([option, text]) => (
          <label key={option} class="preview-choice">
            <input
              type={several ? 'checkbox' : 'radio'}
              name={id}
              checked={value.includes(option)}
              onChange={event => {
                const rest = several ? value.filter(each => each !== option) : []
                onInput(event.currentTarget.checked ? [...rest, option] : [...rest])
              }}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
    )
  }
  return (
    <div class="preview-field">
      {kind === 'file' ? (
        <>
          <p class="label">
            {label}
            {mark}
          </p>
          {hintLine}
          <div class="preview-drop">{t.script.drop}</div>
        </>
      ) : (
        <>
          <label for={id}>
            {label}
            {mark}
          </label>
          {hintLine}
          <Control question={question} id={id} value={value[0] ?? ''} onInput={text => onInput([text])} />
          {kind === 'textarea' && question.maxLength !== null && <p class="hint">{t.count(question.maxLength)}</p>}
        </>
      )}
    </div>
  )
}

interface ControlProps {
  question: Question
  id: string
  value: string
  onInput: (value: string) => void
}

function Control({ question, id, value, onInput }: ControlProps) {
  const { kind, options, required } = question
  if (kind === 'textarea')
    return <textarea id={id} rows={3} value={value} onInput={event => onInput(event.currentTarget.value)} />
  if (kind === 'select') {
    return (
      <select id={id} value={value} onInput={event => onInput(event.currentTarget.value)}>
        <option value="">{required ? t.choose : t.noAnswer}</option>
        {options.map(option => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      id={id}
      type={(INPUT_TYPES[kind] ?? 'text') as 'text'}
      autoComplete="off"
      value={value}
      onInput={event => onInput(event.currentTarget.value)}
    />
  )
}
