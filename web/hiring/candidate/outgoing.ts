import type { ApplicationStatus } from '../../../src/contract/application-status.ts'
import { ApiError } from '../../ui/api.ts'
import { BrowserStorage } from '../../ui/browser-storage.ts'
import { amount } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { readAndStay, type Sent, send } from '../api.ts'
import type { ApplicationChange } from '../board/changes.ts'
import { newRepeatKey } from '../repeat-key.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { BLOCKED, buildDraft, type MessageDraft, type MessageText, NO_TEXT, sendDraft } from './message-form.tsx'
import { toastWithUndo, UNDO_MS } from './undo.ts'

/** Whom a message is for. */
export interface Addressee {
  applicationId: string
  name: string
}

/** Who was rejected, and what they were before. */
interface Rejected extends Addressee {
  before: ApplicationStatus
}

interface Waiting extends Rejected {
  text: MessageText
  idempotencyKey: string
  leavesAt: number
  /** since when a tab sends it; from then on it cannot be canceled */
  leaving?: number
}

/** After the last moment in which the rejection can be undone. */
const LEAVES_AFTER_MS = UNDO_MS + 500
/** Later than that, perhaps because the browser was closed, no one expects it any more: it is offered as a draft. */
const LATEST_MS = 60_000
/** A tab that was closed while it sent is followed by another after this time; the key keeps it from being sent twice. */
const FOLLOWED_AFTER_MS = 30_000
/** Another tab sends what the first did not, because it was closed. */
const FOLLOWS_MS = 5_000
const PREFIX = 'hiring-outgoing'
const storage = new BrowserStorage<Waiting>('localStorage', PREFIX)

let holder = ''
let timers: ReturnType<typeof setTimeout>[] = []

/**
 * In the storage of all tabs of a browser: a second tab with the same page must neither send a message that was canceled
 * in the first, nor send it again. It is there until its fate is known.
 */
const storageKey = (key: string) => `${holder} ${key}`

/** Where a browser refuses its storage, a message lives as long as its page. */
const inMemory = new Map<string, Waiting>()

const stored = (idempotencyKey: string): Waiting | undefined =>
  storage.read(storageKey(idempotencyKey)) ?? inMemory.get(idempotencyKey)

function keep(message: Waiting): void {
  if (!storage.write(storageKey(message.idempotencyKey), message)) inMemory.set(message.idempotencyKey, message)
}

function forget({ idempotencyKey }: Waiting): void {
  inMemory.delete(idempotencyKey)
  storage.remove(storageKey(idempotencyKey))
}

function allStored(): Waiting[] {
  const ids = storage.keys(storageKey('')).map(key => key.slice(storageKey('').length))
  return [...new Set([...ids, ...inMemory.keys()])].flatMap(id => stored(id) ?? [])
}

/** What was not sent is not lost: it is the draft of the candidate's page, above what may be there already. */
function offer({ applicationId, text }: Addressee & { text: MessageText }): void {
  const before = readDraft(holder, 'message', applicationId, NO_TEXT)
  const body = [text.body, before.body].filter(part => part !== '').join('\n\n')
  writeDraft(holder, 'message', applicationId, { ...text, body })
}

const refusal = (message: string) => new ApiError(409, { code: 'not_sent', message })

async function filled({ applicationId, text }: Waiting): Promise<MessageDraft> {
  const facts = await readAndStay('/applications/{application}/message-facts', { application: applicationId })
  if (facts.blocked) throw refusal(BLOCKED[facts.blocked])
  return buildDraft(text, facts) ?? refuse('The text has an unknown variable.')
}

const refuse = (message: string): never => {
  throw refusal(message)
}

/** `isUnknown`: the response was lost, and with it whether the message was sent */
type Failure = { message: Waiting; why: string; isUnknown: boolean }

async function sendOne(message: Waiting): Promise<void> {
  if (Date.now() > message.leavesAt + LATEST_MS)
    refuse('It is too late for it; look at its text, and send it yourself.')
  // someone may have taken the rejection back, here or elsewhere
  const { status } = await readAndStay('/v1/applications/{application_handle}', {
    application_handle: message.applicationId,
  })
  if (status !== 'rejected') refuse('The application is not rejected any more.')
  await sendDraft(message.applicationId, await filled(message), message.idempotencyKey)
}

/** Sends those that still wait; one after the other, so that the limit of a minute is not met by many. */
async function sendStored(keys: readonly string[]): Promise<void> {
  const sent: Waiting[] = []
  const failed: Failure[] = []
  for (const key of keys) {
    const message = stored(key)
    // canceled, sent, or being sent by another tab
    if (!message || Date.now() < (message.leaving ?? 0) + FOLLOWED_AFTER_MS) continue
    keep({ ...message, leaving: Date.now() })
    try {
      await sendOne(message)
      sent.push(message)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isUnknown = error.status === 0 || (error.code === 'not_sent' && message.leaving !== undefined)
      // nothing is written for someone who is signed out
      if (error.status === 401) toast(`You are signed out. The message to ${message.name} was not sent.`, 'bad')
      else {
        failed.push({ message, why: error.message, isUnknown })
        offer(message)
      }
    }
    forget(message)
  }
  report(sent, failed)
}

function report(sent: readonly Waiting[], failed: readonly Failure[]): void {
  const only = onlyOf(sent)
  if (sent.length > 0) toast(only ? `Message to ${only.name} sent` : `${sent.length} messages sent`)
  const [first] = failed
  if (!first) return
  const { name, applicationId } = first.message
  const what =
    failed.length === 1
      ? `${first.isUnknown ? `It is not known whether the message to ${name} was sent.` : `The message to ${name} was not sent.`} ${first.why}`
      : `${failed.length} messages were not sent; their texts are kept under Messages: ${failed.map(({ message }) => message.name).join(', ')}.`
  toast(what, 'bad', { title: 'Open the text', run: () => navigate(`/applications/${applicationId}?panel=messages`) })
}

/** Messages that wait for the end of the time in which a rejection can be undone. */
export interface Queued {
  /** nothing is sent; false: it is too late */
  cancel: () => boolean
  /** where the rejection stays although the message was canceled: its text becomes a draft */
  keep: () => void
}

export const leavingWords = (people: number): string =>
  people === 1 ? 'The message is sent in 10 seconds.' : 'The messages are sent in 10 seconds.'

function cancelable(messages: readonly Waiting[]): Queued {
  let canceled: Waiting[] = []
  return {
    cancel: () => {
      canceled = messages.filter(({ idempotencyKey }) => {
        const now = stored(idempotencyKey)
        return now !== undefined && now.leaving === undefined
      })
      for (const message of canceled) forget(message)
      return canceled.length === messages.length
    },
    keep: () => {
      for (const message of canceled) offer(message)
      if (canceled.length > 0) toast('The message was not sent. Its text is under Messages.', 'bad')
    },
  }
}

function sendLater(messages: readonly Waiting[], laterMs = 0): void {
  const keys = messages.map(({ idempotencyKey }) => idempotencyKey)
  const [{ leavesAt, leaving } = { leavesAt: 0 }] = messages
  const due = leaving === undefined ? leavesAt : leaving + FOLLOWED_AFTER_MS
  // a clock that was set back makes no one wait longer
  const wait = Math.min(Math.max(due - Date.now(), 0), leaving === undefined ? LEAVES_AFTER_MS : FOLLOWED_AFTER_MS)
  timers.push(setTimeout(() => void sendStored(keys), wait + laterMs))
}

/** A message with a rejection leaves when the rejection can no longer be undone, with the values of each candidate. */
export function queueMessages(people: readonly Rejected[], text: MessageText): Queued {
  const leavesAt = Date.now() + LEAVES_AFTER_MS
  const messages = people.map(person => ({ ...person, text, idempotencyKey: newRepeatKey(), leavesAt }))
  for (const message of messages) keep(message)
  sendLater(messages)
  return cancelable(messages)
}

/** After the rejection was undone in another way than by Undo. Whether a message waited, which is a draft now. */
export function cancelMessagesTo(applicationId: string): boolean {
  const messages = allStored().filter(one => one.applicationId === applicationId && one.leaving === undefined)
  for (const message of messages) {
    forget(message)
    offer(message)
  }
  return messages.length > 0
}

/** Sends what waits, now: who signs out cannot take anything back. */
export const sendWaiting = (): Promise<void> => sendStored(allStored().map(({ idempotencyKey }) => idempotencyKey))

/** After the sign-out, also in another tab: nothing is left, and nothing is sent. */
export function forgetOutgoing(): void {
  stopTimers()
  inMemory.clear()
  storage.forget()
}

function stopTimers(): void {
  for (const timer of timers) clearTimeout(timer)
  timers = []
}

/** The rejections of messages that waited when the page was read again. */
async function undoRejections(messages: readonly Waiting[], queued: Queued): Promise<string> {
  const isCanceled = queued.cancel()
  const changes = messages.map(({ applicationId: id }): ApplicationChange => ({ id, action: 'undo' }))
  let results: Sent<'/applications/changes'>['results']
  try {
    results = (await send('/applications/changes', { changes })).results
  } catch (error) {
    queued.keep()
    throw error
  }
  const refused = results.find(result => !result.ok)
  if (refused) {
    queued.keep()
    throw refusal('Not everyone could be reopened.')
  }
  const who = onlyOf(messages)?.name ?? amount(messages.length, 'candidate')
  return `${who} reopened. ${isCanceled ? 'Nothing was sent.' : 'The message was already on its way.'}`
}

/** For the person of these pages, once. What waited when the page was read again waits for the rest of its time. */
export function startOutgoing(of: string): () => void {
  holder = of
  storage.forget(holder)
  const groups = Map.groupBy(allStored(), ({ leavesAt, leaving }) => `${leavesAt} ${leaving ?? ''}`)
  // when the page is there that shows toasts
  timers.push(
    setTimeout(() => {
      for (const messages of groups.values()) resume(messages)
    }),
  )
  const follow = ({ key, oldValue, newValue }: StorageEvent) => {
    if (key?.startsWith(`${PREFIX} ${storageKey('')}`) && oldValue === null && newValue !== null)
      sendLater([JSON.parse(newValue) as Waiting], FOLLOWS_MS)
  }
  addEventListener('storage', follow)
  return () => {
    removeEventListener('storage', follow)
    stopTimers()
  }
}

function resume(messages: readonly Waiting[]): void {
  sendLater(messages)
  const [{ leavesAt, leaving, name }] = messages as readonly [Waiting]
  const rest = Math.min(leavesAt - Date.now(), LEAVES_AFTER_MS) - (LEAVES_AFTER_MS - UNDO_MS)
  if (leaving !== undefined || rest <= 0) return
  const queued = cancelable(messages)
  const who = messages.length === 1 ? name : amount(messages.length, 'candidate')
  toastWithUndo(`${who} rejected. The message is sent soon.`, () => undoRejections(messages, queued), { ms: rest })
}
