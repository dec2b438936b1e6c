import { newHandle } from '../kernel/ids/handles.ts'
import { type ImportProgress, type ImportSource, runImport } from '../resources/imports/index.ts'
import {
  finishPoolImport,
  importPoolBatch,
  poolKeys,
  readPoolLine,
  type WordCounts,
  withPoolImport,
} from '../resources/pool/index.ts'
import { type ImportedProfiles, importProfiles, readProfile } from '../resources/sourced-profiles/index.ts'
import { requireOpen } from '../resources/workspaces/index.ts'
import { argumentAt, requiredOption } from './read-option.ts'
import type { Verb, VerbInput, VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

const SOURCED_BATCH = 500
const POOL_BATCH = 2_000
/** The store's work on a profile takes twice as long as ours; one more, as each waits for us now and then. */
const CONCURRENT_POOL_BATCHES = 3
/** Added profiles whose words are counted together: their words repeat, so that fewer, larger counts cost less. */
const WORDS_AFTER = 100_000

export const importVerbs: readonly Verb[] = [
  {
    name: 'import pool',
    description:
      'Imports profiles into the shared pool from a file with one JSON object per line. If interrupted, run it again to continue.',
    args: ['FILE'],
    run: input =>
      withStore(input, async ({ db }) => {
        const load = (shown: Shown, counts: WordCounts) =>
          runImport(db, {
            ...shown,
            kind: 'pool',
            target: '',
            file: argumentAt(input, 0),
            batchSize: POOL_BATCH,
            concurrency: { batches: CONCURRENT_POOL_BATCHES, keysOf: poolKeys },
            read: readPoolLine,
            store: async (tx, lines, inTurn) => {
              if (counts.lines >= WORDS_AFTER) await counts.store(db)
              await importPoolBatch(db, tx, lines, counts, inTurn)
            },
          })
        const done = await withProgress(input, shown => withPoolImport(db, counts => load(shown, counts)))
        await finishPoolImport(db)
        return report(done, {})
      }),
  },
  {
    name: 'import sourced-profiles',
    description:
      'Imports sourced profiles from a file with one JSON object per line. If interrupted, run it again to continue.',
    args: ['FILE'],
    options: {
      workspace: { value: 'H', description: 'workspace to import into', required: true },
      origin: { value: 'O', description: 'import (default), xray, github …' },
      provider: { value: 'P', description: 'where the profiles come from' },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = requiredOption(input, 'workspace')
        await requireOpen(db, workspace)
        const origin = input.option('origin') ?? 'import'
        const how = { origin, acquisition: ACQUISITIONS[origin] ?? origin, provider: input.option('provider') ?? null }
        const total: ImportedProfiles = { created: 0, updated: 0, unchanged: 0, suppressed: 0 }
        const done = await withProgress(input, shown =>
          runImport(db, {
            ...shown,
            kind: 'sourced-profiles',
            target: workspace,
            file: argumentAt(input, 0),
            batchSize: SOURCED_BATCH,
            read: line => readProfile(line, newHandle('sourced_profile')),
            store: async (tx, rows) => {
              const one = await importProfiles(tx, { workspace, originKeyId: null }, how, rows)
              tx.afterCommit(() => {
                for (const name of ['created', 'updated', 'unchanged', 'suppressed'] as const) total[name] += one[name]
              })
            },
          }),
        )
        return report(done, { ...total })
      }),
  },
]

const ACQUISITIONS: Readonly<Record<string, string>> = { import: 'file_import', xray: 'xray_search' }

type Shown = Pick<ImportSource<unknown>, 'onBadLine' | 'onProgress'>

/** Bad lines and, on a terminal, a progress bar, on standard error; the result goes to standard output. */
async function withProgress(
  input: VerbInput,
  run: (shown: Shown) => Promise<ImportProgress>,
): Promise<{ progress: ImportProgress; badLines: BadLineReport[] }> {
  const badLines: BadLineReport[] = []
  const bar = process.stderr.isTTY && !input.json
  const progress = await run({
    onBadLine: (line, reason) => {
      if (badLines.length < BAD_LINES_KEPT) badLines.push({ line, reason })
      process.stderr.write(`${bar ? '\r\x1b[K' : ''}line ${line} skipped: ${reason}\n`)
    },
    onProgress: p => {
      if (bar) process.stderr.write(`\r\x1b[K${drawBar(p)}`)
    },
  })
  if (bar) process.stderr.write('\n')
  return { progress, badLines }
}

interface BadLineReport {
  line: number
  reason: string
}

const BAD_LINES_KEPT = 1_000
const BAR_WIDTH = 30

export function drawBar({ bytes_done, bytes_total, rows_stored, bad_lines }: ImportProgress): string {
  const part = bytes_total === 0 ? 1 : bytes_done / bytes_total
  const filled = Math.round(part * BAR_WIDTH)
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled)
  return `[${bar}] ${Math.floor(part * 100)} %  ${rows_stored} stored, ${bad_lines} skipped`
}

function report(
  { progress, badLines }: { progress: ImportProgress; badLines: BadLineReport[] },
  counts: Record<string, number>,
): VerbOutput {
  const { rows_stored, bad_lines, lines_done, began_at_byte } = progress
  const details = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return {
    json: { rows: rows_stored, ...counts, lines: lines_done, bad_lines, bad: badLines, resumed: began_at_byte > 0 },
    text: [
      began_at_byte > 0 ? 'continued an import that was interrupted' : '',
      `imported ${rows_stored} profiles${details.length > 0 ? ` (${details.join(', ')})` : ''}, skipped ${bad_lines} lines`,
    ]
      .filter(Boolean)
      .join('\n'),
  }
}
