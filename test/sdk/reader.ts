import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { fileCheckpoint, postgresCheckpoint, sqliteCheckpoint } from '../../packages/sdk/src/checkpoints.ts'
import { type FeedEvent, type FollowOptions, HiringClient } from '../../packages/sdk/src/index.ts'

/**
 * A reader of the feed as a partner would write it, in a process of its own that a test kills. It stores each event that
 * it handles, and prints a line after each batch.
 */
const { READER_URL = '', READER_KEY = '', READER_STORE = '', READER_PATH = '', READER_ONCE } = process.env
const client = new HiringClient({ baseUrl: READER_URL, apiKey: READER_KEY })

const follow = <Tx>(options: Pick<FollowOptions<Tx>, 'checkpoint' | 'handle'>) =>
  client.events.follow({
    ...options,
    handle: async (events, tx) => {
      await options.handle(events, tx)
      process.stdout.write(`${events.length}\n`)
    },
    batchSize: 7,
    pollMs: 5,
    once: READER_ONCE === '1',
  })

const READERS: Record<string, () => Promise<void>> = {
  file() {
    const log = openSync(`${READER_PATH}.log`, 'a')
    const handle = (events: FeedEvent[]) => {
      for (const { id } of events) writeSync(log, `${id}\n`)
      fsyncSync(log)
    }
    return follow({ checkpoint: fileCheckpoint(READER_PATH), handle }).finally(() => closeSync(log))
  },
  sqlite() {
    const database = new DatabaseSync(READER_PATH)
    database.exec('create table if not exists handled (id text)')
    return follow({
      checkpoint: sqliteCheckpoint(database),
      async handle(events, tx) {
        for (const { id } of events) {
          tx.prepare('insert into handled (id) values (?)').run(id)
          await new Promise(setImmediate) // a handler that waits, as real ones do
        }
      },
    })
  },
  /** a copy of the workspace, and not only its events */
  copy() {
    const database = new DatabaseSync(READER_PATH)
    database.exec(
      'create table if not exists copied (resource text, id text, copy text, row text, primary key (resource, id))',
    )
    return client.sync({
      resources: ['jobs', 'applications', 'lists', 'list_memberships', 'stage_transitions'],
      checkpoint: sqliteCheckpoint(database),
      upsert({ resource, rows, copy, tx }) {
        const insert = tx.prepare('insert or replace into copied (resource, id, copy, row) values (?, ?, ?, ?)')
        for (const row of rows) {
          const id = 'id' in row ? row.id : `${row.application_id} ${row.at}`
          insert.run(resource, id, copy, JSON.stringify(row))
        }
        process.stdout.write(`${rows.length}\n`)
      },
      remove({ resource, ids, tx }) {
        const remove = tx.prepare("delete from copied where resource = ? and (id = ? or id like ? || ' %')")
        for (const id of ids) remove.run(resource, id, id)
      },
      prune({ copy, tx }) {
        tx.prepare('delete from copied where copy <> ?').run(copy)
      },
      pollMs: 5,
      once: READER_ONCE === '1',
    })
  },
  async postgres() {
    const pool = new pg.Pool({ connectionString: READER_PATH, max: 1 })
    await pool.query('create table if not exists handled (place bigserial, id text)')
    await follow({
      checkpoint: postgresCheckpoint(pool),
      async handle(events, tx) {
        for (const { id } of events) await tx.query('insert into handled (id) values ($1)', [id])
      },
    })
    await pool.end()
  },
}

await READERS[READER_STORE]!()
