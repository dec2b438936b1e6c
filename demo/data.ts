import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** What a replay made: rows as JSON text, tables that others refer to first, the files that the rows name, and emails. */
export interface DemoData {
  /** the moment at which the replay ended: midnight, UTC */
  end: string
  tables: { name: string; rows: string }[]
  files: { key: string; type: string; body: Buffer }[]
  /** emails of the local outbox, as `encodeMail` writes them */
  mails: string[]
}

export const DATA_FILE = join(import.meta.dirname, 'data.br')

/** A line for each table, each file and each email; their parts are separated by tabs, which JSON text does not hold. */
export const encodeData = ({ end, tables, files, mails }: DemoData): string =>
  [
    end,
    ...tables.map(({ name, rows }) => `table\t${name}\t${rows}`),
    ...files.map(({ key, type, body }) => `file\t${key}\t${type}\t${body.toString('base64')}`),
    ...mails.map(mail => `mail\t${mail}`),
  ].join('\n')

export function readData(file = DATA_FILE): DemoData {
  const [end, ...lines] = brotliDecompressSync(readFileSync(file)).toString('utf8').split('\n')
  const data: DemoData = { end: end!, tables: [], files: [], mails: [] }
  for (const line of lines) {
    const [kind, name, third, body] = line.split('\t')
    if (kind === 'table') data.tables.push({ name: name!, rows: third! })
    else if (kind === 'mail') data.mails.push(name!)
    else data.files.push({ key: name!, type: third!, body: Buffer.from(body!, 'base64') })
  }
  return data
}

const DAY = 86_400_000
/** A day that a time of day follows: columns, and times inside JSON and event bodies. Versions named by a day do not. */
const DAY_OF_A_TIME = /\b(20\d\d-\d\d-\d\d)(?=T\d\d:\d\d:)/g

/**
 * Puts the end of the replay at the last midnight before `now`. Whole days, so that an hour of the day, the sum of a day
 * and the day of a sum stay what they were.
 */
export function shifted(data: DemoData, now: number): DemoData {
  const days = Math.floor((now - Date.parse(data.end)) / DAY)
  const known = new Map<string, string>()
  const shift = (day: string): string => {
    let moved = known.get(day)
    if (moved === undefined) {
      moved = new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
      known.set(day, moved)
    }
    return moved
  }
  const shiftAll = (text: string) => text.replace(DAY_OF_A_TIME, shift)
  const tables = data.tables.map(({ name, rows }) => ({ name, rows: shiftAll(rows) }))
  return { ...data, tables, mails: data.mails.map(shiftAll) }
}
