import { createInterface } from 'node:readline/promises'
import { UserError } from '../kernel/errors/user-error.ts'
import {
  countDeletion,
  hastenScheduled,
  listDeletions,
  restoreWorkspace,
  scheduleDeletion,
} from '../resources/deletions/index.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { argumentAt } from './read-option.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

export const deletionVerbs: readonly Verb[] = [
  {
    name: 'workspaces delete',
    description: 'Closes a workspace immediately, and deletes everything in it after the grace period.',
    args: ['ID'],
    options: {
      'dry-run': { description: 'only counts what would be deleted' },
      yes: { value: 'ID', description: 'the id again, instead of typing the name: for scripts' },
      now: { description: 'without the grace period: it cannot be restored' },
    },
    run: input =>
      withStore(input, async ({ db, keyring }) => {
        const id = argumentAt(input, 0)
        const [workspace] = await db.query(allWorkspaces(id))
        if (!workspace) throw new UserError(`there is no workspace ${id}`)
        if (input.flag('dry-run')) {
          const { openBlobs } = await import('../kernel/services/open-services.ts')
          const blobs = await openBlobs(input.config(), { keyring, publicUrl: '', db })
          const { tables, files } = await countDeletion(db, blobs, id).finally(() => blobs.close())
          const rows = Object.entries(tables).map(([name, n]) => [name, String(n)])
          return {
            json: { workspace_id: id, dry_run: true, tables, files },
            text: table([['TABLE', 'ROWS'], ...rows, ['(files)', String(files)]]),
          }
        }
        await confirm(input, id, workspace.name)
        const now = input.flag('now')
        const graceDays = now ? 0 : input.config().WORKSPACE_GRACE_DAYS
        const hastens = now && workspace.closing_at !== null
        const deletion = hastens
          ? await hastenScheduled(db, id)
          : await scheduleDeletion(db, id, { userId: null, graceDays })
        const text = now
          ? `${id} is closed; a worker process deletes it now`
          : `${id} is closed and will be deleted on ${deletion.delete_at}; until then: hiring workspaces restore ${id}`
        return { json: deletion, text }
      }),
  },
  {
    name: 'workspaces restore',
    description: 'Opens a workspace again whose deletion is scheduled and has not begun.',
    args: ['ID'],
    run: input =>
      withStore(input, async ({ db }) => {
        const id = argumentAt(input, 0)
        await restoreWorkspace(db, id)
        return { json: { workspace_id: id, restored: true }, text: `${id} is open again` }
      }),
  },
  {
    name: 'workspaces deleted',
    description: 'Lists workspaces that were or will be deleted, with the progress.',
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listDeletions(db)
        const cells = rows.map(row => [
          row.workspace_id,
          row.completed_at ? 'deleted' : row.emptied_at ? 'emptied' : row.started_at ? 'in progress' : 'scheduled',
          row.requested_at,
          row.requested_by ?? 'operator',
          row.completed_at ?? row.emptied_at ?? row.delete_at,
          String(Object.values(row.counts).reduce((sum, n) => sum + n, 0)),
        ])
        const head = ['ID', 'STATE', 'REQUESTED', 'BY', 'AT', 'DELETED ROWS AND FILES']
        return { json: rows, text: table([head, ...cells]) }
      }),
  },
]

/** Someone at a terminal types the name of the workspace; a script gives its id twice. */
async function confirm(input: VerbInput, id: string, name: string): Promise<void> {
  const yes = input.option('yes')
  if (yes !== undefined) {
    if (yes !== id) throw new UserError('--yes must be the id of the workspace')
    return
  }
  if (!process.stdin.isTTY) throw new UserError(`give --yes ${id} to confirm the deletion`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await lines.question(`Type the name of the workspace (${name}) to delete it: `)
    if (typed.trim() !== name) throw new UserError('that is not its name: nothing was changed')
  } finally {
    lines.close()
  }
}
