import type { FeedEvent, HiringClient } from '../../sdk/src/index.ts'
import { CommandError, type CommandInput, type CommandOutput } from './command.ts'
import { checkTypes, connect, explained, readCredential } from './connect.ts'
import { findStart, readWhere, type Start } from './position.ts'
import { pollMsFor, readFeed } from './read-feed.ts'
import { stopSignal } from './stop-signal.ts'
import { asJson, listed, oneLine, styles } from './text.ts'

const DEFAULT_LINES = 10
const MAX_LINES = 10_000
/** How far back the latest events of a type are looked for. */
const MAX_SCANNED = 20_000
const TYPE_WIDTH = 34
const RECORD_WIDTH = 24

/** Shows the latest events, and with `--follow` those that happen from then on. */
export async function tail(input: CommandInput): Promise<CommandOutput> {
  const types = listed(input.option('events'))
  const from = input.option('from')
  const where = from === undefined ? undefined : readWhere(from, 'from')
  const lines = readLines(input.option('lines'))
  if (where !== undefined && input.option('lines') !== undefined) {
    throw new CommandError('--from and --lines exclude each other')
  }
  const { client } = connect(input)
  const stop = stopSignal()
  const { signal } = stop
  const style = styles(process.stdout)
  const show = (event: FeedEvent) => process.stdout.write(`${input.json ? asJson(event) : lineOf(event, style)}\n`)
  const notice = (text: string) => void process.stderr.write(`${oneLine(text, 300)}\n`)
  let count = 0
  try {
    const credential = await readCredential(client, signal)
    await checkTypes(client, credential, types, signal)
    let start: Start
    if (where === undefined) {
      const end = await findStart(client, undefined, 'from', signal)
      const latest = lines === 0 ? [] : await latestEvents(client, types, lines, end, signal)
      for (const event of latest) show(event)
      count = latest.length
      start = end
    } else start = await findStart(client, where, 'from', signal)
    const once = !input.flag('follow')
    if (where !== undefined || !once) {
      const pollMs = pollMsFor(credential.rate_limits)
      for await (const event of readFeed(client, { start, types, pollMs, signal, notice, once })) {
        show(event)
        count++
      }
    }
  } catch (error) {
    if (!signal.aborted) throw explained(error)
  } finally {
    stop.release()
  }
  return { json: undefined, text: count === 0 && !input.json && !input.flag('follow') ? 'no events' : '' }
}

function readLines(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES
  if (!/^\d+$/.test(text) || Number(text) > MAX_LINES) {
    throw new CommandError(`--lines must be a whole number up to ${MAX_LINES}`)
  }
  return Number(text)
}

/** The feed is read forwards: this reads ever longer parts of its end until enough events are found. */
async function latestEvents(
  client: HiringClient,
  types: readonly string[] | undefined,
  count: number,
  { after: end = 0, epoch }: Start,
  signal: AbortSignal,
): Promise<FeedEvent[]> {
  const { oldest_sequence } = await client.events.list({ limit: 1 }, { signal })
  for (let span = Math.max(count, 100); ; span *= 5) {
    const after = Math.max(oldest_sequence - 1, end - Math.min(span, MAX_SCANNED))
    if (after >= end) return []
    const found: FeedEvent[] = []
    for await (const event of client.events.list({ after, epoch, ...(types ? { type: types } : {}) }, { signal })) {
      if (event.sequence > end) break
      found.push(event)
    }
    if (found.length >= count || after === oldest_sequence - 1 || span >= MAX_SCANNED) return found.slice(-count)
  }
}

function lineOf({ created_at, sequence, type, id, data }: FeedEvent, style: ReturnType<typeof styles>): string {
  const time = oneLine(created_at.replace('T', ' ').slice(0, 19))
  const number = oneLine(String(sequence)).padStart(8)
  const record = oneLine(data.object.id).padEnd(RECORD_WIDTH)
  return `${style('dim', time)}  ${number}  ${oneLine(type).padEnd(TYPE_WIDTH)}  ${record}  ${style('dim', oneLine(id))}`
}
