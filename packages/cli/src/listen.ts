import type { Attempt, FeedEvent } from '../../sdk/src/index.ts'
import type { CommandInput, CommandOutput } from './command.ts'
import { checkTypes, connect, duration, explained, readCredential } from './connect.ts'
import { environment as settings } from './environment.ts'
import { findStart, readWhere } from './position.ts'
import { pollMsFor, readFeed } from './read-feed.ts'
import { newDeliveryId, type Outcome, Receiver } from './receiver.ts'
import { type SigningSecret, signingSecret } from './secret.ts'
import { stopSignal } from './stop-signal.ts'
import { asJson, clockTime, counted, listed, oneLine, styles } from './text.ts'

const MAX_ATTEMPTS = 10
/** How often a receiver that does not run is tried again. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 2_000
const TYPE_WIDTH = 30

/** Follows the feed and posts each event to the receiver, one after the other, until Ctrl-C. */
export async function listen(input: CommandInput): Promise<CommandOutput> {
  const types = listed(input.option('events'))
  const replay = input.option('replay-from')
  const where = replay === undefined ? undefined : readWhere(replay, 'replay-from')
  const output = new ListenOutput(input)
  const { client, apiKey } = connect(input, { onAttempt: attempt => output.attempted(attempt) })
  const signing = await signingSecret(input.option('secret') ?? settings.webhookSecret(), apiKey)
  const receiver = new Receiver(input.option('forward-to')!, signing.secret, { skipVerify: input.flag('skip-verify') })
  const stop = stopSignal()
  const { signal } = stop
  try {
    const credential = await readCredential(client, signal)
    const { readable, missing } = await checkTypes(client, credential, types, signal)
    const start = await findStart(client, where, 'replay-from', signal)
    output.begin({ key: credential.name, url: receiver.url, signing, types, readable, missing, replay })
    if (!(await receiver.isRunning())) output.notRunning(receiver.url)
    const pollMs = pollMsFor(credential.rate_limits)
    const notice = (text: string) => output.outage(text)
    for await (const event of readFeed(client, { start, types, pollMs, signal, notice })) {
      await forward(receiver, event, credential.workspaceEnvironment, signal, output)
    }
  } catch (error) {
    if (!signal.aborted) throw explained(error)
  } finally {
    receiver.close()
    stop.release()
  }
  return output.end()
}

/** Sends one event. It waits for a receiver that does not run, and for one that asks for a pause. */
async function forward(
  receiver: Receiver,
  event: FeedEvent,
  environment: string,
  signal: AbortSignal,
  output: ListenOutput,
): Promise<void> {
  const id = newDeliveryId()
  let waitMs = FIRST_WAIT_MS
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; ) {
    const outcome = await receiver.send(event, { id, attempt, environment }, signal)
    if (outcome.notRunning) {
      output.notRunning(receiver.url)
      await output.sleep(waitMs, signal)
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
      continue
    }
    output.forwarded(event, { id, attempt }, outcome)
    if (outcome.retryAfterSeconds === undefined || attempt === MAX_ATTEMPTS) return
    output.say(
      'dim',
      `          the receiver asked for a pause: next attempt in ${duration(outcome.retryAfterSeconds)}`,
    )
    await output.sleep(outcome.retryAfterSeconds * 1000, signal)
    attempt++
  }
}

interface Beginning {
  key: string
  url: URL
  signing: SigningSecret
  types: readonly string[] | undefined
  readable: readonly string[]
  missing: readonly string[]
  replay: string | undefined
}

const SECRET_NOTES: Readonly<Record<SigningSecret['from'], string>> = {
  given: 'as given',
  machine: 'the same for this key on this machine',
  'this run': 'for this run only, because the settings folder cannot be written',
}

/** A secret that was given may be that of a real endpoint, and terminals and logs are kept: only one made here is shown. */
const shownSecret = ({ from, secret }: SigningSecret): string | null => (from === 'given' ? null : secret)

/** What the command prints: lines for people, or one JSON object a line. */
class ListenOutput {
  readonly #json: boolean
  readonly #printJson: boolean
  /** for people: standard output, unless that carries the bodies of events */
  readonly #stream: NodeJS.WriteStream
  readonly #style: ReturnType<typeof styles>
  #accepted = 0
  #failed = 0
  #isUnavailable = false
  #isWaiting = false

  constructor(input: CommandInput) {
    this.#json = input.json
    this.#printJson = input.flag('print-json')
    this.#stream = this.#printJson || this.#json ? process.stderr : process.stdout
    this.#style = styles(this.#stream)
  }

  begin({ key, url, signing, types, readable, missing, replay }: Beginning): void {
    if (this.#json) {
      const event_types = types ?? readable
      printJson({ object: 'listening', key, forward_to: url.href, signing_secret: shownSecret(signing), event_types })
      return
    }
    const shown = types ? types.join(', ') : `${counted(readable.length, 'type')} that the key can read`
    this.say('bold', `Forwarding events of the key "${oneLine(key)}" to ${url.href}`)
    const [secret, note] = [shownSecret(signing), SECRET_NOTES[signing.from]]
    this.#line(`  Signing secret  ${secret === null ? note : `${secret}  (${note})`}`)
    this.#line(`  Event types     ${shown}`)
    if (!types && missing.length > 0) this.#line(`  Not readable    types that need ${missing.join(', ')}`)
    if (replay !== undefined) this.#line(`  Replay from     ${replay}`)
    this.#line('  Ctrl-C stops.\n')
  }

  forwarded(event: FeedEvent, delivery: { id: string; attempt: number }, outcome: Outcome): void {
    const { status, error, detail, durationMs, responseBody } = outcome
    if (error === null) this.#accepted++
    else this.#failed++
    this.#isWaiting = false
    if (this.#json) {
      printJson({
        object: 'forwarded',
        event_id: event.id,
        type: event.type,
        sequence: event.sequence,
        delivery_id: delivery.id,
        attempt: delivery.attempt,
        status,
        error,
        duration_ms: durationMs,
        response_body: responseBody,
        ...(this.#printJson ? { event } : {}),
      })
      return
    }
    if (this.#printJson && delivery.attempt === 1) process.stdout.write(`${asJson(event)}\n`)
    const result = error === null ? this.#style('green', String(status)) : this.#style('red', String(status ?? error))
    const [type, id] = [oneLine(event.type).padEnd(TYPE_WIDTH), oneLine(event.id)]
    const parts = [clockTime(new Date()), type, id, result, `${durationMs} ms`]
    if (delivery.attempt > 1) parts.push(`attempt ${delivery.attempt}`)
    this.#line(parts.join('  '))
    const notes = [
      detail,
      status === 410 ? 'a webhook endpoint is disabled by this status' : '',
      error === null ? '' : (responseBody ?? ''),
    ].filter(note => note !== '')
    for (const note of notes) this.say('dim', `          ${oneLine(note)}`)
  }

  notRunning({ origin }: URL): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.notice(`nothing listens on ${origin}: start your receiver; events wait for it`)
  }

  outage(text: string): void {
    this.#isUnavailable = true
    this.notice(text)
  }

  /** Is called for each request to the API: shows waits for the rate limit, and the end of an outage. */
  attempted({ status, retryInMs }: Attempt): void {
    if (status === 429 && retryInMs !== undefined && retryInMs > 2_000) {
      this.notice(`rate limit reached, continuing in ${duration(retryInMs / 1000)}`)
    }
    if (status !== undefined && status < 400 && this.#isUnavailable) {
      this.#isUnavailable = false
      this.notice('the service is available again')
    }
  }

  notice(text: string): void {
    if (this.#json) process.stderr.write(`${asJson({ notice: text })}\n`)
    else this.say('yellow', `${clockTime(new Date())}  ${oneLine(text, 300)}`)
  }

  say(style: 'dim' | 'bold' | 'yellow', text: string): void {
    if (!this.#json) this.#line(this.#style(style, text))
  }

  /** Waits, and rejects when the command is stopped. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  end(): CommandOutput {
    const [accepted, failed] = [this.#accepted, this.#failed]
    const text = `Stopped: ${counted(accepted, 'event')} accepted${failed > 0 ? `, ${counted(failed, 'attempt')} failed` : ''}.`
    if (!this.#json && this.#printJson) process.stderr.write(`${text}\n`)
    return { json: { object: 'stopped', accepted, failed }, text: this.#printJson ? '' : text }
  }

  #line(text: string): void {
    this.#stream.write(`${text}\n`)
  }
}

const printJson = (value: unknown): void => void process.stdout.write(`${asJson(value)}\n`)
