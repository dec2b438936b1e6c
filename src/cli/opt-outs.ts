import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Database } from '../kernel/db/database.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { cutPage, makePage } from '../kernel/http/list.ts'
import {
  addOptOuts,
  MAX_OPT_OUT_LINES,
  NEWEST_FIRST,
  type OptOut,
  readAddresses,
  readOptOuts,
  removeOptOut,
} from '../resources/opt-outs/index.ts'
import { requireOpen } from '../resources/workspaces/index.ts'
import { argumentAt } from './read-option.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

const SOURCES = { opt_out: 'workspace', link: 'person', one_click: 'person', product: 'person' } as const
const PAGE = 1_000

interface Added {
  added: number
  already_listed: number
  invalid_lines: number[]
}

export const optOutVerbs: readonly Verb[] = [
  {
    name: 'opt-outs list',
    description: 'Lists the email addresses that a workspace does not send messages to.',
    args: ['WORKSPACE'],
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = argumentAt(input, 0)
        await requireOpen(db, workspace)
        const rows = await allOptOuts(db, workspace)
        const cells = rows.map(row => [row.email ?? '(not shown: processing stopped)', SOURCES[row.source], row.at])
        const json = rows.map(({ email, source, at }) => ({ email, source, at }))
        return {
          json: { workspace_id: workspace, opt_outs: json },
          text: table([['EMAIL', 'ADDED BY', 'AT'], ...cells]),
        }
      }),
  },
  {
    name: 'opt-outs add',
    description: 'Adds email addresses to the opt-out list of a workspace: no message is sent to them any more.',
    args: ['WORKSPACE', 'EMAIL'],
    repeatLast: true,
    run: input =>
      withStore(input, async ({ db }) => {
        const [workspace, emails] = [argumentAt(input, 0), input.args.slice(1)]
        await requireOpen(db, workspace)
        const { keys, invalid } = readAddresses(`\n${emails.join('\n')}`)
        const [line] = invalid
        if (line !== undefined) throw new UserError(`that is not an email address: ${emails[line - 2]}`)
        return report(workspace, {
          ...(await db.transaction(tx => addOptOuts(tx, workspace, keys))),
          invalid_lines: [],
        })
      }),
  },
  {
    name: 'opt-outs remove',
    description:
      'Removes an email address from the opt-out list of a workspace. People who unsubscribed themselves stay unsubscribed.',
    args: ['WORKSPACE', 'EMAIL'],
    run: input =>
      withStore(input, async ({ db }) => {
        const [workspace, email] = [argumentAt(input, 0), argumentAt(input, 1)]
        await requireOpen(db, workspace)
        const removed = await db.transaction(tx => removeOptOut(tx, workspace, email))
        if (!removed) throw new UserError('the workspace did not put this address on its opt-out list')
        return { json: { workspace_id: workspace, email, removed }, text: `removed ${email}` }
      }),
  },
  {
    name: 'opt-outs import',
    description:
      'Adds the email addresses of a file to the opt-out list of a workspace: one on each line, or a CSV file. Run it again if it was interrupted.',
    args: ['WORKSPACE', 'FILE'],
    run: input =>
      withStore(input, async ({ db }) => {
        const [workspace, file] = [argumentAt(input, 0), argumentAt(input, 1)]
        await requireOpen(db, workspace)
        return report(workspace, await importFile(db, workspace, file))
      }),
  },
]

async function allOptOuts(db: Database, workspace: string) {
  const all: OptOut[] = []
  const pepper = randomUUID()
  let position: Parameters<typeof makePage>[2]
  do {
    const page = makePage(NEWEST_FIRST, { limit: PAGE }, position)
    const { rows, next } = cutPage(NEWEST_FIRST, page, await readOptOuts(db, workspace, {}, page, pepper), undefined)
    all.push(...rows)
    // a list has no last page that a reader could not reach
    position = next && { ...next, rows: 0 }
  } while (position)
  return all
}

async function importFile(db: Database, workspace: string, file: string): Promise<Added> {
  const total: Added = { added: 0, already_listed: 0, invalid_lines: [] }
  let lines: string[] = []
  let before = 0
  const store = async () => {
    // a line in front, which is not the first one of the file, so that it is not taken for a header row
    const { keys, invalid } = readAddresses(before === 0 ? lines.join('\n') : `\n${lines.join('\n')}`)
    const done = await db.transaction(tx => addOptOuts(tx, workspace, keys))
    total.added += done.added
    total.already_listed += done.already_listed
    total.invalid_lines.push(...invalid.map(line => line + before - (before === 0 ? 0 : 1)))
    before += lines.length
    lines = []
  }
  const input = createReadStream(file, 'utf8')
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      lines.push(line)
      if (lines.length === MAX_OPT_OUT_LINES) await store()
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new UserError(`there is no file ${file}`) : error
  }
  if (lines.length > 0) await store()
  return total
}

const report = (workspace: string, { added, already_listed, invalid_lines }: Added) => ({
  json: { workspace_id: workspace, added, already_listed, invalid_lines },
  text: [
    `${added} added, ${already_listed} were on the list`,
    ...(invalid_lines.length === 0
      ? []
      : [`no email address on line ${invalid_lines.slice(0, 20).join(', ')}${invalid_lines.length > 20 ? ' …' : ''}`]),
  ].join('\n'),
  ...(invalid_lines.length > 0 ? { exitCode: 1 } : {}),
})
