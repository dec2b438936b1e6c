import { isEventType, scopesOfEvent } from '../contract/events.ts'
import type { Usage } from '../kernel/access/usage.ts'
import type { DbSession } from '../kernel/db/database.ts'
import { senders } from '../kernel/feed/hand-over.ts'
import { deliveriesQueued } from '../kernel/feed/signal.ts'
import type { Poster } from '../kernel/net/poster.ts'
import { joinedLookups } from '../kernel/net/resolve-name.ts'
import type { Services } from '../kernel/services/services.ts'
import { clock } from '../kernel/time/clock.ts'
import { Wakeable } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import {
  attemptDelivery,
  disableExpiredEndpoints,
  openPoster,
  returnHandOvers,
  UnsealedSecrets,
} from '../resources/webhooks/index.ts'
import { Attempts } from './attempts.ts'
import { ClaimSource, type ClaimStore } from './claim-source.ts'
import { HandOverSource, type HandOverStore } from './hand-over-source.ts'
import { CLAIM_LIMIT } from './lanes.ts'
import { claimDeliveries, readHandedOver, readyRetries, takeOverExpired } from './lease.ts'
import { forceIndexPlans, releaseDeliveries } from './lease-store.ts'
import { ClaimPace } from './pace.ts'
import { createRecorder } from './record.ts'
import type { InFlightDelivery } from './states.ts'

/** The maximum delay for work that another process queued, and for due retries. In a cluster it is a look at all shards. */
const POLL_MS = 200
const CLUSTER_POLL_MS = 1_000
const DISABLE_EVERY_MS = 5_000
const TAKE_OVER_EVERY_MS = 2_000

type Needs = Pick<
  Services,
  'db' | 'config' | 'log' | 'keyring' | 'metrics' | 'resolveName' | 'ownReceiver' | 'isLocalDemo' | 'usage'
>

/** Sends due deliveries. Every process may run it: a delivery is leased by one process. README.md has its states. */
export const deliverWebhooks = (services: Needs): Worker => ({
  name: 'deliver-webhooks',
  async run(signal) {
    const poster = openPoster(services)
    try {
      // Claims use a separate connection: they never wait for other transactions, and have their own planner settings.
      const session = await services.db.session()
      const sender = openSender(services, session, poster, signal)
      try {
        await runSender(services, session, sender, signal).finally(() => session.close())
      } finally {
        await stopSender(services, sender)
      }
    } finally {
      poster.close()
    }
  },
})

type Sender = ReturnType<typeof openSender>

function openSender(services: Needs, session: DbSession, poster: Poster, signal: AbortSignal) {
  const { config, db, keyring, log, metrics, ownReceiver, isLocalDemo } = services
  const resolveName = joinedLookups(services.resolveName)
  const secrets = new UnsealedSecrets(keyring)
  const context = { config, db, secrets, log, poster, resolveName, ownReceiver, isLocalDemo }
  const waiting = new Wakeable(signal)
  const pace = new ClaimPace(waiting.wake)
  const attempts = new Attempts({
    send: async (delivery, abort) => {
      const outcome = await attemptDelivery(context, delivery, abort)
      if (outcome) recordScopes(services.usage, delivery)
      return outcome
    },
    record: createRecorder(services),
    pace,
    log,
    metrics,
  })
  const store = openStore(services, session)
  const claims = new ClaimSource(store, attempts)
  const handOvers = new HandOverSource(store, { attempts, claims, pace, log })
  return { waiting, pace, attempts, claims, handOvers }
}

/** An event that was sent for an installation used the scopes of its type, whatever the response; a notice needs none. */
function recordScopes(usage: Usage, { workspace_id, installation_id, body, sent_at }: InFlightDelivery): void {
  if (!installation_id || body === null) return
  const { type } = JSON.parse(body) as { type: string }
  if (isEventType(type)) usage.recordScopes(workspace_id, installation_id, scopesOfEvent(type), Date.parse(sent_at))
}

const openStore = ({ db }: Needs, session: DbSession): ClaimStore & HandOverStore => ({
  readyRetries: () => readyRetries(db, session),
  claim: claim => claimDeliveries(db, claim, session),
  readHandedOver: (leased, token) => readHandedOver(db, session, leased, token),
  returnHandOvers: async (leases, as) => {
    await db.eachPartition(leases, part => db.query(returnHandOvers(part, as)))
  },
  takeOverExpired: () => takeOverExpired(db),
})

async function runSender({ db, log }: Needs, session: DbSession, sender: Sender, signal: AbortSignal): Promise<void> {
  const { waiting, pace, claims, handOvers } = sender
  const stopListening = deliveriesQueued.on(() => {
    claims.expect()
    pace.queued()
  })
  try {
    await session.query(forceIndexPlans('session', await db.isCluster()))
    senders.set(db, handOvers.offer)
    await runRounds({ db, log }, sender, signal)
  } finally {
    senders.delete(db)
    stopListening()
    pace.close()
    waiting.close()
  }
}

async function runRounds(
  { db, log }: Pick<Needs, 'db' | 'log'>,
  { waiting, pace, attempts, claims, handOvers }: Sender,
  signal: AbortSignal,
): Promise<void> {
  // sending does not depend on it: an error is logged, and the next round retries
  const logFailure = (error: unknown) => log.error({ err: error }, 'disabling expired webhook endpoints failed')
  const disableExpired = periodic(() => disableExpiredEndpoints(db).catch(logFailure))
  const readyRetries = periodic(() => claims.readyRetries())
  const takeOver = periodic(() => handOvers.takeOver())
  while (!signal.aborted) {
    waiting.rearm()
    const pollMs = (await db.isCluster()) ? CLUSTER_POLL_MS : POLL_MS
    await disableExpired(DISABLE_EVERY_MS)
    await readyRetries(pollMs)
    await takeOver(TAKE_OVER_EVERY_MS)
    pace.begin()
    attempts.beginRound()
    const begun = (await handOvers.begin()) + (await claims.begin())
    if (begun >= CLAIM_LIMIT) continue
    pace.end(begun, attempts.countInFlight())
    // what the last claim left may be of the slow lane, which has its own interval
    await waiting.pause(claims.mayFind ? POLL_MS : pollMs)
  }
}

/** Runs a task in each round that begins at least so long after the task last ended. */
function periodic(task: () => Promise<void> | void): (everyMs: number) => Promise<void> {
  let dueAt = 0
  return async everyMs => {
    if (clock.monotonic() < dueAt) return
    await task()
    dueAt = clock.monotonic() + everyMs
  }
}

/** Gives attempts in flight some time to end; the rest is canceled and released for another process. */
async function stopSender({ db, config }: Needs, { attempts, handOvers }: Sender): Promise<void> {
  await handOvers.close()
  const canceled = await attempts.stop(config.SHUTDOWN_SECONDS * 500)
  await handOvers.ended()
  const isHandedOver = ({ lease_token }: InFlightDelivery) => lease_token === handOvers.token
  await handOvers.release(canceled.filter(isHandedOver))
  const claimed = canceled.filter(delivery => !isHandedOver(delivery))
  await db.eachPartition(claimed, part => db.query(releaseDeliveries(part)))
}
