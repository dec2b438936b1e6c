import type { Queryable } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { keysWithEndpoints, type PersonRecord, selectProcessing, unconfirmed } from './store.ts'

/**
 * Everything that the API shows about a person beyond the records themselves is read through here. The records of a
 * person whose processing was stopped stay readable: applicant, application with its stage history, sourced profile,
 * list membership. Nothing else is shown: `whenStopped` is returned and `read` does not run. 404 without the record.
 */
export async function readUnlessStopped<T>(
  { db, workspace }: { db: Queryable; workspace: string },
  record: PersonRecord,
  id: string,
  read: () => Promise<T>,
  whenStopped: T,
): Promise<T> {
  const processing = (await db.one(selectProcessing(workspace, record, id))) ?? fail('not_found')
  return processing.stopped ? whenStopped : read()
}

/** Finds the keys of a workspace that owe a confirmation of these suppressions. */
export async function unconfirmedKeys(
  db: Queryable,
  workspace: string,
  ids: readonly string[],
): Promise<{ suppression_id: string; id: string; name: string }[]> {
  const withEndpoints = (await db.query(keysWithEndpoints(workspace))).map(({ key_id }) => key_id)
  return db.query(unconfirmed(workspace, ids, withEndpoints))
}
