import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiError } from './api.ts'
import { Button } from './button.tsx'
import { ErrorNote, Skeleton } from './notice.tsx'
import { amount } from './numbers.ts'

export interface Column<T> {
  title: string
  /** drawn instead of the title, such as a checkbox for all rows */
  head?: ComponentChildren
  cell: (row: T) => ComponentChildren
  /** `end`: numbers */
  align?: 'end'
  /** left out on narrow screens; what it says is on the record's own page */
  wide?: boolean
  /** takes the remaining width */
  grow?: boolean
  /** the class of its cells */
  class?: string
}

const classOf = <T,>({ align, wide, grow }: Column<T>) =>
  [align === 'end' ? 'end' : '', wide ? 'wide-only' : '', grow ? 'grow' : ''].filter(Boolean).join(' ')

const Head = <T,>({ columns }: { columns: readonly Column<T>[] }) => (
  <thead>
    <tr>
      {columns.map(column => (
        <th key={column.title} scope="col" class={classOf(column)}>
          {column.head ?? column.title}
        </th>
      ))}
    </tr>
  </thead>
)

const Cells = <T,>({ columns, row }: { columns: readonly Column<T>[]; row: T }) => (
  <>
    {columns.map(column => (
      <td key={column.title} class={`${classOf(column)} ${column.class ?? ''}`.trim()}>
        {column.cell(row)}
      </td>
    ))}
  </>
)

/** A few rows that are all there; `auto`: as wide as their texts. */
export const SmallTable = <T,>(props: Pick<TableProps<T>, 'name' | 'columns' | 'rowKey'> & SmallTableProps<T>) => (
  <table class={props.auto ? 'rows auto' : 'rows'} aria-label={props.name}>
    <Head columns={props.columns} />
    <tbody>
      {props.rows.map(row => (
        <tr key={props.rowKey(row)}>
          <Cells columns={props.columns} row={row} />
        </tr>
      ))}
    </tbody>
  </table>
)

interface SmallTableProps<T> {
  rows: readonly T[]
  auto?: boolean
}

export interface TableProps<T> {
  /** what the rows are, for those who listen */
  name: string
  columns: readonly Column<T>[]
  rows: readonly T[] | undefined
  rowKey: (row: T) => string
  empty: ComponentChildren
  error?: ApiError | undefined
  loading?: boolean
  reload?: () => void
  /** retries a page that failed to load */
  retry?: () => void
  /** there are further rows */
  more?: boolean
  loadMore?: () => void
  onRow?: (row: T) => void
}

/** Every row has this height, so that only those in sight are drawn, however many there are. */
const ROW_PX = 48
const BEYOND = 12
/** Fewer rows than this are simply all drawn. */
const FEW = 60

/** The rows of a list and their state, as `usePages` reads them. */
export type Rows<T> = Pick<TableProps<T>, 'rows' | 'error' | 'loading' | 'reload' | 'retry' | 'more' | 'loadMore'>

export function DataTable<T>(props: TableProps<T>) {
  const { name, columns, rows, rowKey, empty, error, loading, reload, retry, more, loadMore, onRow } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const total = rows?.length ?? 0
  const [from, to] = useWindow(body, total)

  // the next page is asked for before its place comes into sight
  useEffect(() => {
    if (more && !loading && !error && total > 0 && to >= total - BEYOND && from > 0) loadMore?.()
  }, [more, loading, error, total, to, from, loadMore])

  const table = (shown: readonly T[]) => (
    <div class={loading ? 'table-frame stale' : 'table-frame'}>
      <table class="rows" aria-label={name} aria-rowcount={more ? -1 : total + 1} aria-busy={loading}>
        <Head columns={columns} />
        <tbody ref={body}>
          <Gap rows={from} />
          {shown.slice(from, to).map((row, i) => (
            <tr
              key={rowKey(row)}
              aria-rowindex={from + i + 2}
              class={onRow ? 'open' : undefined}
              onClick={event => {
                // a click on a link or button of the row is theirs
                if (onRow && !(event.target as Element).closest('a, button, input, select')) onRow(row)
              }}
            >
              <Cells columns={columns} row={row} />
            </tr>
          ))}
          <Gap rows={total - to} />
        </tbody>
      </table>
      {error && <ErrorNote error={error} retry={retry ?? reload} />}
      {more && (
        <div class="more">
          <Button small busy={loading ?? false} onClick={() => loadMore?.()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  )
  const found = rows && !loading ? `${amount(total, 'row')}${more ? ' so far' : ''}` : ''
  return (
    <>
      {/* announces the change to screen readers */}
      <p class="visually-hidden" role="status">
        {found}
      </p>
      {error && !rows ? (
        <ErrorNote error={error} retry={reload} />
      ) : !rows ? (
        <Skeleton />
      ) : total === 0 ? (
        empty
      ) : (
        table(rows)
      )}
    </>
  )
}

/** A spacer for the rows that are not rendered. */
const Gap = ({ rows }: { rows: number }) =>
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot have the focus
  rows > 0 ? <tr class="gap" aria-hidden="true" style={{ height: `${rows * ROW_PX}px` }} /> : null

/** The rows that are in sight, with some before and after them. */
function useWindow(body: { current: HTMLElement | null }, total: number): [number, number] {
  const [range, setRange] = useState<[number, number]>([0, Math.min(total, FEW)])
  useLayoutEffect(() => {
    if (total <= FEW) return setRange([0, total])
    const measure = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      // in steps, so that scrolling by a few pixels draws nothing
      const first = Math.floor(Math.max(0, -top / ROW_PX - BEYOND) / 8) * 8
      const last = Math.min(total, Math.ceil((innerHeight - top) / ROW_PX / 8 + 1) * 8 + BEYOND)
      setRange(now => (now[0] === first && now[1] === last ? now : [first, Math.max(last, first)]))
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [total, body])
  const [from, to] = range
  return [Math.min(from, total), Math.min(Math.max(to, total <= FEW ? total : 0), total)]
}
