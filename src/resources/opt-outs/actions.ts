import { addressFault, isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import type { Page } from '../../kernel/http/list.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { lockSuppressionsShared, suppressedAmong } from '../suppressions/index.ts'
import { deleteOptOut, insertOptOuts, noteOptOuts, type OptOutRow, optOuts, touchApplicantsAt } from './store.ts'

const asIdentifiers = (keys: readonly string[]) => keys.map(key => ({ kind: 'email', key }) as const)

/** An address that the workspace does not mail. */
export type OptOut = Omit<OptOutRow, 'email_key'> & { email: string | null }

/**
 * A page of the list. An address of a person who was erased, or asked that processing stop, is not shown: `email` is
 * null. Asked for by its address, such a person is not found.
 */
export async function readOptOuts(
  db: Queryable,
  workspace: string,
  { email }: { email?: string | undefined },
  page: Page,
  pepper: string,
): Promise<OptOut[]> {
  const key = email === undefined ? undefined : emailKey(email)
  if (email !== undefined && key === undefined) return []
  const rows = await db.query(optOuts(workspace, key, page, pepper))
  const found = await db.query(suppressedAmong(workspace, asIdentifiers(rows.map(row => row.email_key))))
  const hidden = new Set(found.map(({ place }) => place))
  const shown = rows.map(({ email_key, ...row }, i) => ({ ...row, email: hidden.has(i) ? null : email_key }))
  return key === undefined ? shown : shown.filter(row => row.email !== null)
}

/**
 * The workspace does not mail these addresses any more, whatever key asks for it. An address of a person who may not be
 * stored is left out: suppression is stronger. `keys` are normalized.
 */
export async function addOptOuts(
  tx: Transaction,
  workspace: string,
  keys: readonly string[],
): Promise<{ added: number; already_listed: number }> {
  for (const key of (await isTestWorkspace(tx, workspace)) ? keys : []) {
    const fault = await addressFault(tx, workspace, key)
    if (fault !== undefined) throw new UserError(`every address ${fault}`)
  }
  await tx.query(lockSuppressionsShared())
  const found = await tx.query(suppressedAmong(workspace, asIdentifiers(keys)))
  const suppressed = new Set(found.map(({ place }) => place))
  const wanted = keys.filter((_, i) => !suppressed.has(i))
  const added = (await tx.query(insertOptOuts(workspace, wanted))).map(row => row.email_key)
  if (added.length < wanted.length) await tx.query(noteOptOuts(workspace, wanted))
  const people = await tx.query(touchApplicantsAt(workspace, added))
  await appendEvents(
    tx,
    people.map(({ id, updated_at: updatedAt }) => ({
      type: 'applicant.unsubscribed',
      workspaceId: workspace,
      id,
      updatedAt,
      originKeyId: null,
    })),
  )
  return { added: added.length, already_listed: keys.length - added.length }
}

/** Takes an address off the list of the workspace. A person who unsubscribed stays unsubscribed. */
export async function removeOptOut(tx: Transaction, workspace: string, email: string): Promise<boolean> {
  const key = emailKey(email)
  if (key === undefined) throw new UserError('that is not an email address')
  await tx.query(lockSuppressionsShared())
  if (!(await tx.one(deleteOptOut(workspace, key)))) return false
  const people = await tx.query(touchApplicantsAt(workspace, [key]))
  await appendEvents(
    tx,
    people.map(({ id, updated_at: updatedAt }) => ({
      type: 'applicant.updated',
      workspaceId: workspace,
      id,
      updatedAt,
      changed: ['provenance.consent.unsubscribed'],
      originKeyId: null,
    })),
  )
  return true
}
