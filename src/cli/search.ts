import type { Database } from '../kernel/db/database.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { pause } from '../kernel/time/pause.ts'
import { poolWriter } from '../resources/pool/index.ts'
import { table, type Verb, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

const WATCH_MS = 1_000

/** The index of the pool in a search cluster. */
export const searchVerbs: readonly Verb[] = [
  {
    name: 'search status',
    description:
      'Shows the indexes of the pool in the search cluster: which is in use, and how far one that is being built is.',
    run: input => withStore(input, async ({ db }) => shown(await writerOf(db).status())),
  },
  {
    name: 'search rebuild',
    description:
      'Builds a new index of the pool in the search cluster, which replaces the one in use without an interruption. A process with the role worker does it; this command shows how far it is.',
    options: { 'no-wait': { description: 'return when the new index exists, before it is filled' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const writer = writerOf(db)
        const { name } = await writer.begin()
        for (;;) {
          const status = await writer.status()
          const index = status.indexes.find(one => one.name === name)
          if (!index) throw new UserError(`${name} no longer exists: another rebuild or its deletion was faster`)
          if (input.flag('no-wait') || index.state === 'in use') return shown(status)
          if (process.stderr.isTTY && !input.json)
            process.stderr.write(`\r\x1b[K${name}: ${index.copied} profiles copied`)
          await pause(WATCH_MS)
        }
      }),
  },
]

function writerOf(db: Database) {
  const writer = poolWriter(db)
  if (!writer) throw new UserError('SEARCH_URL is not set: every process has its own index, which needs no care')
  return writer
}

type Status = Awaited<ReturnType<NonNullable<ReturnType<typeof poolWriter>>['status']>>

function shown(status: Status): VerbOutput {
  const rows = status.indexes.map(({ name, state, copied, documents, bytes }) => [
    name,
    state,
    `${copied}`,
    `${documents}`,
    `${(bytes / 1e6).toFixed(1)} MB`,
  ])
  const head = ['INDEX', 'STATE', 'COPIED', 'DOCUMENTS', 'SIZE']
  return {
    json: status,
    text:
      rows.length === 0
        ? `${status.alias} has no index yet; a process with the role worker builds it`
        : table([head, ...rows]),
  }
}
