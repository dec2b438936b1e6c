import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Field, SelectField, TextField } from '../../ui/form.tsx'
import { TokensField } from '../../ui/tokens.tsx'
import type { Read } from '../api.ts'
import { useCurrency } from './currency.ts'
import { CHOICES, findFieldLabel, JOB_FIELDS, type JobField, type JobValues } from './fields.ts'
import { MarkdownField } from './markdown-field.tsx'

export interface JobFormProps {
  values: JobValues
  set: <F extends JobField>(field: F, value: JobValues[F]) => void
  fault: (field: string) => string | undefined
  words: Read<'/job-words'> | undefined
  /** a new job begins with its title */
  isNew?: boolean
}

/** Fields whose value is a text. */
type TextName = { [F in JobField]: JobValues[F] extends string ? F : never }[JobField]
type ListName = {
  [F in JobField]: JobValues[F] extends string ? never : JobValues[F] extends boolean ? never : F
}[JobField]
type FlagName = { [F in JobField]: JobValues[F] extends boolean ? F : never }[JobField]

const CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'SEK', 'PLN', 'INR', 'JPY', 'SGD', 'BRL']

const Group = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <section class="panel job-group" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
)

type Edited = Pick<JobFormProps, 'values' | 'set' | 'fault'>

/** What the control of a field is given, by the kind of its value. */
function propsOf({ values, set, fault }: Edited) {
  const of = (field: JobField) => ({ label: JOB_FIELDS[field][0], fault: fault(field) })
  const text = (field: TextName) => ({
    ...of(field),
    value: values[field],
    onInput: (value: string) => set(field, value),
  })
  const list = (field: ListName) => ({
    ...of(field),
    value: values[field],
    onInput: (value: string[]) => set(field, value),
  })
  const choice = (field: keyof typeof CHOICES, none = 'Not set') => ({
    ...text(field),
    options: [['', none], ...CHOICES[field]] as const,
  })
  const flag = (field: FlagName) => ({
    label: JOB_FIELDS[field][0],
    checked: values[field],
    onInput: (on: boolean) => set(field, on),
  })
  return { text, list, choice, flag }
}

function PayGroup({ values, set, fault }: Edited) {
  const { text, flag } = propsOf({ values, set, fault })
  const noteEditedCurrency = useCurrency(values, set)
  const currency = text('compensation.currency')
  return (
    <Group id="pay" title="Pay">
      <div class="field-row">
        <TextField {...text('compensation.salary_min')} type="number" hint="Whole units, no cents." />
        <TextField {...text('compensation.salary_max')} type="number" />
      </div>
      <div class="field-row">
        <Suggested
          {...currency}
          onInput={value => {
            noteEditedCurrency()
            currency.onInput(value)
          }}
          options={CURRENCIES}
          maxLength={3}
        />
        <SelectField {...text('compensation.interval')} options={CHOICES['compensation.interval']} />
      </div>
      <TextField {...text('compensation.equity')} maxLength={200} placeholder="0.1 %" />
      <Check {...flag('compensation.commission')} hint="Part of the pay depends on sales." />
    </Group>
  )
}

/** Every field of a job. The service checks them: what is wrong is shown at its field. */
export function JobForm({ values, set, fault, words, isNew }: JobFormProps) {
  const { text, list, choice, flag } = propsOf({ values, set, fault })
  return (
    <>
      <Group id="basics" title="Basics">
        <TextField
          {...text('title')}
          required
          maxLength={300}
          placeholder="Senior welder"
          autoComplete="off"
          {...(isNew ? { autofocus: true } : {})}
        />
        <div class="field-row">
          <Suggested {...text('department')} options={words?.departments} maxLength={200} />
          <Suggested {...text('team')} options={words?.teams} maxLength={200} />
        </div>
        <div class="field-row">
          <SelectField {...choice('employment_type')} />
          <SelectField {...choice('experience_level')} />
        </div>
        <div class="field-row">
          <TextField {...text('years_min')} type="number" />
          <TextField {...text('years_max')} type="number" />
        </div>
      </Group>
      <Group id="place" title="Place">
        <SelectField {...choice('location_type')} />
        <TokensField
          {...list('locations')}
          suggestions={words?.locations ?? []}
          placeholder="Lyon, France"
          hint="Press Enter after each."
        />
      </Group>
      <Group id="texts" title="Texts">
        <SelectField
          {...choice('language', 'Detect from the text')}
          hint="Screen readers pronounce the texts on the careers site in this language."
        />
        <TextField
          {...text('content.summary')}
          rows={3}
          maxLength={2000}
          hint="One or two sentences. Lists and search results show it."
        />
        <MarkdownField {...text('content.description_md')} />
        <Lines {...list('content.responsibilities')} />
        <Lines {...list('content.requirements')} />
        <Lines {...list('content.nice_to_have')} />
        <Lines {...list('content.benefits')} />
      </Group>
      <Group id="skills" title="Skills">
        <TokensField
          {...list('content.skills_required')}
          separator={/[,;\n]/}
          placeholder="Welding"
          hint="Applications are scored by these. A change scores the job's applications again."
        />
        <TokensField {...list('content.skills_preferred')} separator={/[,;\n]/} />
      </Group>
      <PayGroup values={values} set={set} fault={fault} />
      <Group id="applying" title="Applying">
        <Check
          {...flag('accept_applications')}
          hint="While the job is published. Without it, candidates see the job and cannot apply here."
        />
        <TextField
          {...text('external_apply_url')}
          type="url"
          placeholder="https://"
          hint="Where people apply instead, if not here."
        />
        <TextField
          {...text('close_at')}
          type="datetime-local"
          hint="In your time zone. The job closes by itself then. Empty: it stays open."
        />
      </Group>
      <Group id="company" title="Company">
        <p class="soft">For jobs of another company or brand than this workspace.</p>
        <TextField {...text('source.company_name')} maxLength={200} />
        <TextField {...text('source.company_logo_url')} type="url" placeholder="https://" />
        <TextField
          {...text('source.canonical_url')}
          type="url"
          placeholder="https://"
          hint="The page of this job elsewhere, for search engines."
        />
      </Group>
    </>
  )
}

/** Where a part of a job begins that has no field of its own. */
const FIRST_FIELD: Readonly<Record<string, JobField>> = {
  content: 'content.summary',
  compensation: 'compensation.salary_min',
}

/** Scrolls to a field in which something is missing, and puts the cursor there. */
export function showField(name: string): void {
  const label = findFieldLabel(FIRST_FIELD[name] ?? name)
  const labels = [...document.querySelectorAll('.job-group label, .job-group .label')]
  const found =
    labels.find(({ textContent }) => textContent === label) ??
    labels.find(one => one.querySelector('b')?.textContent === label)
  const control = found instanceof HTMLLabelElement ? found.control : null
  control?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'center' })
}

interface LinesProps {
  label: string
  value: readonly string[]
  onInput: (value: string[]) => void
  fault: string | undefined
}

/** A list of sentences, one in a line. */
const Lines = ({ label, value, onInput, fault }: LinesProps) => (
  <Field label={label} fault={fault} hint="One per line.">
    {control => (
      <textarea
        {...control}
        rows={Math.min(12, Math.max(3, value.length + 1))}
        value={value.join('\n')}
        onInput={event => onInput(event.currentTarget.value.split('\n'))}
      />
    )}
  </Field>
)

interface SuggestedProps {
  label: string
  value: string
  onInput: (value: string) => void
  fault: string | undefined
  options: readonly string[] | undefined
  maxLength: number
}

/** A text with suggestions: what other jobs have. */
function Suggested({ label, value, onInput, fault, options, maxLength }: SuggestedProps) {
  const list = useId()
  return (
    <Field label={label} fault={fault}>
      {control => (
        <>
          <input
            {...control}
            value={value}
            list={list}
            autoComplete="off"
            maxLength={2 * maxLength}
            onInput={event => onInput(event.currentTarget.value)}
          />
          <datalist id={list}>
            {options?.map(option => (
              <option key={option} value={option} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

interface CheckProps {
  label: string
  hint: string
  checked: boolean
  onInput: (on: boolean) => void
}

const Check = ({ label, hint, checked, onInput }: CheckProps) => (
  <label class="job-check">
    <input type="checkbox" checked={checked} onChange={event => onInput(event.currentTarget.checked)} />
    <span>
      <b>{label}</b>
      <span class="soft">{hint}</span>
    </span>
  </label>
)
