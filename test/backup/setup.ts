import pg from 'pg'
import { backupVerbs } from '../../src/cli/backup.ts'
import { sendingVerb } from '../../src/cli/sending.ts'
import type { VerbOutput } from '../../src/cli/verb.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import type { Connection } from '../harness/postgres.ts'
import type { TestService } from '../harness/service.ts'

/** Runs `hiring backup …`, `hiring restore` or `hiring sending` in this process, as `--json` would. */
export async function run(
  name: string,
  args: readonly string[],
  settings: Record<string, string>,
  options: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into outputs of every kind
): Promise<VerbOutput & { json: any }> {
  const verb = [...backupVerbs, sendingVerb].find(v => v.name === name)!
  return verb.run({
    args,
    option: option => options[option],
    options: option => (options[option] === undefined ? [] : [options[option]]),
    flag: option => option in options,
    json: true,
    config: overrides => readConfig({ DATABASE_WAIT_SECONDS: '30', ...settings, ...overrides }),
  })
}

/** The settings of a running service's store. */
export const storeOf = ({ services, database }: TestService): Record<string, string> => ({
  DATA_DIR: services.config.DATA_DIR,
  DATABASE_URL: database.url,
})

export async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, ssl: false })
  await client.connect()
  return client
}

/** What a restore changes on purpose. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  feed_state: ['epoch'],
  event_logs: ['last_sequence', 'lost'],
  installation: ['restored_at', 'sending_held_at'],
  candidate_mails: ['due_at', 'leased_until'],
  messages: ['status', 'scheduled_for'],
  team_mails: ['due_at'],
  alert_notifications: ['due_at'],
  // the nodes of a cluster give numbers that a restored store replaces
  funnel_changes: ['id'],
}
const EMPTIED = ['sessions', 'partner_sessions', 'candidate_sessions', 'sign_in_tickets']

/** A digest of all rows of each table, without what a restore changes on purpose, and the value of each sequence. */
export async function digests(client: pg.Client): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const tables = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relpersistence = 'p' order by 1`,
  )
  for (const { name } of tables.rows) {
    if (EMPTIED.includes(name)) continue
    const row = CHANGED[name] ? `(to_jsonb(t) - '{${CHANGED[name].join(',')}}'::text[])::text` : 't::text'
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(${row}), '' order by md5(${row}))), '') as digest from ${name} t`,
    )
    found[name] = rows[0].digest
  }
  return found
}
