import { randomUUID } from 'node:crypto'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { aheadWorkspaces } from '../../kernel/db/workspace-time.ts'
import { refuseIfAny } from '../../kernel/http/faults.ts'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'
import { type checkTarget, newSigningSecret, secretContext, urlFaults } from '../webhooks/index.ts'
import {
  type AlertPreferences,
  type AlertRow,
  type AlertWebhookRow,
  acknowledge,
  deleteWebhook,
  insertWebhook,
  lockWebhook,
  putPreferences,
  replaceWebhookSecret,
  selectAlertPreferences,
  updateWebhook,
} from './store.ts'
import {
  checkCauses,
  endpointsInTrouble,
  partnersOfWorkspaces,
  tryLockCheck,
  usageOfToday,
  vendorsWithoutResponse,
  type Watched,
  withSmallBudget,
  workspacesWithDeadlines,
} from './store-causes.ts'

/** Opens and resolves alerts; undefined: another process does so at the moment. */
export const checkAlerts = (db: Database): Promise<{ opened: number; resolved: number } | undefined> =>
  db.transaction(async tx => {
    if (!(await tx.only(tryLockCheck())).locked) return undefined
    return tx.one(checkCauses(await readWatched(tx)))
  })

async function readWatched(tx: Queryable): Promise<Watched> {
  const ahead = await tx.query(aheadWorkspaces())
  const [endpoints, small, deadlines, vendors] = await Promise.all([
    tx.query(endpointsInTrouble()),
    tx.query(withSmallBudget()),
    tx.query(workspacesWithDeadlines(ahead)),
    tx.query(vendorsWithoutResponse()),
  ])
  const usage = await tx.query(usageOfToday(small.map(({ id }) => id)))
  const workspaces = deadlines.map(({ workspace_id }) => workspace_id)
  const partners = workspaces.length === 0 ? [] : await tx.query(partnersOfWorkspaces(workspaces))
  return { endpoints, usage, partners, vendors, ahead }
}

/** Others see who has taken it on. The alert stays open until its cause is gone. undefined: there is none. */
export const acknowledgeAlert = (
  db: Queryable,
  workspace: string,
  id: string,
  user: string,
): Promise<AlertRow | undefined> => db.one(acknowledge(workspace, id, user))

const EVERYTHING: AlertPreferences = { mail: true, muted_kinds: [] }

export const readPreferences = async (db: Queryable, workspace: string, user: string): Promise<AlertPreferences> =>
  (await db.one(selectAlertPreferences(workspace, user))) ?? EVERYTHING

export const changePreferences = (
  db: Queryable,
  workspace: string,
  user: string,
  wanted: AlertPreferences,
): Promise<AlertPreferences> => db.only(putPreferences(workspace, user, wanted))

/** A URL after its check, which needs DNS and runs before the transaction. */
type CheckedUrl = Awaited<ReturnType<typeof checkTarget>>

/** The webhook of a workspace with its secret, which is shown only once; null if there was one already. */
export interface SavedAlertWebhook {
  webhook: AlertWebhookRow
  signing_secret: string | null
}

export function saveWebhook(
  db: Database,
  keyring: Keyring,
  workspace: string,
  input: { url: CheckedUrl; mutedKinds: string[] },
): Promise<SavedAlertWebhook> {
  refuseIfAny(urlFaults(input.url))
  const { url } = input.url as Extract<CheckedUrl, { url: string }>
  return db.transaction(async tx => {
    const id = randomUUID()
    const secret = newSigningSecret()
    const sealed = keyring.seal(Buffer.from(secret), secretContext(id, 1))
    const created = await tx.one(insertWebhook(workspace, { id, url, mutedKinds: input.mutedKinds, sealed }))
    if (created) return { webhook: created, signing_secret: secret }
    return { webhook: await tx.only(updateWebhook(workspace, url, input.mutedKinds)), signing_secret: null }
  })
}

const OVERLAP_SECONDS = 86_400

/** The previous secret also signs for a day. undefined: there is no webhook. */
export function rotateAlertWebhookSecret(
  db: Database,
  keyring: Keyring,
  workspace: string,
): Promise<SavedAlertWebhook | undefined> {
  return db.transaction(async tx => {
    const webhook = await tx.one(lockWebhook(workspace))
    if (!webhook) return undefined
    const secret = newSigningSecret()
    const sealed = keyring.seal(Buffer.from(secret), secretContext(webhook.id, webhook.secret_version + 1))
    return {
      webhook: await tx.only(replaceWebhookSecret(workspace, sealed, OVERLAP_SECONDS)),
      signing_secret: secret,
    }
  })
}

/** What was still to be sent to it is not sent. */
export const removeWebhook = async (db: Queryable, workspace: string): Promise<boolean> =>
  (await db.one(deleteWebhook(workspace))) !== undefined

const alertSecrets = {
  table: 'alert_webhooks',
  identifiedBy: ['workspace_id'],
  reads: ['id', 'secret_version'],
} as const

export const alertSealedColumns: readonly SealedColumn[] = [
  {
    ...alertSecrets,
    column: 'sealed',
    context: row => secretContext(String(row['id']), Number(row['secret_version'])),
  },
  {
    ...alertSecrets,
    column: 'previous_sealed',
    context: row => secretContext(String(row['id']), Number(row['secret_version']) - 1),
  },
]
