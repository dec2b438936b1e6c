import type { Dataset } from '../kit/scenario.ts'
import { fillFeed } from './events.ts'
import { sized } from './size.ts'

/** Events and deliveries of the past: plans are made for tables that have rows, as those of a service in use do. */
export const PAST = sized(20_000, 200)

/** `name`: one database for each use, since deliveries change it. */
export const webhooks = (name: string): Dataset => ({
  name,
  seed: async (db, workspace) => {
    await fillFeed(db, workspace, PAST)
    await db.query(
      `insert into webhook_endpoints (workspace_id, id, key_id, url, event_types, enabled)
       select workspace_id, gen_random_uuid(), id, 'https://past.example/hook', '{}', false from api_keys limit 1`,
    )
    await db.query(
      `insert into webhook_deliveries (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type,
         status, attempt, response_status, delivered_at, created_at)
       select p.workspace_id, gen_random_uuid(), p.id, p.key_id, e.sequence, e.id, e.type, 'delivered', 1, 200,
         e.created_at, e.created_at
       from events e, webhook_endpoints p`,
    )
    await db.query(
      `insert into webhook_attempts (workspace_id, delivery_id, attempt, sent_at, duration_ms, response_status)
       select workspace_id, id, 1, created_at, 20, 200 from webhook_deliveries`,
    )
  },
})
