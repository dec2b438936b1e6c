import type { Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { authorOf } from '../shared/author.ts'
import { fieldWords } from './history-rules.ts'
import { formValues, insertHistory, type JobChange } from './history-store.ts'
import { sectionsEvent } from './sections-event.ts'
import {
  continueTemplateChange,
  endTemplateChange,
  lockTemplateChange,
  selectFormFields,
  type TemplateChange,
  templateChanges,
} from './sections-store.ts'
import { touchTemplateJobs } from './store.ts'

/*
 * A change of a workspace's template changes the form of every job that uses it, and each of them gets an event. The
 * first chunk of jobs is in the transaction of the change; the others follow, a chunk in each transaction.
 */

/** Jobs in one transaction, which takes about a quarter of a second. */
const TEMPLATE_CHUNK = 500
/** Workspaces that are looked at for one that no other process works on: more than there are processes. */
const CANDIDATES = 50

/** Emits the events of the next chunk of any workspace; false when no change is left. */
export async function emitTemplateForms(tx: Transaction): Promise<boolean> {
  for (const { workspace_id } of await tx.query(templateChanges(CANDIDATES))) {
    const change = await tx.one(lockTemplateChange(workspace_id))
    if (!change) continue
    await emitTemplateChunk(tx, change)
    return true
  }
  return false
}

type Values = Pick<JobChange, 'previous' | 'next'>

/** `given`: the form before and after, in the transaction of the change; later chunks find it with the last job before them. */
export async function emitTemplateChunk(tx: Transaction, change: TemplateChange, given?: Values): Promise<void> {
  const { workspace_id: workspace, after_id, origin_key_id, user_id } = change
  const values = given ?? (await valuesBefore(tx, workspace, after_id))
  const jobs = await tx.query(touchTemplateJobs(workspace, after_id, TEMPLATE_CHUNK))
  const author = authorOf({ originKeyId: origin_key_id, userId: user_id })
  await tx.query(
    insertHistory(
      workspace,
      jobs.map(({ id, updated_at }) => ({
        job: id,
        at: updated_at,
        action: 'edited',
        author,
        fields: ['application_form'],
        ...values,
      })),
    ),
  )
  await appendEvents(
    tx,
    jobs.map(job => sectionsEvent(workspace, job, 'application_form', origin_key_id)),
  )
  const last = jobs
    .map(job => job.id)
    .sort()
    .at(-1)
  await tx.query(
    last === undefined || jobs.length < TEMPLATE_CHUNK
      ? endTemplateChange(workspace)
      : continueTemplateChange(workspace, last),
  )
}

async function valuesBefore(tx: Transaction, workspace: string, jobId: string): Promise<Values | undefined> {
  const lines = (await tx.query(selectFormFields(workspace, null))).map(fieldWords)
  return tx.one(formValues(workspace, jobId, lines))
}
