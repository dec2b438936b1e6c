import { SelectField } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { t } from '../texts/index.ts'
import { type Checked, fieldTitle } from './kind.ts'

/** Columns with their titles in the file, and the field that each becomes; '' is not imported. */
export type ChosenColumns = readonly (Omit<Checked<unknown>['columns'][number], 'field'> & { field: string })[]

/**
 * The file with other titles: those that the reader chose for its columns. They take as many lines as before, so that every
 * line keeps its number.
 */
export function withColumns(file: Blob, columns: ChosenColumns, first: Checked<unknown>): Blob {
  const { delimiter, rows_begin_at, rows_begin_at_line } = first
  const breaks = '\n'.repeat(Math.max(0, rows_begin_at_line - 2))
  const titles = columns.map(({ field }, i) => `"${field}${i === 0 ? breaks : ''}"`).join(delimiter)
  return new Blob([titles, '\n', file.slice(rows_begin_at)])
}

/** A field has one column. */
export const chooseField = (columns: ChosenColumns, at: number, field: string): ChosenColumns =>
  columns.map((column, i) =>
    i === at ? { ...column, field } : column.field === field ? { ...column, field: '' } : column,
  )

interface ColumnMapProps {
  columns: ChosenColumns
  fields: readonly string[]
  onMap: (at: number, field: string) => void
  busy: boolean
}

export function ColumnMap({ columns, fields, onMap, busy }: ColumnMapProps) {
  const options = [['', t.imports.notImported] as const, ...fields.map(field => [field, fieldTitle(field)] as const)]
  return (
    <Section title={t.imports.columns} description={t.imports.columnsHint}>
      <ul class={busy ? 'column-map stale' : 'column-map'}>
        {columns.map(({ title, sample, field: chosen }, i) => (
          <li key={i}>
            <SelectField
              label={title || t.imports.column(i + 1)}
              value={chosen}
              options={options}
              onInput={field => onMap(i, field)}
            />
            <span class="hint-line clip">{sample || '–'}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
