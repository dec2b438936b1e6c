import type { MessageFactsResponse } from '../../../src/hiring/api-types.ts'
import { ApiError, read } from '../../ui/api.ts'
import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { newKey } from '../repeat-key.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { BLOCKED, draftOf, type MessageDraft, type MessageText, NO_TEXT, sendDraft } from './message-form.tsx'
import { UNDO_MS } from './undo.ts'

/** Whom a message is for. */
export interface Addressee {
  applicationId: string
  name: string
}

interface Waiting extends Addressee {
  text: MessageText
  /** with the values in it, as soon as they are known */
  draft?: MessageDraft
  idempotencyKey: string
}

/** After the last moment in which the rejection can be taken back. */
const LEAVES_AFTER_MS = UNDO_MS + 500
const PREFIX = 'hiring-outgoing'

let holder = ''
const waiting = new Map<string, Waiting>()

const storageKey = (key: string) => `${PREFIX} ${holder} ${key}`

function keep(message: Waiting): void {
  waiting.set(message.idempotencyKey, message)
  try {
    sessionStorage.setItem(storageKey(message.idempotencyKey), JSON.stringify(message))
  } catch {
    // without storage it is lost with the page, unless it leaves with it
  }
}

function forget({ idempotencyKey }: Waiting): void {
  try {
    sessionStorage.removeItem(storageKey(idempotencyKey))
  } catch {
    // there is no storage
  }
}

/** What was not sent is not lost: it is the draft of the candidate's page, above what may be there already. */
function offer({ applicationId, text }: Addressee & { text: MessageText }): void {
  const before = readDraft(holder, 'message', applicationId, NO_TEXT)
  const body = [text.body, before.body].filter(part => part !== '').join('\n\n')
  writeDraft(holder, 'message', applicationId, { ...text, body })
}

async function filled(message: Waiting): Promise<MessageDraft> {
  if (message.draft) return message.draft
  const facts = await read<MessageFactsResponse>(`/applications/${message.applicationId}/message-facts`)
  if (facts.blocked) throw new ApiError(409, { code: 'recipient_unsubscribed', message: BLOCKED[facts.blocked] })
  const draft = draftOf(message.text, facts)
  if (!draft) throw new ApiError(400, { code: 'invalid_request', message: 'The text has an unknown variable.' })
  if (waiting.has(message.idempotencyKey)) keep({ ...message, draft })
  return draft
}

type Failure = { message: Waiting; why: string }

/** Sends those that still wait; one after the other, so that the limit of a minute is not met by many. */
async function leave(keys: readonly string[]): Promise<void> {
  const sent: Waiting[] = []
  const failed: Failure[] = []
  for (const key of keys) {
    const message = waiting.get(key)
    if (!message) continue
    // from here on it cannot be canceled; it is in the storage until its fate is known
    waiting.delete(key)
    try {
      await sendDraft(message.applicationId, await filled(message), message.idempotencyKey)
      sent.push(message)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failed.push({ message, why: error.message })
      offer(message)
    }
    forget(message)
  }
  report(sent, failed)
}

function report(sent: readonly Waiting[], failed: readonly Failure[]): void {
  if (sent.length > 0) toast(sent.length === 1 ? `Message to ${sent[0]!.name} sent` : `${sent.length} messages sent`)
  const [first] = failed
  if (!first) return
  const { name, applicationId } = first.message
  const what =
    failed.length === 1
      ? `The message to ${name} was not sent. ${first.why}`
      : `${failed.length} messages were not sent; their texts are kept under Messages: ${failed.map(({ message }) => message.name).join(', ')}.`
  toast(what, 'bad', { title: 'Open the text', run: () => navigate(`/applications/${applicationId}?panel=messages`) })
}

/** Messages that wait for the end of the time in which a rejection can be taken back. */
export interface Queued {
  /** nothing is sent; false: it is too late */
  cancel: () => boolean
  /** where the rejection stays although the message was canceled: its text becomes a draft */
  keep: () => void
}

/** A message with a rejection leaves when the rejection cannot be taken back any more, with the values of each candidate. */
export function queueMessages(people: readonly Addressee[], text: MessageText): Queued {
  const messages = people.map(person => ({ ...person, text, idempotencyKey: newKey() }))
  for (const message of messages) keep(message)
  // the values are read now, so that the message can also leave together with the page
  for (const message of messages) void filled(message).catch(() => undefined)
  const keys = messages.map(({ idempotencyKey }) => idempotencyKey)
  let canceled: Waiting[] = []
  const timer = setTimeout(() => void leave(keys), LEAVES_AFTER_MS)
  return {
    cancel: () => {
      clearTimeout(timer)
      canceled = messages.filter(({ idempotencyKey }) => waiting.delete(idempotencyKey))
      for (const message of canceled) forget(message)
      return canceled.length === messages.length
    },
    keep: () => {
      for (const message of canceled) offer(message)
      if (canceled.length > 0) toast('The message was not sent. Its text is under Messages.', 'bad')
    },
  }
}

/** Sends what waits, now: who signs out cannot take anything back. */
export const sendWaiting = (): Promise<void> => leave([...waiting.keys()])

/** For the person of these pages, once. What waited when the page was closed or read again is sent, and not twice. */
export function startOutgoing(of: string): () => void {
  holder = of
  try {
    for (const [key, text] of Object.entries({ ...sessionStorage })) {
      if (!key.startsWith(`${PREFIX} `)) continue
      if (key.startsWith(storageKey(''))) {
        const message = JSON.parse(text as string) as Waiting
        waiting.set(message.idempotencyKey, message)
      } else sessionStorage.removeItem(key)
    }
  } catch {
    // there is no storage
  }
  if (waiting.size > 0) void sendWaiting()
  const sendWithPage = () => {
    for (const { applicationId, draft, idempotencyKey } of waiting.values())
      if (draft) void sendDraft(applicationId, draft, idempotencyKey, { keepalive: true }).catch(() => undefined)
  }
  addEventListener('pagehide', sendWithPage)
  return () => removeEventListener('pagehide', sendWithPage)
}
