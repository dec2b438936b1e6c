import type pg from 'pg'
import { API_PREFIX, API_VERSION } from '../../src/contract/version.ts'
import type { Dataset } from '../kit/scenario.ts'
import { inBulk } from './bulk.ts'
import { sized } from './size.ts'

export const LOG_SIZES = sized([1_000_000, 10_000_000], [5_000])

/** One workspace's feed, ten events a second until now. */
export const events = (count: number): Dataset => ({
  name: `events_${count}`,
  seed: (db, workspace) => fillFeed(db, workspace, count),
})

const fillFeed = (db: pg.Client, workspace: string, count: number): Promise<void> =>
  inBulk(db, ['events'], async () => {
    await db.query(
      `insert into events (sequence, workspace_id, id, type, created_at, body)
         select i, $1::text, event_id, 'job.updated', at, '{"object":"event","id":"' || event_id
           || '","type":"job.updated","api_version":"' || $3::text || '","created_at":"' || written || '","sequence":' || i
           || ',"workspace_id":"' || $1::text || '","data":{"object":{"object":"job","id":"' || job_id || '","workspace_id":"'
           || $1::text || '","updated_at":"' || written || '","status":"published","changed":["title"]},'
           || '"previous_attributes":{"title":"Engineer ' || i || '"}},"links":{"self":"' || $4::text || '/events/'
           || event_id || '"}}'
         from generate_series(1, $2::integer) as i,
           lateral (select lpad(to_hex(i), 9, '0') || substr(md5(i::text), 1, 11) as tail,
             date_trunc('milliseconds', now() - ($2::integer - i) * interval '100 milliseconds') as at) a,
           lateral (select 'evt_' || tail as event_id, 'job_' || tail as job_id,
             to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as written) b`,
      [workspace, count, API_VERSION, API_PREFIX],
    )
    await db.query('update event_logs set last_sequence = $1 where workspace_id = $2', [count, workspace])
  })
