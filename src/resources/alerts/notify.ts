import { randomUUID } from 'node:crypto'
import { present } from '../../kernel/errors/present.ts'
import { eventText } from '../../kernel/feed/envelope.ts'
import type { Mail } from '../../kernel/mail/mail.ts'
import type { MailLoop } from '../../kernel/mail/queue.ts'
import type { Poster } from '../../kernel/net/poster.ts'
import type { Services } from '../../kernel/services/services.ts'
import { pause } from '../../kernel/time/pause.ts'
import {
  type AttemptContext,
  type AttemptOutcome,
  attemptDelivery,
  judgeAttempt,
  openPoster,
  PROCESS_STOPPING,
  UnsealedSecrets,
} from '../webhooks/index.ts'
import { type AlertText, alertRetryDelay, describeAlert } from './rules.ts'
import {
  type AlertRow,
  claimMails,
  claimWebhooks,
  type DueMail,
  type DueWebhook,
  markFailed,
  markSent,
  noteWebhookAttempt,
  webhookSecrets,
} from './store.ts'

/** Emails to owners and admins: all alerts that wait for a person are one email. */
export const alertMails: MailLoop<readonly [DueMail, ...DueMail[]]> = {
  name: 'send-alerts',
  everyMs: 5_000,
  async claim(db) {
    const [first, ...rest] = await db.query(claimMails())
    return first ? [[first, ...rest]] : []
  },
  describe: ([{ user_id, attempt }]) => ({ user: user_id, attempt }),
  write: async ({ publicUrl }, due) => (due[0].email === null ? [] : [mailOf(due, due[0].email, publicUrl)]),
  settle(due, outcome) {
    if (outcome === 'sent') return markSent(due)
    return markFailed(due, outcome === 'failed' ? alertRetryDelay(Math.max(...due.map(one => one.attempt))) : null)
  },
}

function mailOf(due: readonly [DueMail, ...DueMail[]], email: string, publicUrl: string): Mail {
  const { workspace_id, user_id, workspace_name } = due[0]
  const texts = due.map(one => describeAlert(one.alert))
  const [first] = texts
  return {
    // the same set of alerts has the same id, whichever process sends it and in whatever order they were read
    id: `alert-${due.map(one => one.id).toSorted()[0]}`,
    audience: { workspaceId: workspace_id, userIds: [user_id] },
    to: { address: email },
    subject: first && texts.length === 1 ? first.title : `${texts.length} alerts of ${workspace_name}`,
    text: [
      ...texts.flatMap(({ title, text, path }) => [title, '', text, '', consoleUrl(publicUrl, path), '']),
      '--',
      `You receive this email because you are an owner or admin of the workspace ${workspace_name}. Choose what you are sent:`,
      consoleUrl(publicUrl, '/alerts/settings'),
    ].join('\n'),
  }
}

const consoleUrl = (publicUrl: string, path: string): string => new URL(`/console${path}`, publicUrl).href

type WebhookNeeds = Omit<AttemptContext, 'poster' | 'secrets'> & Pick<Services, 'db' | 'keyring' | 'publicUrl'>

const POSTS_TOGETHER = 20
/** How soon an alert is posted that falls due while posts to other workspaces wait for their responses. */
const LOOK_MS = 1_000

/**
 * Posts alerts until none is due, on the schedule of other webhooks: several at the same time, but one after the other to
 * the same workspace, so that a slow receiver delays its own workspace alone.
 */
export async function postDueAlerts(services: WebhookNeeds, signal?: AbortSignal): Promise<void> {
  const running = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  const start = (poster: Poster, due: DueWebhook) =>
    running.set(
      due.workspace_id,
      postAndRecord(services, poster, due, signal)
        .catch(error => void failures.push(error))
        .finally(() => running.delete(due.workspace_id)),
    )
  await withPoster(services, async poster => {
    try {
      while (failures.length === 0) {
        const free = signal?.aborted ? 0 : POSTS_TOGETHER - running.size
        const due = free > 0 ? await services.db.query(claimWebhooks([...running.keys()], free)) : []
        for (const one of due) start(poster, one)
        if (running.size === 0) break
        await firstOf(running.values(), LOOK_MS)
      }
    } finally {
      await Promise.all(running.values())
    }
  })
  if (failures.length > 0) throw failures[0]
}

/** Until the first of them ends, or the time is over. */
async function firstOf(running: Iterable<Promise<void>>, ms: number): Promise<void> {
  const ended = new AbortController()
  await Promise.race([...running, pause(ms, ended.signal)])
  ended.abort()
}

async function postAndRecord(
  services: WebhookNeeds,
  poster: Poster,
  due: DueWebhook,
  signal?: AbortSignal,
): Promise<void> {
  const { db } = services
  const outcome = await postAlert(services, poster, due, due.attempt, signal)
  // the process stops: the lease expires
  if (!outcome) return
  const { status, delaySeconds } = judgeAttempt('event', due.attempt, outcome, Math.random())
  await db.query(status === 'delivered' ? markSent([due]) : markFailed([due], delaySeconds))
  await db.query(noteWebhookAttempt(due.workspace_id, due.webhook_id, outcome.responseStatus, outcome.error))
}

/** Posts a sample; undefined if the workspace has no webhook. */
export async function testAlertWebhook(services: WebhookNeeds, workspace: string): Promise<AttemptOutcome | undefined> {
  const webhook = await services.db.one(webhookSecrets(workspace))
  if (!webhook) return undefined
  const alert: AlertRow = {
    id: randomUUID(),
    workspace_id: workspace,
    kind: 'monthly_quota',
    level: 'warning',
    subject_id: workspace,
    details: { used: 0, limit: 0 },
    opened_at: webhook.created_at,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
  }
  const sample = { ...webhook, workspace_id: workspace, id: randomUUID(), event: 'test' as const, alert }
  const posted = await withPoster(services, poster => postAlert(services, poster, sample, 1))
  const outcome = present(posted, 'the outcome')
  const { responseStatus, error } = outcome
  await services.db.query(noteWebhookAttempt(workspace, webhook.webhook_id, responseStatus, error))
  return outcome
}

async function withPoster<T>(services: WebhookNeeds, work: (poster: Poster) => Promise<T>): Promise<T> {
  const poster = openPoster(services)
  try {
    return await work(poster)
  } finally {
    poster.close()
  }
}

type Sendable = Omit<DueWebhook, 'event' | 'attempt'> & { event: DueWebhook['event'] | 'test' }

/** Signed, checked and limited as every webhook; undefined if the process stops first. */
async function postAlert(
  services: WebhookNeeds,
  poster: Poster,
  due: Sendable,
  attempt: number,
  signal?: AbortSignal,
): Promise<AttemptOutcome | undefined> {
  const abort = new AbortController()
  const stop = () => abort.abort(PROCESS_STOPPING)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    return await attemptDelivery(
      { ...services, secrets: new UnsealedSecrets(services.keyring), poster },
      {
        workspace_id: due.workspace_id,
        id: due.id,
        endpoint_id: due.webhook_id,
        attempt,
        event_id: due.id,
        url: due.url,
        body: bodyOf(due, services.publicUrl),
        names_workspace: false,
        unix_seconds: due.unix_seconds,
        secret_versions: due.secret_versions,
        secrets: due.secrets,
      },
      abort,
    )
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

const TEST_TEXT: AlertText = {
  title: 'Test of the alert webhook',
  text: 'This is a test. Nothing has happened.',
  path: '/alerts/settings',
}

/** The envelope of an event. Its type is in no feed, and it is in no sequence. */
function bodyOf({ id, event, alert, workspace_id, created_at }: Sendable, publicUrl: string): string {
  const { title, text, path } = event === 'test' ? TEST_TEXT : describeAlert(alert)
  const object = {
    object: 'alert',
    id: alert.id,
    workspace_id,
    kind: alert.kind,
    level: alert.level,
    subject_id: alert.subject_id,
    title,
    text,
    url: consoleUrl(publicUrl, path),
    opened_at: new Date(alert.opened_at).toISOString(),
    resolved_at: alert.resolved_at && new Date(alert.resolved_at).toISOString(),
  }
  const { head, tail } = eventText({
    id,
    type: `alert.${event}`,
    workspaceId: workspace_id,
    data: { object },
    links: {},
  })
  return `${head}${created_at}","sequence":0${tail}`
}
