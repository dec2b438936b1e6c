import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { REFUSED_SUFFIX, type RecordedStatement, type RefusedStatement } from './record-statements.ts'

/** Where Citus runs a statement. */
export type Routing =
  /** on the coordinator alone */
  | 'coordinator'
  /** on one shard, sent there whole */
  | 'one shard'
  /** on several shards, or in several steps, or rows travel through the coordinator */
  | 'several'
  /** Citus refuses it */
  | 'refused'

export interface Routed {
  statement: RecordedStatement
  routing: Routing
  /** what Citus says about it: the error, or the lines of the plan that tell of several tasks */
  detail: string
}

/** As many examples of one text are tried. */
const MAX_EXAMPLES = 12

/** What this run recorded: of each text a few examples. */
export function recordedIn(folder: string): RecordedStatement[][] {
  const byText = new Map<string, RecordedStatement[]>()
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.jsonl') || file.endsWith(REFUSED_SUFFIX)) continue
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line === '') continue
      const one = JSON.parse(line) as RecordedStatement
      const examples = byText.get(normal(one.text)) ?? []
      byText.set(normal(one.text), examples)
      if (examples.length < MAX_EXAMPLES) examples.push({ ...one, values: one.values.map(revive) })
    }
  }
  return [...byText.values()]
}

/** What the store refused of the product while the tests ran, each text once. */
export function refusedIn(folder: string): RefusedStatement[] {
  const files = readdirSync(folder).filter(file => file.endsWith(REFUSED_SUFFIX))
  const lines = files.flatMap(file => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean))
  const ofProduct = lines.map(line => JSON.parse(line) as RefusedStatement).filter(one => one.from.startsWith('src/'))
  return [...new Map(ofProduct.map(one => [normal(one.text), one])).values()]
}

export const normal = (text: string): string => text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()

const revive = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(revive)
  const bytes = value as { type?: string; data?: number[] } | null
  return bytes?.type === 'Buffer' ? Buffer.from(bytes.data!) : value
}

/** A plan of these can be asked for. */
const PLANNED = /^(with|select|insert|update|delete|merge|\(|values)/i
/** Faults of the example's values or of the empty store, which say nothing about routing. Citus loses some of their codes. */
const OF_VALUES = /^((22|23|P0)|XX000 .* violates \w+ key constraint)/

/**
 * Asks Citus for the plan of each statement, and runs it in a transaction that is rolled back. Of the examples of a text
 * the one counts that runs in the most places.
 */
export async function readRouting(url: string, statements: readonly RecordedStatement[][]): Promise<Routed[]> {
  const client = new pg.Client({
    connectionString: url,
    statement_timeout: 15_000,
    options: '-c timezone=UTC -c datestyle=ISO',
  })
  await client.connect()
  try {
    const routed: Routed[] = []
    for (const examples of statements) {
      if (!PLANNED.test(normal(examples[0]!.text))) continue
      const tried: Routed[] = []
      for (const statement of examples) tried.push({ statement, ...(await routeOne(client, statement)) })
      routed.push(tried.reduce((worst, one) => (rank(one) > rank(worst) ? one : worst)))
    }
    return routed
  } finally {
    await client.end()
  }
}

const RANKS: readonly Routing[] = ['coordinator', 'one shard', 'several', 'refused']
const rank = ({ routing }: Routed): number => RANKS.indexOf(routing)

async function routeOne(client: pg.Client, { text, values }: RecordedStatement): Promise<Omit<Routed, 'statement'>> {
  const tried = async (run: () => Promise<unknown>): Promise<string | undefined> => {
    try {
      await run()
      return undefined
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      const fault = `${code} ${message}`
      return OF_VALUES.test(fault) ? undefined : fault
    }
  }
  let plan = ''
  const planning = await tried(async () => {
    const { rows } = await client.query(`explain (costs off) ${text}`, values as unknown[])
    plan = rows.map(row => row['QUERY PLAN'] as string).join('\n')
  })
  await client.query('begin')
  const running = await tried(() => client.query(text, values as unknown[]))
  await client.query('rollback')
  if (running) return { routing: 'refused', detail: running }
  // some are run and not explained: rows that are inserted by way of the coordinator
  if (planning) return { routing: 'several', detail: planning }
  if (!plan.includes('Citus')) return { routing: 'coordinator', detail: '' }
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(match => Number(match[1]))
  const pulled = /INSERT\/SELECT method: (.*)/.exec(plan)?.[1]
  if (pulled || tasks.length > 1 || tasks.some(count => count > 1))
    return { routing: 'several', detail: `tasks ${tasks.join('+')}${pulled ? `, ${pulled}` : ''}` }
  return { routing: 'one shard', detail: '' }
}

/** Statements that may run on several shards, by how their text begins or by what it contains, with the reason. */
const SEVERAL: readonly (readonly [RegExp, string])[] = [
  [/^select count\(\*\)::integer as waiting/, 'how much waits, for the figures of the whole installation'],
  [/^select distinct workspace_id from \(select workspace_id from outbox/, 'which logs have events to publish'],
  [/^select workspace_id(, id)? from \w+ (where|limit)/, 'candidates of any workspace; each is then locked by its key'],
  [/^select workspace_id, after from search_rebuilds/, 'whose index of candidates is written next, of all workspaces'],
  [
    /^select workspace_id, (id, application_id from interviews|application_id, user_id from scorecard_requests) where/,
    'interviews that have ended and scorecards that are due, of any workspace; each is then taken by its key',
  ],
  [/^select [wl]\.workspace_id, t\.last_turn_at/, 'whose turn it is among all workspaces'],
  [/ = 'installation' or /, 'an erasure of the whole installation reaches every workspace'],
  [/^insert into \w+ (as \w+ )?\([^)]*\) select/, 'rows of parameters, copied to the shard of their workspace'],
  [/from \(select\) as one left join api_keys/, 'a key of the coordinator, read with a counter of its workspace'],
  [
    /^with catalogue as \(/,
    'events get their numbers under the lock of their log; keys of receivers are on the coordinator',
  ],
  [/^with typed as \( select workspace_id/, 'records of a person in one workspace, in steps on its shard'],
  [
    /^delete from idempotency_records where key_id = /,
    'a key that is revoked may have been used in several workspaces',
  ],
  [/^select 'linkedin_url' as kind/, 'kinds of records of one workspace, one after the other'],
  [
    /^select \(select count\(\*\) from webhook_endpoints where key_id/,
    'a key may have endpoints in several workspaces',
  ],
  [/^with disabled as materialized/, 'endpoints of a workspace, with their keys of the coordinator'],
  [
    /^select workspace_id, key_id, day, used from personal_data_usage where day = /,
    'keys near the end of their budget',
  ],
  [/from personal_data_reads where key_id = /, 'what a key has read, in all workspaces that it reaches'],
  [/^with log as materialized \(/, 'events of one workspace, sent again: steps on its shard'],
  [/^with taken as \( delete from funnel_changes/, 'changes of one workspace, added up in steps on its shard'],
  [/^with finished as materialized \(/, 'attempts of one workspace, recorded in steps on its shard'],
  [/insert into file_deletions \(/, 'the note that a file is to be removed: a step on the shard of its workspace'],
  [/^select distinct on \(e\.workspace_id, e\.key_id\)/, 'endpoints of the workspaces that have alerts'],
  [/^with failed as \(/, 'an email of one workspace that was refused: steps on its shard'],
  [/^select .* from request_log l where l\.id = /, 'a call of a key, in all workspaces that it reaches'],
  [/^select l\.\* from event_logs w cross join lateral/, 'calls of a key, in all workspaces that it reaches'],
  [/^select workspace_id, key_id, method, .* from request_log where id = /, 'a test looks for a call by its id alone'],
  [/^select body as text from events where body ~\*/, 'the harness looks for personal data in all logs'],
  [/^select distinct on \(type\) type, workspace_id, sequence from events/, 'the harness looks at events of each type'],
  [/^with near as materialized \(/, 'a search in one workspace, in steps on its shard'],
]

/** Files whose statements may be about all workspaces, with the reason. Such a statement names no workspace. */
const OVER_ALL: Readonly<Record<string, string>> = {
  'src/delivery/lease.ts': 'deliveries that are due',
  'src/kernel/feed/sequencer.ts': 'events of no workspace go into every log',
  'src/resources/alerts/actions.ts': 'causes of alerts',
  'src/resources/analytics/actions.ts': 'changes that are not added up yet',
  'src/resources/candidates/mail-actions.ts': 'emails that are due',
  'src/resources/erasures/actions.ts': 'a person is erased wherever they are',
  'src/resources/erasures/execute-erasure.ts': 'a person is erased wherever they are',
  'src/resources/erasures/planned-actions.ts':
    'plans that are due, of any workspace; each is then carried out by its key',
  'src/resources/erasures/find-person.ts': 'a person is erased wherever they are',
  'src/resources/events/actions.ts': 'a new epoch is one of all logs',
  'src/resources/exports/actions.ts': 'exports that have expired, and those of a key',
  'src/resources/exports/run-export.ts': 'exports that wait',
  'src/resources/hiring-team/mail-actions.ts': 'emails that are due',
  'src/resources/jobs/actions.ts': 'jobs that are due to close',
  'src/resources/orders/actions.ts': 'orders that are due',
  'src/resources/people/actions.ts': 'a person may be in several workspaces of one key',
  'src/resources/resumes/actions.ts': 'access to résumés that changes by time',
  'src/resources/resumes/parsing.ts': 'résumés that wait to be read',
  'src/resources/resumes/stored-profiles.ts': 'résumés that were read by earlier rules',
  'src/resources/retention/actions.ts': 'whose daily run is due',
  'src/resources/test-workspaces/clock-actions.ts': 'whose clock was moved',
  'src/resources/test-workspaces/vendor-actions.ts': 'open orders of the vendor of tests',
  'src/resources/uploads/actions.ts': 'uploads that have expired',
  'src/resources/webhooks/actions.ts': 'endpoints whose key has ended',
  'src/workers/expire-files.ts': 'files that are to be removed',
  'src/workers/prune-rows.ts': 'rows that have expired',
}

const NAMES_WORKSPACE = /workspace_id = (any\()?\$/

const isOverAll = (from: string, text: string): boolean =>
  !NAMES_WORKSPACE.test(text) && Object.hasOwn(OVER_ALL, from.split(':')[0]!)

/** Those that do not run where they should, for no known reason. */
export const unexpected = (routed: readonly Routed[]): Routed[] =>
  routed.filter(({ routing, statement: { from, text } }) => {
    if (routing === 'coordinator' || routing === 'one shard') return false
    if (routing === 'refused') return true
    return !SEVERAL.some(([known]) => known.test(normal(text))) && !isOverAll(from, normal(text))
  })
