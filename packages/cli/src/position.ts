import type { FeedGapError, HiringClient } from '../../sdk/src/index.ts'
import { CommandError } from './command.ts'

/** Where a reader begins: `after` undefined is the oldest retained event. Earlier events are left out by `since`. */
export interface Start {
  after: number | undefined
  epoch: string
  /** milliseconds since 1970 */
  since?: number
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Events have the time of their change and are numbered when it is committed, so their times are not quite in order. */
const DISORDER_MS = 300_000

type Where = { at: 'start' } | { after: number } | { since: number }

/** Reads `start`, a sequence, a time in RFC 3339, or how long ago: `90s`, `10m`, `2h`, `1d`. */
export function readWhere(text: string, option: string, now = Date.now()): Where {
  if (text === 'start') return { at: 'start' }
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return { after: Number(text) }
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (amount !== undefined) return { since: now - Number(amount) * (UNITS[unit] ?? 0) }
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (!Number.isNaN(time)) return { since: time }
  throw new CommandError(
    `--${option} must be a sequence such as 1042, a time such as 2026-11-01T09:00:00Z, how long ago such as 10m, 2h or 1d, or start`,
  )
}

/** Finds the place in the log. Left out: its end, so that only later events are read. */
export async function findStart(
  client: HiringClient,
  where: Where | undefined,
  option: string,
  signal: AbortSignal,
): Promise<Start> {
  const end = await client.events.end({ signal })
  const { epoch } = end
  if (where === undefined) return { after: end.after, epoch }
  if ('at' in where) return { after: undefined, epoch }
  if ('since' in where) {
    return { after: await sequenceBefore(client, where.since, end.after, signal), epoch, since: where.since }
  }
  const page = await client.events.list({ after: where.after, limit: 1 }, { signal })
  if (page.gap) {
    throw new CommandError(
      where.after > end.after
        ? `--${option} ${where.after} is beyond the end of the feed, which is ${end.after}`
        : `events after ${where.after} are no longer retained: the oldest is ${page.oldest_sequence}. Use --${option} start`,
    )
  }
  return { after: where.after, epoch }
}

/** A sequence before every event since this time, by bisection: a log of a million events takes some twenty calls. */
async function sequenceBefore(
  client: HiringClient,
  since: number,
  end: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const target = since - DISORDER_MS
  const first = await client.events.list({ limit: 1 }, { signal })
  /** whether events after this sequence are all from the target on */
  const isLater = async (after: number): Promise<boolean> => {
    for (let page = await client.events.list({ after, limit: 1 }, { signal }); ; ) {
      const [event] = page.data
      if (event) return Date.parse(event.created_at) >= target
      if (!page.has_more) return true
      page = await client.events.list({ after: page.next_after, limit: 1 }, { signal })
    }
  }
  let low = first.oldest_sequence - 1
  if (low >= end || (await isLater(low))) return undefined
  for (let high = end; high - low > 1; ) {
    const middle = Math.floor((low + high) / 2)
    if (await isLater(middle)) high = middle
    else low = middle
  }
  return low
}

export const gapMessage = (error: FeedGapError): string =>
  error.reason === 'epoch_changed'
    ? 'the service was restored from a backup, and its feed has a new history'
    : `the feed no longer has the events after ${error.after}`
