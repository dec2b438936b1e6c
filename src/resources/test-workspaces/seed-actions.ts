import type { EventType } from '../../contract/events.ts'
import type { Seed } from '../../contract/seeds.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { Services } from '../../kernel/services/services.ts'
import { deriveEpoch, feedEpoch, logState } from '../events/index.ts'
import { emptyWorkspace, oneAtATime } from './reset-actions.ts'
import { offerTestPackages } from './vendor-actions.ts'

export type ActivityNeeds = Pick<Services, 'db' | 'blobs' | 'outbox' | 'log'>

/** What happens in a workspace when no one uses it. It calls the actions of every slice, so it is not one of them. */
export interface Activity {
  /** adds records to an empty workspace, the same ones each time but for handles and times */
  fill(services: ActivityNeeds, workspace: string): Promise<void>
  /** performs the operation that an event of this type reports */
  trigger(
    services: ActivityNeeds,
    workspace: string,
    type: EventType,
  ): Promise<{ event: { id: string; sequence: number }; handles: Readonly<Record<string, string>> }>
}

/** Empties a test workspace, and fills it again. */
export function resetWorkspace(services: ActivityNeeds, activity: Activity, workspace: string, seed: Seed) {
  const { db } = services
  return oneAtATime(db, workspace, async () => {
    await emptyWorkspace(services, workspace)
    await fill(services, activity, workspace, seed)
    return { seed, ...(await feedState(db, workspace)) }
  })
}

/** Fills a test workspace besides what it has. */
export function seedWorkspace(services: ActivityNeeds, activity: Activity, workspace: string, seed: Seed) {
  const { db } = services
  return oneAtATime(db, workspace, async () => {
    await fill(services, activity, workspace, seed)
    return { seed, ...(await feedState(db, workspace)) }
  })
}

async function fill(services: ActivityNeeds, activity: Activity, workspace: string, seed: Seed): Promise<void> {
  if (seed !== 'none') await activity.fill(services, workspace)
  if (seed === 'checks') await offerTestPackages(services.db, workspace)
}

async function feedState(db: Queryable, workspace: string) {
  const [feed, log] = await Promise.all([db.only(feedEpoch()), db.only(logState(workspace))])
  return { workspace_id: workspace, feed_epoch: deriveEpoch(feed.epoch, log), sequence: log.last_sequence }
}

/** One operation, as `hiring trigger` performs it. */
export async function simulateEvent(services: ActivityNeeds, activity: Activity, workspace: string, type: EventType) {
  try {
    const { event, handles } = await activity.trigger(services, workspace, type)
    return { workspace_id: workspace, event_type: type, event_id: event.id, sequence: event.sequence, handles }
  } catch (error) {
    // a type that this workspace cannot have, such as one of the pool
    if (!(error instanceof UserError)) throw error
    const { message } = error
    return fail('invalid_request', { param: 'event_type', message, errors: [{ param: 'event_type', message }] })
  }
}
