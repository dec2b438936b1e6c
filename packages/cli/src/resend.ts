import { type HiringClient, NotFoundError, type WebhookDelivery } from '../../sdk/src/index.ts'
import { CommandError, type CommandInput, type CommandOutput } from './command.ts'
import { connect, explained, readWorkspaceEnvironment } from './connect.ts'
import { environment } from './environment.ts'
import { newDeliveryId, Receiver } from './receiver.ts'
import { signingSecret } from './secret.ts'
import { stopSignal } from './stop-signal.ts'
import { oneLine } from './text.ts'

/** What was sent again, and what the receiver said. */
interface Resent {
  event_id: string
  type: string | null
  /** the webhook endpoint or the URL */
  to: string
  delivery_id: string
  status: number | null
  /** null: accepted */
  error: string | null
  duration_ms: number | null
  response_body: string | null
}

/** Sends events again: to a URL from here, or from the service to the endpoints of the key that had them before. */
export async function resend(input: CommandInput): Promise<CommandOutput> {
  const { client, apiKey } = connect(input)
  const url = input.option('forward-to')
  if (url !== undefined && input.option('endpoint') !== undefined) {
    throw new CommandError('--forward-to and --endpoint exclude each other')
  }
  const stop = stopSignal()
  const { signal } = stop
  const resent: Resent[] = []
  try {
    const receiver = url === undefined ? undefined : await openReceiver(input, url, apiKey)
    try {
      for (const id of input.args) {
        resent.push(
          ...(receiver
            ? [await forwardAgain(client, receiver, id, signal)]
            : await redeliver(client, id, input.option('endpoint'), signal)),
        )
      }
    } finally {
      receiver?.close()
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw signal.aborted ? new CommandError('stopped') : explained(error)
  } finally {
    stop.release()
  }
  return {
    json: { object: 'list', data: resent },
    text: resent.map(lineOf).join('\n'),
    exitCode: resent.some(row => row.error !== null) ? 1 : 0,
  }
}

async function openReceiver(input: CommandInput, url: string, apiKey: string): Promise<Receiver> {
  const { secret } = await signingSecret(input.option('secret') ?? environment.webhookSecret(), apiKey)
  return new Receiver(url, secret, { skipVerify: input.flag('skip-verify') })
}

async function forwardAgain(
  client: HiringClient,
  receiver: Receiver,
  id: string,
  signal: AbortSignal,
): Promise<Resent> {
  const { data: event, headers } = await client.events
    .get(id, { signal })
    .withResponse()
    .catch((error: unknown) => {
      throw error instanceof NotFoundError
        ? new CommandError(`there is no event ${id} that the key can read; events are retained for 30 days`)
        : error
    })
  const deliveryId = newDeliveryId()
  const outcome = await receiver.send(
    event,
    { id: deliveryId, attempt: 1, environment: readWorkspaceEnvironment(headers) },
    signal,
  )
  if (outcome.notRunning) {
    throw new CommandError(`nothing listens on ${receiver.url.origin} (${outcome.detail}): start your receiver`)
  }
  return {
    event_id: id,
    type: event.type,
    to: receiver.url.href,
    delivery_id: deliveryId,
    status: outcome.status,
    error: outcome.error,
    duration_ms: outcome.durationMs,
    response_body: outcome.responseBody,
  }
}

const RESULT_POLL_MS = 500
/** An attempt takes ten seconds at most, and starts within a second or two. */
const RESULT_POLLS = 30

/** Asks the service for a new delivery of the event to each endpoint that had one, and waits for the results. */
async function redeliver(
  client: HiringClient,
  id: string,
  endpoint: string | undefined,
  signal: AbortSignal,
): Promise<Resent[]> {
  const query = { event_id: id, endpoint_id: endpoint }
  const earlier = await client.webhookDeliveries.list(query, { signal }).toArray()
  const latest = new Map(earlier.toReversed().map(delivery => [delivery.endpoint_id, delivery]))
  if (latest.size === 0) {
    throw new CommandError(
      `no webhook endpoint of this key ${endpoint === undefined ? '' : `(${endpoint}) `}has a delivery of ${id}. To send it to your machine, use --forward-to`,
    )
  }
  const queued = await Promise.all(
    [...latest.values()].map(delivery => client.webhookDeliveries.redeliver(delivery.id, { signal })),
  )
  return Promise.all(queued.map(delivery => resultOf(client, id, delivery, signal)))
}

async function resultOf(
  client: HiringClient,
  eventId: string,
  queued: WebhookDelivery,
  signal: AbortSignal,
): Promise<Resent> {
  let delivery = queued
  for (let i = 0; delivery.status === 'pending' && i < RESULT_POLLS; i++) {
    await client.runtime.sleep(RESULT_POLL_MS, signal)
    delivery = await client.webhookDeliveries.get(queued.id, { signal })
  }
  const attempt = delivery.attempts?.at(-1)
  return {
    event_id: eventId,
    type: delivery.event_type,
    to: delivery.endpoint_id,
    delivery_id: delivery.id,
    status: delivery.response_status,
    error: delivery.status === 'delivered' ? null : (delivery.error ?? delivery.status),
    duration_ms: attempt?.duration_ms ?? null,
    response_body: attempt?.response_body ?? null,
  }
}

function lineOf({ event_id, type, to, status, error, duration_ms, response_body }: Resent): string {
  const result =
    error === null ? String(status) : error === 'http_status' ? `status ${status}` : `${status ?? ''} ${error}`.trim()
  const took = duration_ms === null ? '' : `  ${Number(duration_ms)} ms`
  const response = error !== null && response_body ? `\n  ${oneLine(response_body)}` : ''
  return `${oneLine(event_id)}  ${oneLine(type ?? '')}  to ${oneLine(to, 2_000)}: ${oneLine(result)}${took}${response}`
}
