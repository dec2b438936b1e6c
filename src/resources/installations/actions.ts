import type { Transaction } from '../../kernel/db/database.ts'
import { isAppSecret } from '../connected-apps/index.ts'
import { type IssuedKey, revokeKeyIn, rotateKeyIn } from '../keys/index.ts'
import { cancelOrdersOfVendor } from '../orders/index.ts'
import { withdrawPackagesOfVendor } from '../packages/index.ts'
import { disableKeyEndpoints, resumeDerivedEndpoint } from '../webhooks/index.ts'
import { addToLog } from '../workspaces/index.ts'
import { followSuspension } from './app-store.ts'
import { notifyPublisher } from './notice-actions.ts'
import { DELETION_DAYS } from './rules.ts'
import {
  dropOpenCodesOfApp,
  endInstallationRow,
  type InstallationRow,
  installationById,
  installationOfApp,
  keysOfInstallation,
  markKeyCreated,
  storeDeletionConfirmed,
  storeInstallationSuspended,
} from './store.ts'

/** Who ends or changes an installation: a person of the workspace, or its deletion; the app itself; or the operator. */
export type InstallationActor =
  | { by: 'workspace'; user: string | null }
  | { by: 'app'; user: null }
  | { by: 'operator'; user: null }

const END_REASONS = {
  workspace: 'uninstalled_by_workspace',
  app: 'uninstalled_by_app',
  operator: 'ended_by_operator',
} as const

/**
 * Uninstalls: its keys and its endpoint end with the next request, its packages are withdrawn, its open orders canceled. The
 * app user stays, for the names of authors. Decisions that were not exchanged end too: without a new one the app does not come
 * back. The publisher must delete its copies within `DELETION_DAYS` and confirms that.
 */
export async function endInstallation(
  tx: Transaction,
  { workspace_id: workspace, id, app_id }: InstallationRow,
  { by, user }: InstallationActor,
): Promise<InstallationRow> {
  // an exchange locks its code before the installation, so codes come first
  await tx.query(dropOpenCodesOfApp(workspace, app_id))
  const before = await tx.only(installationById(workspace, id, 'for update'))
  if (before.status === 'ended') return before
  for (const key of await tx.query(keysOfInstallation(workspace, id))) await revokeKeyIn(tx, key.id)
  await tx.query(endInstallationRow(workspace, id, DELETION_DAYS))
  await withdrawPackagesOfVendor(tx, workspace, id)
  while ((await cancelOrdersOfVendor(tx, workspace, id)) > 0);
  await tx.query(addToLog(workspace, 'app_uninstalled', user, { installation: id, app: app_id, by }))
  const ended = await tx.only(installationById(workspace, id))
  await notifyPublisher(tx, ended, 'installation.deleted', END_REASONS[by])
  return ended
}

/**
 * The keys of an app, or of one installation, follow its state, and their endpoints: nothing is sent to the endpoint of a
 * suspended key. After it is resumed, what was missed can be recovered.
 */
export async function followSuspensions(
  tx: Transaction,
  app: { workspace_id: string; id: string },
  installation?: string,
): Promise<void> {
  for (const { workspace_id, id, suspended } of await tx.query(followSuspension(app, installation))) {
    if (suspended) await disableKeyEndpoints(tx, id)
    else await resumeDerivedEndpoint(tx, workspace_id, id)
  }
}

/** A workspace suspends an installation, and resumes it. What the operator suspended stays so. */
export async function suspendInstallation(
  tx: Transaction,
  row: InstallationRow,
  suspended: boolean,
  user: string,
): Promise<InstallationRow> {
  const { workspace_id: workspace, id, app_id, app_workspace_id } = row
  const before = await tx.only(installationById(workspace, id, 'for update'))
  if (before.status === 'ended') return before
  await tx.query(storeInstallationSuspended(workspace, id, suspended))
  await followSuspensions(tx, { workspace_id: app_workspace_id, id: app_id }, id)
  const action = suspended ? 'app_suspended' : 'app_resumed'
  await tx.query(addToLog(workspace, action, user, { installation: id, app: app_id }))
  const after = await tx.only(installationById(workspace, id))
  await notifyPublisher(tx, after, 'installation.updated', suspended ? 'suspended' : 'resumed')
  return after
}

/** Whether the caller knows a secret of the app: the key of an installation alone cannot rotate or uninstall itself. */
export const knowsClientSecret = (tx: Transaction, appId: string, secret: string): Promise<boolean> =>
  isAppSecret(tx, appId, secret)

/** A new secret of the key that calls. One that ends with a scope upgrade ends as before. */
export async function rotateInstallationKey(
  tx: Transaction,
  row: InstallationRow,
  keyId: string,
  overlapHours: number,
): Promise<IssuedKey> {
  const { workspace_id: workspace, id, app_id } = row
  const { credential_id } = await tx.only(installationById(workspace, id, 'for update'))
  const key = await rotateKeyIn(tx, keyId, overlapHours)
  if (keyId === credential_id) await tx.query(markKeyCreated(workspace, id))
  await tx.query(addToLog(workspace, 'app_key_rotated', null, { installation: id, app: app_id, key: keyId }))
  return key
}

/** The publisher confirms that it deleted what it copied. The first confirmation counts; undefined: nothing is to be confirmed. */
export async function confirmDeletion(
  tx: Transaction,
  app: string,
  id: string,
  at: string,
): Promise<InstallationRow | undefined> {
  const row = await tx.one(installationOfApp(app, id, 'for update'))
  if (row?.status !== 'ended') return row
  if (row.deletion_confirmed_at === null) {
    await tx.query(storeDeletionConfirmed(row.workspace_id, id, at))
    await tx.query(
      addToLog(row.workspace_id, 'app_deletion_confirmed', null, { installation: id, app, deleted_at: at }),
    )
  }
  return tx.one(installationOfApp(app, id))
}
