import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Segments, TextField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty } from '../../ui/notice.tsx'
import { useFilters } from '../../ui/router.tsx'
import { Sortable } from '../../ui/sortable.tsx'
import { toast } from '../../ui/toast.tsx'
import { KEYS } from '../key-table.ts'
import { FieldEditor } from './form-field.tsx'
import { DETAILS, type FormField, fieldName, findFieldTitle, newField } from './form-model.ts'
import { OTHER_TYPES, QUESTION_TYPES, type TypeInfo } from './question-types.ts'
import { EditableRow } from './row.tsx'

const MAX_FIELDS = 200

/** Where the open entry is. One that was new is found again at its place after saving gave it an id. */
export function useOpenAt(
  items: readonly { key: string }[],
  openKey: string | undefined,
  setOpenKey: (key: string) => void,
): number {
  const at = items.findIndex(({ key }) => key === openKey)
  const last = useRef({ at: -1, count: 0 })
  useLayoutEffect(() => {
    const { at: before, count } = last.current
    const saved = items[before]
    if (openKey !== undefined && at < 0 && saved && count === items.length) setOpenKey(saved.key)
    last.current = { at, count: items.length }
  })
  return at
}

interface FormBuilderProps {
  fields: readonly FormField[]
  onChange: (change: (before: FormField[]) => FormField[]) => void
  /** under `<key> <name>` */
  problems: ReadonlyMap<string, string>
  mayEdit: boolean
  preview: ComponentChildren
}

/** The questions of a form on the left, the form as candidates see it on the right. */
export function FormBuilder({ fields, onChange, problems, mayEdit, preview }: FormBuilderProps) {
  const [{ view }, setView] = useFilters(['view'])
  const [openKey, setOpenKey] = useState<string>()
  const [adding, setAdding] = useState(false)
  const mayAdd = mayEdit && fields.length < MAX_FIELDS
  useShortcuts([{ keys: KEYS.create, title: 'Add a question', run: () => mayAdd && setAdding(true) }])
  const openAt = useOpenAt(fields, openKey, setOpenKey)

  const add = (info: TypeInfo) => {
    const field = newField(info)
    onChange(before => before.toSpliced(openAt < 0 ? before.length : openAt + 1, 0, field))
    setOpenKey(field.key)
    setAdding(false)
  }
  const remove = (field: FormField, index: number) => {
    onChange(before => before.filter(({ key }) => key !== field.key))
    if (field.key === openKey) setOpenKey(undefined)
    toast(`“${fieldName(field)}” removed`, 'good', {
      title: 'Undo',
      run: () =>
        onChange(before => (before.some(({ key }) => key === field.key) ? before : before.toSpliced(index, 0, field))),
    })
  }
  return (
    <div class={`builder ${view === 'preview' ? 'show-preview' : 'show-questions'}`}>
      <div class="builder-switch">
        <Segments
          label="What is shown"
          value={view === 'preview' ? 'preview' : ''}
          options={[
            ['', 'Questions'],
            ['preview', 'Preview'],
          ]}
          onInput={value => setView({ view: value })}
        />
      </div>
      <div class="builder-questions">
        <fieldset class="plain" disabled={!mayEdit}>
          <Sortable label="Questions" items={fields} nameOf={fieldName} onSort={next => onChange(() => next)}>
            {(field, index, handle) => (
              <EditableRow
                handle={handle}
                title={fieldName(field)}
                facts={factsOf(field, fields)}
                open={field.key === openKey}
                onToggle={() => setOpenKey(field.key === openKey ? undefined : field.key)}
                onRemove={() => remove(field, index)}
                wrong={[...problems.keys()].some(name => name.startsWith(`${field.key} `))}
                heading={field.type === 'section'}
              >
                <FieldEditor
                  field={field}
                  before={fields.slice(0, index)}
                  problem={name => problems.get(`${field.key} ${name}`)}
                  onChange={change =>
                    onChange(before => before.map(each => (each.key === field.key ? { ...each, ...change } : each)))
                  }
                />
              </EditableRow>
            )}
          </Sortable>
          {fields.length === 0 && (
            <Empty title="The form has no questions">
              Candidates are asked for their name and email address alone.
            </Empty>
          )}
          {mayEdit && (
            <div class="actions">
              <Button
                onClick={() => setAdding(true)}
                disabled={!mayAdd}
                title={mayAdd ? undefined : 'A form has at most 200 questions'}
              >
                <Icon name="plus" size={15} /> Add a question
              </Button>
            </div>
          )}
        </fieldset>
      </div>
      <div class="builder-preview">
        <p class="label builder-preview-label">Preview</p>
        {preview}
      </div>
      {adding && <AddDialog fields={fields} onAdd={add} onClose={() => setAdding(false)} />}
    </div>
  )
}

function factsOf(field: FormField, fields: readonly FormField[]): string {
  const { condition } = field
  const on = condition && fields.find(({ key }) => key === condition.key)
  return [
    findFieldTitle(field),
    field.required && 'required',
    condition && (on ? `only if “${fieldName(on)}”` : 'has a condition'),
    field.type === 'consent' && field.version > 1 && `version ${field.version}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

interface AddDialogProps {
  fields: readonly FormField[]
  onAdd: (info: TypeInfo) => void
  onClose: () => void
}

function AddDialog({ fields, onAdd, onClose }: AddDialogProps) {
  const missing = DETAILS.filter(({ detail }) => !fields.some(field => field.candidate_field === detail))
  const groups: [string, readonly TypeInfo[]][] = [
    ['Details of the candidate', missing],
    ['Questions', QUESTION_TYPES],
    ['Sections and consent', OTHER_TYPES],
  ]
  const [q, setQ] = useState('')
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ title, about }: TypeInfo) => words.every(word => `${title} ${about}`.toLowerCase().includes(word))
  const found = groups.map(([title, types]) => [title, types.filter(fits)] as const)
  const first = found.flatMap(([, types]) => types)[0]
  return (
    <Dialog title="Add a question" onClose={onClose} wide>
      <Form
        onSubmit={() => {
          if (first && words.length > 0) onAdd(first)
        }}
      >
        <TextField
          label="Kind of question"
          value={q}
          onInput={setQ}
          placeholder="Type to filter; Enter adds the first"
          autoComplete="off"
          autofocus
        />
      </Form>
      <p class="soft" role="status">
        {first ? '' : 'No kind of question has these words.'}
      </p>
      {found.map(
        ([title, types]) =>
          types.length > 0 && (
            <section key={title} class="type-group" aria-label={title}>
              <h3>{title}</h3>
              <div class="type-list">
                {types.map(info => (
                  <button key={info.title} type="button" class="type-choice" onClick={() => onAdd(info)}>
                    <strong>{info.title}</strong>
                    <span class="soft">{info.about}</span>
                  </button>
                ))}
              </div>
            </section>
          ),
      )}
    </Dialog>
  )
}
