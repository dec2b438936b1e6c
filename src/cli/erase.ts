import type { Keyring } from '../kernel/crypto/signing.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { SearchUnavailable } from '../kernel/search-cluster/search-cluster.ts'
import type { Store } from '../kernel/services/open-store.ts'
import {
  type ErasureRow,
  type ErasureTarget,
  previewErasure,
  type RequestedErasure,
  requestErasure,
  runErasure,
  selectErasureTargets,
} from '../resources/erasures/index.ts'
import { REASONS } from '../resources/suppressions/shape.ts'
import { typeYes, YES } from './confirm.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

export const eraseVerb: Verb = {
  name: 'erase',
  description:
    'Erases a person from every workspace and the pool, or stops processing their data. If interrupted, run it again to continue.',
  options: {
    email: { value: 'E', description: 'email address of the person; or' },
    'linkedin-url': { value: 'U', description: 'LinkedIn URL of the person' },
    reason: {
      value: 'R',
      description: `${REASONS.join(', ')}; default erasure_request. stop_processing erases nothing`,
    },
    yes: YES,
  },
  run: input =>
    withStore(input, async store => {
      const asked = {
        email: input.option('email'),
        linkedinUrl: input.option('linkedin-url'),
        reason: input.option('reason') ?? 'erasure_request',
      }
      if (!REASONS.some(reason => reason === asked.reason))
        throw new UserError(`--reason must be one of ${REASONS.join(', ')}`)
      const holding = await previewErasure(store.db, asked)
      await confirm(input, holding.targets, asked.reason)
      const begun = await requestErasure(store.db, { ...asked, requestedBy: 'command_line' })
      return carryOut(input, store, begun, holding.accounts)
    }),
}

/** Runs an erasure to its end, with its progress on the terminal, and reports it. */
export async function carryOut(
  input: VerbInput,
  { db, keyring }: Pick<Store, 'db'> & { keyring: Keyring },
  { id, isNew }: RequestedErasure,
  accounts = 0,
): Promise<VerbOutput> {
  const { openBlobs } = await import('../kernel/services/open-services.ts')
  const { openTransport } = await import('../kernel/services/open-mailer.ts')
  const config = input.config()
  const blobs = await openBlobs(config, { db, keyring, publicUrl: config.publicUrl ?? '' })
  try {
    const done = await runErasure({ db, blobs, outbox: openTransport(config).outbox }, id, shown(input))
    return report(done, await db.query(selectErasureTargets(id)), isNew, accounts)
  } catch (error) {
    if (!(error instanceof SearchUnavailable)) throw error
    throw new UserError(
      `${error.message}. The records are erased in the database and shown to no one. The erasure completes when a worker process has emptied them in the cluster too; repeat the command to try it now`,
    )
  } finally {
    await blobs.close()
  }
}

/** Lists the affected records by handle, then asks for confirmation unless --yes is given. */
export async function confirm(input: VerbInput, targets: readonly ErasureTarget[], reason: string): Promise<void> {
  const rows = targets.map(t => [t.object, t.id, t.workspace ?? 'shared pool'])
  const what = reason === 'stop_processing' ? 'Stop processing this person' : 'Erase all of this permanently'
  await typeYes(input, {
    refusal: 'this cannot be undone',
    shown: rows.length === 0 ? 'no records of this person were found' : table(rows),
    question: `${what}, and never store the person again?`,
  })
}

/** Progress on a terminal, written to standard error; the result goes to standard output. */
function shown(input: VerbInput): (progress: ErasureRow) => void {
  if (!process.stderr.isTTY || input.json) return () => {}
  return ({ records, completed_at }) => {
    const of = (name: 'found' | 'done') => records.reduce((sum, r) => sum + r[name], 0)
    process.stderr.write(`\r\x1b[K${of('done')} of ${of('found')} done${completed_at ? '\n' : ''}`)
  }
}

/** Steps of the work that are not records: counting them would say nothing. */
const INNER: ReadonlySet<string> = new Set(['workspace', 'folder'])

function report(erasure: ErasureRow, targets: readonly ErasureTarget[], isNew: boolean, accounts: number): VerbOutput {
  const { id, suppression_id, reach, status, reason, workspaces, completed_at } = erasure
  const records = erasure.records.filter(r => !INNER.has(r.object))
  const counts = Object.fromEntries(records.map(r => [r.object, r.found]))
  const handles = targets
    .filter(t => !INNER.has(t.object) && t.object !== 'file')
    .map(({ object, id, workspace }) => ({ object, id, workspace_id: workspace }))
  const did = status === 'erased' ? 'erased' : 'suppressed, nothing erased'
  const json = { id, suppression_id, reach, status, reason, is_new: isNew, workspaces, counts, handles, accounts }
  return {
    json: { ...json, completed_at },
    text: [
      isNew ? '' : 'this request already exists',
      `${did}: ${records.map(r => `${r.found} ${r.object}`).join(', ') || 'no records'}; ${workspaces.length} ${workspaces.length === 1 ? 'workspace' : 'workspaces'} notified`,
      ...(handles.length > 0 ? [table(handles.map(h => [h.object, h.id, h.workspace_id ?? 'shared pool']))] : []),
      accounts > 0
        ? `${accounts} user accounts have this email address; they are not candidates and were not changed`
        : '',
      `suppression ${suppression_id}`,
    ]
      .filter(Boolean)
      .join('\n'),
  }
}
