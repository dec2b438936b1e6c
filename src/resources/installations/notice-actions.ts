import type { Transaction } from '../../kernel/db/database.ts'
import type { Notice, NoticeReason } from '../../kernel/feed/event-schemas.ts'
import { queueNotice } from '../webhooks/index.ts'
import { activeOfApp, type InstallationRow, installationById } from './store.ts'

/** Tells the publisher of the app about an installation as it is now. */
export async function notifyPublisher(
  tx: Transaction,
  row: InstallationRow,
  type: Notice,
  reason: NoticeReason,
): Promise<void> {
  const { id, workspace_id, updated_at, status, environment, scopes, scopes_pending, delete_by } = row
  const source = { workspace_id: row.app_workspace_id, id: row.app_endpoint_id }
  const about = { object: 'installation', id, workspace_id, updated_at } as const
  const object = { ...about, status, environment, scopes, scopes_pending, reason, delete_by }
  await queueNotice(tx, source, type, object)
}

/** The app changed: a notice for each installation that this concerns. */
export async function notifyOfChange(
  tx: Transaction,
  app: { workspace_id: string; id: string },
  reason: NoticeReason,
  concerns: (row: InstallationRow) => boolean = () => true,
): Promise<void> {
  for (const { workspace_id, id } of await tx.query(activeOfApp(app))) {
    const row = await tx.only(installationById(workspace_id, id))
    if (concerns(row)) await notifyPublisher(tx, row, 'installation.updated', reason)
  }
}
