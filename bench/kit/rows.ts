import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './row.ts'

const FOLDER = join(import.meta.dirname, '../rows')

/** Every row, in the order of the files' names. */
export async function allRows(): Promise<Row[]> {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.ts'))
  const modules = (await Promise.all(files.sort().map(file => import(join(FOLDER, file))))) as { rows: Row[] }[]
  const rows = modules.flatMap(module => module.rows)
  const names = rows.map(row => row.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`two rows are called ${twice}`)
  return rows
}

export async function findRow(name: string): Promise<Row> {
  const row = (await allRows()).find(r => r.name === name)
  if (!row) throw new Error(`there is no row ${name}`)
  return row
}
