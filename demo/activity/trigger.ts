import { EVENTS, type EventType } from '../../src/contract/events.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { UserError } from '../../src/kernel/errors/user-error.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { OPERATIONS } from './operations.ts'
import type { Done, Scene } from './scene.ts'

export interface Triggered extends Done {
  type: EventType
  event: { id: string; sequence: number }
}

/** Performs the operation of a type and finds the event by which the product reported it. */
export async function trigger(scene: Scene, type: EventType): Promise<Triggered> {
  const { db, workspace } = scene
  const before = await db.one(
    sql<{ last: number }>`select last_sequence as last from event_logs where workspace_id = ${workspace}`,
  )
  const done = await OPERATIONS[type].run(scene)
  // Next to a running service either process may do it; a lock lets one at a time.
  while ((await sequenceBatch(db)) > 0);
  const event = await eventAbout(db, workspace, before!.last, type, done.id)
  // an event of no workspace goes only where it can be read
  if (!event) throw new UserError(`${type} is not in the log of ${workspace}: no key there has ${EVENTS[type].scope}`)
  return { type, event, ...done }
}

const eventAbout = (db: Database, workspace: string, after: number, type: EventType, id: string) =>
  db.one(sql<{ id: string; sequence: number }>`
    select id, sequence from events
    where workspace_id = ${workspace} and sequence > ${after} and type = ${type}
      and body::jsonb #>> '{data,object,id}' = ${id}
    order by sequence desc limit 1`)
