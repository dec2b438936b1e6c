import { UserError } from '../kernel/errors/user-error.ts'
import { isUuid } from '../kernel/http/params.ts'
import {
  allRequests,
  approveRequest,
  declineRequest,
  erasureRequestById,
  targetsOfRequest,
} from '../resources/erasures/index.ts'
import { YES } from './confirm.ts'
import { carryOut, confirm } from './erase.ts'
import { argumentAt } from './read-option.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

/** The operator decides for the shared pool, and may decide for any workspace. */
export const erasureVerbs: readonly Verb[] = [
  {
    name: 'erasures list',
    description: 'Lists erasure requests that other workspaces have to decide; by default only open ones.',
    options: { all: { description: 'include decided requests' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await db.query(allRequests(!input.flag('all')))
        const shown = await Promise.all(
          rows.map(async ({ identifiers, ...row }) => ({
            ...row,
            held: (await targetsOfRequest(db, { workspace_id: row.workspace_id, identifiers })).length,
          })),
        )
        const cells = shown.map(r => [
          r.id,
          r.workspace_id === null ? 'shared pool' : `${r.workspace_id} (${r.workspace_name})`,
          r.reason,
          r.state,
          r.requested_at,
          `${r.held}`,
        ])
        const head = ['ID', 'HOLDER', 'REASON', 'STATE', 'REQUESTED', 'RECORDS']
        return { json: shown, text: shown.length === 0 ? 'no requests' : table([head, ...cells]) }
      }),
  },
  {
    name: 'erasures approve',
    description:
      'Approves a request on behalf of its workspace and erases the records there. Requests for the shared pool can only be approved here.',
    args: ['ID'],
    options: { yes: YES },
    run: input =>
      withStore(input, async store => {
        const row = (await store.db.one(erasureRequestById(readId(argumentAt(input, 0))))) ?? missing()
        if (row.state === 'open') await confirm(input, await targetsOfRequest(store.db, row), row.reason)
        const begun = await approveRequest(store.db, { id: row.id, decidedBy: 'command_line' })
        return carryOut(input, store, begun ?? missing())
      }),
  },
  {
    name: 'erasures decline',
    description: 'Declines a request: the records stay. The workspace that asked is not notified.',
    args: ['ID'],
    options: { note: { value: 'N', description: 'reason, for the records of the workspace that was asked' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const id = readId(argumentAt(input, 0))
        const note = input.option('note') ?? null
        const row = (await declineRequest(db, { id, decidedBy: 'command_line', note })) ?? missing()
        return { json: { id: row.id, state: row.state, decided_at: row.decided_at }, text: `declined ${row.id}` }
      }),
  },
]

const missing = (): never => {
  throw new UserError('there is no such request; hiring erasures list shows all of them')
}

const readId = (text: string): string => (isUuid(text) ? text : missing())
