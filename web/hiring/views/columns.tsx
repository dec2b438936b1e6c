import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { FormDialog } from '../../ui/dialog.tsx'
import { Sortable } from '../../ui/sortable.tsx'
import type { Column } from '../../ui/table.tsx'
import '../css/views.css'
import { t } from '../texts/index.ts'

/** A column that can be hidden and moved has a name, as addresses have it. */
export interface NamedColumn<T> extends Column<T> {
  name?: string
}

/** The columns that an address names, after those without a name; all of them if it names none. */
export function arrangeColumns<T>(columns: readonly NamedColumn<T>[], value: string): NamedColumn<T>[] {
  if (value === '') return [...columns]
  const wanted = value.split(',').flatMap(name => columns.find(column => column.name === name) ?? [])
  return [...columns.filter(({ name }) => name === undefined), ...new Set(wanted)]
}

interface ButtonProps<T> {
  /** in the order of the page, all of them */
  columns: readonly NamedColumn<T>[]
  /** those that are shown, with commas between them; empty: all */
  value: string
  onInput: (value: string) => void
}

/** Chooses the columns of a table and their order. */
export function ColumnsButton<T>({ columns, value, onInput }: ButtonProps<T>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button secondary small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.views.columns}
      </button>
      {isOpen && <ColumnsDialog columns={columns} value={value} onInput={onInput} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Item {
  key: string
  title: string
  isShown: boolean
}

function itemsOf<T>(columns: readonly NamedColumn<T>[], value: string): Item[] {
  const shown = arrangeColumns(columns, value)
  const hidden = columns.filter(column => !shown.includes(column))
  return [...shown, ...hidden].flatMap(column =>
    column.name === undefined ? [] : [{ key: column.name, title: column.title, isShown: shown.includes(column) }],
  )
}

function ColumnsDialog<T>({ columns, value, onInput, onClose }: ButtonProps<T> & { onClose: () => void }) {
  const [items, setItems] = useState(() => itemsOf(columns, value))
  const all = columns.flatMap(({ name }) => name ?? []).join()
  const chosen = items.filter(({ isShown }) => isShown).map(({ key }) => key)
  return (
    <FormDialog
      title={t.views.columns}
      action={t.views.showColumns}
      disabled={chosen.length === 0}
      onClose={onClose}
      onSubmit={() => {
        onInput(chosen.join() === all ? '' : chosen.join())
        onClose()
      }}
    >
      <Sortable label={t.views.columns} items={items} nameOf={({ title }) => title} onSort={setItems}>
        {(item, index, handle) => (
          <ColumnLine
            title={item.title}
            isShown={item.isShown}
            handle={handle}
            onChange={isShown => setItems(items.with(index, { ...item, isShown }))}
          />
        )}
      </Sortable>
    </FormDialog>
  )
}

interface LineProps {
  title: string
  isShown: boolean
  handle: ComponentChildren
  onChange: (isShown: boolean) => void
}

function ColumnLine({ title, isShown, handle, onChange }: LineProps) {
  const id = useId()
  return (
    <div class="column-line">
      {handle}
      <label class="check" for={id}>
        <input id={id} type="checkbox" checked={isShown} onChange={event => onChange(event.currentTarget.checked)} />
        {title}
      </label>
    </div>
  )
}
