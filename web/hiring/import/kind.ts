import type { ComponentChildren } from 'preact'
import { amount } from '../../ui/numbers.ts'
import type { Column } from '../../ui/table.tsx'
import type { Tone } from '../../ui/tag.tsx'
import type { Sent } from '../api.ts'
import { t } from '../texts/index.ts'

/** What a check says about the columns of a table. */
type CheckedTable = Pick<
  Sent<'/sourcing/import/check'>,
  'delimiter' | 'rows_begin_at' | 'rows_begin_at_line' | 'columns' | 'fields'
>

/** What a check returns, whatever the people of the table become. */
export interface Checked<L> extends CheckedTable {
  lines: readonly L[]
}

/** What becomes of a line, in few words; `name` is that of the filter. */
export interface Fate {
  name: string
  title: string
  tone: Tone
}

export interface Progress {
  done: number
  total: number
}

/** A kind of people that a table can become. */
export interface ImportKind<L extends { line: number }, R> {
  maxLines: number
  /** a sentence about the file that is needed for this kind alone */
  hint?: string
  /** the address of a table without rows */
  emptyTable: string
  check: (file: Blob) => Promise<Checked<L>>
  run: (file: Blob, onLine: (line: Progress | { result: R }) => void) => Promise<void>
  /** in the order of the filter */
  fates: readonly Fate[]
  fateOf: (line: L) => Fate
  /** whether the line can be read: others are not sent to be stored */
  isReadable: (line: L) => boolean
  /** whether the import changes anything for the line */
  isStored: (line: L) => boolean
  personColumn: Column<L>
  /** what the people are added to, next to the button */
  target?: ComponentChildren
  done: (result: R) => { words: string; earlier: number; link: ComponentChildren }
}

export const linesOf = (n: number): string => amount(n, t.imports.oneLine, t.imports.manyLines)

/** `linkedin_url`: LinkedIn URL */
export function fieldTitle(field: string): string {
  const titles: Readonly<Record<string, string>> = t.imports.fields
  return (
    titles[field] ??
    field
      .replaceAll('_', ' ')
      .replace(/\b(url|id)\b/g, word => word.toUpperCase())
      .replace('linkedin', 'LinkedIn')
      .replace(/^./, letter => letter.toUpperCase())
  )
}
