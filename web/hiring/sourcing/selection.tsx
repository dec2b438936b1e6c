import { useState } from 'preact/hooks'
import type { Column } from '../../ui/table.tsx'

export interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  /** all of these, or none if all are selected */
  toggleAll: (ids: readonly string[]) => void
  clear: () => void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    toggle: id =>
      setIds(now => {
        const next = new Set(now)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    toggleAll: all => setIds(now => new Set(all.every(id => now.has(id)) ? [] : all)),
    clear: () => setIds(new Set()),
  }
}

interface SelectAllProps {
  selection: Selection
  ids: readonly string[]
  label?: string
}

export const SelectAll = ({ selection, ids, label }: SelectAllProps) => {
  const all = ids.length > 0 && ids.every(id => selection.ids.has(id))
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={all}
        indeterminate={!all && selection.ids.size > 0}
        aria-label={label ? undefined : 'Select all'}
        onChange={() => selection.toggleAll(ids)}
      />
      {label}
    </label>
  )
}

/** The first column of a table whose rows can be selected. */
export const selectColumn = <T,>(
  selection: Selection,
  rows: readonly T[] | undefined,
  idOf: (row: T) => string,
  nameOf: (row: T) => string,
): Column<T> => ({
  title: 'Select',
  head: <SelectAll selection={selection} ids={rows?.map(idOf) ?? []} />,
  cell: row => (
    <input
      type="checkbox"
      checked={selection.ids.has(idOf(row))}
      aria-label={`Select ${nameOf(row)}`}
      onChange={() => selection.toggle(idOf(row))}
    />
  ),
})
