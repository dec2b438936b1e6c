import { useState } from 'preact/hooks'
import { count } from './numbers.ts'

export interface Series<T> {
  name: string
  value: (row: T) => number
  /**
   * For values that cannot be added up, such as milliseconds: the legend shows it instead of the sum, and bars are drawn in
   * front of each other, the highest series first.
   */
  overall?: number
  tone: 'accent' | 'good' | 'warn' | 'bad' | 'info'
}

interface ChartProps<T> {
  title: string
  rows: readonly T[]
  /** the time of a row, as the axis and the table say it */
  label: (row: T) => string
  series: readonly Series<T>[]
  empty: string
  unit?: string
}

const short = new Intl.NumberFormat('en', { notation: 'compact' })

const WIDTH = 1000
const HEIGHT = 100

/** Bars over time: a picture, the figures of the bar under the pointer, and the same as a table. */
export function Chart<T>({ title, rows, label, series, empty, unit }: ChartProps<T>) {
  const [at, setAt] = useState<number>()
  const figure = (value: number) => (unit ? `${count.format(value)} ${unit}` : count.format(value))
  const isLayered = series.some(({ overall }) => overall !== undefined)
  const totalOf = (s: Series<T>) => s.overall ?? rows.reduce((sum, row) => sum + s.value(row), 0)
  const sums = rows.map(row => {
    const values = series.map(s => s.value(row))
    return isLayered ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
  })
  const highest = Math.max(...sums, 0)
  const top = nice(highest)
  const slot = WIDTH / Math.max(rows.length, 1)
  const bar = Math.min(slot * 0.72, 28)
  const shown = at === undefined ? undefined : rows[at]
  const tick = (row: T | undefined, name?: string) => row && <span class={name}>{label(row)}</span>
  const summary = series.map(s => `${figure(totalOf(s))} ${s.name.toLowerCase()}`).join(', ')
  return (
    <figure class="chart panel">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {series.map(s => (
            <li key={s.name} class={s.tone}>
              {s.name} <b>{figure(shown ? s.value(shown) : totalOf(s))}</b>
            </li>
          ))}
        </ul>
        <span class="faint chart-at">{shown ? label(shown) : ' '}</span>
      </figcaption>
      {highest === 0 ? (
        <p class="chart-empty faint">{empty}</p>
      ) : (
        <>
          <div class="plot">
            <div class="scale faint" aria-hidden="true">
              <span>{short.format(top)}</span>
              <span>{short.format(top / 2)}</span>
              <span>0</span>
            </div>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title}: ${summary}`}
              onPointerMove={event => {
                const box = event.currentTarget.getBoundingClientRect()
                setAt(Math.min(rows.length - 1, Math.floor(((event.clientX - box.left) / box.width) * rows.length)))
              }}
              onPointerLeave={() => setAt(undefined)}
            >
              {[0, 0.5].map(share => (
                <line key={share} x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} class="grid" />
              ))}
              {at !== undefined && <rect class="pointed" x={at * slot} y="0" width={slot} height={HEIGHT} />}
              {rows.map((row, i) => {
                let y = HEIGHT
                return series.map(s => {
                  const value = s.value(row)
                  if (value === 0) return null
                  // a single error among thousands must still be seen
                  const height = Math.max((value / top) * HEIGHT, 1.2)
                  y = isLayered ? HEIGHT - height : y - height
                  return (
                    <rect
                      key={`${i} ${s.name}`}
                      class={s.tone}
                      x={i * slot + (slot - bar) / 2}
                      y={Math.max(0, y)}
                      width={bar}
                      height={height}
                    />
                  )
                })
              })}
              <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} class="grid" />
            </svg>
          </div>
          <div class="axis faint" aria-hidden="true">
            {tick(rows[0])}
            {rows.length > 4 && tick(rows[Math.floor(rows.length / 2)], 'wide-only')}
            {tick(rows.at(-1))}
          </div>
          <AsTable title={title} head="Time" rows={rows} label={label} series={series} figure={figure} />
        </>
      )}
    </figure>
  )
}

interface AsTableProps<T> extends Pick<ChartProps<T>, 'title' | 'rows' | 'label' | 'series'> {
  /** what the rows are */
  head: string
  figure: (value: number) => string
}

/** What a chart shows, in figures. */
function AsTable<T>({ title, head, rows, label, series, figure }: AsTableProps<T>) {
  return (
    <details class="as-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="scroll-y" tabIndex={0} aria-label={`${title} as a table`}>
        <table class="rows auto">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {series.map(s => (
                <th key={s.name} scope="col" class="end">
                  {s.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i} class={series.every(s => s.value(row) === 0) ? 'faint' : undefined}>
                <td>{label(row)}</td>
                {series.map(s => (
                  <td key={s.name} class="end">
                    {figure(s.value(row))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

interface BarsProps<T> extends Pick<ChartProps<T>, 'title' | 'rows' | 'label' | 'series'> {
  /** what the rows are, as the table names them */
  head: string
  /** below the bars, such as how many rows are left out */
  note?: string | undefined
}

/** A bar for each row, with its parts: what can be named is compared better side by side than over time. */
export function Bars<T>({ title, head, rows, label, series, note }: BarsProps<T>) {
  const figure = (value: number) => count.format(value)
  const bars = rows.map(row => ({ row, total: series.reduce((sum, s) => sum + s.value(row), 0) }))
  const most = Math.max(...bars.map(({ total }) => total), 1)
  return (
    <figure class="chart panel">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {series.map(s => (
            <li key={s.name} class={s.tone}>
              {s.name}
            </li>
          ))}
        </ul>
      </figcaption>
      <ul class="bars">
        {bars.map(({ row, total }, i) => {
          let x = 0
          const parts = series.map(s => ({ ...s, n: s.value(row) })).filter(({ n }) => n > 0)
          const text = parts.map(({ name, n }) => `${figure(n)} ${name.toLowerCase()}`).join(', ')
          return (
            <li key={i} title={`${label(row)}: ${text}`}>
              <span class="bar-name">{label(row)}</span>
              <svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={text || 'none'}>
                <rect class="track" width="1000" height="10" />
                {parts.map(({ name, tone, n }) => {
                  // a single one among thousands must still be seen
                  const width = Math.max((n / most) * 1000, 3)
                  const from = Math.min(x, 1000 - width)
                  x += width
                  return <rect key={name} class={tone} x={from} width={width} height="10" />
                })}
              </svg>
              <b>{figure(total)}</b>
            </li>
          )
        })}
      </ul>
      {note && <p class="faint small">{note}</p>}
      <AsTable title={title} head={head} rows={rows} label={label} series={series} figure={figure} />
    </figure>
  )
}

/** The next round number whose half is round as well: 1, 2, 4, 6, 8, 10 and their tenfolds */
function nice(value: number): number {
  if (value <= 4) return 4
  const size = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 6, 8].map(step => step * size).find(step => step >= value) ?? 10 * size
}

interface MeterProps {
  name: string
  used: number
  limit: number | null
  note?: string
  /** work that is to reach its end, rather than an allowance that should not */
  progress?: boolean
}

/** How much of an allowance is used, or how much of some work is done. */
export function Meter({ name, used, limit, note, progress }: MeterProps) {
  const share = limit === null ? 0 : Math.min(1, used / limit)
  const tone = progress || share < 0.8 ? 'accent' : share < 1 ? 'warn' : 'bad'
  return (
    <div class="meter">
      <div class="meter-head">
        <span>{name}</span>
        <span>
          <b>{count.format(used)}</b> <span class="faint">of {limit === null ? 'unlimited' : count.format(limit)}</span>
        </span>
      </div>
      {limit !== null && (
        <svg
          viewBox="0 0 100 2"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${name}: ${Math.round(share * 100)} %${progress ? '' : ' used'}`}
        >
          <rect class="track" width="100" height="2" />
          <rect class={tone} width={Math.max(share * 100, used > 0 ? 0.6 : 0)} height="2" />
        </svg>
      )}
      {note && <div class="faint small">{note}</div>}
    </div>
  )
}

interface CountedRequests {
  requests: number
  client_errors: number
  server_errors: number
  limited: number
}

/** Requests by their result. */
export const REQUEST_SERIES: readonly Series<CountedRequests>[] = [
  { name: 'Successful', tone: 'accent', value: r => r.requests - r.client_errors - r.server_errors - r.limited },
  { name: '4xx', tone: 'warn', value: r => r.client_errors },
  { name: '429', tone: 'info', value: r => r.limited },
  { name: '5xx', tone: 'bad', value: r => r.server_errors },
]
