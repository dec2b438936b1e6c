import type { Field } from '../../src/kernel/http/shape.ts'

interface TableColumns {
  readonly table: string
  readonly columns: readonly { name: string; field: Field; shown: boolean }[]
}

/**
 * The columns of a record that a dataset fills, and the SQL of their values: `values` for those whose values matter, and
 * for every other one that responses show and that may be null a text, URL or number made of `row`, the number of the
 * row. So a new field of the record is filled, read and sent like the others. What remains has the defaults of the table.
 */
export function fillColumns({ table, columns }: TableColumns, row: string, values: Readonly<Record<string, string>>) {
  const unknown = Object.keys(values).find(name => !columns.some(column => column.name === name))
  if (unknown !== undefined) throw new Error(`${table} has no column ${unknown}`)
  const filled = columns.flatMap(({ name, field, shown }) => {
    const value = values[name] ?? (shown ? sampleValue(name, field, row) : undefined)
    return value === undefined ? [] : [{ name, value }]
  })
  return { columns: filled.map(({ name }) => name).join(', '), values: filled.map(({ value }) => value).join(', ') }
}

/** undefined: its values are those of a list, handles of other records or times, which have a meaning. */
function sampleValue(name: string, { schema, nullable, parts }: Field, row: string): string | undefined {
  const { type, format, enum: listed, examples } = schema
  if (!nullable || parts || listed || examples) return undefined
  if (type === 'integer' || type === 'number') return `${row} % 100`
  if (type !== 'string') return undefined
  if (format === 'uri') return `'https://bench.example/${name}/' || ${row}`
  return format === undefined ? `'${name.replaceAll('_', ' ')} ' || ${row}` : undefined
}
