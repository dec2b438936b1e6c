import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ALL_SCOPES } from '../src/contract/scopes.ts'
import { openFolderBlobs } from '../src/kernel/blobs/folder.ts'
import { Database } from '../src/kernel/db/database.ts'
import { sql } from '../src/kernel/db/sql.ts'
import { newHandle } from '../src/kernel/handles.ts'
import { createLog } from '../src/kernel/log.ts'
import { createExport } from '../src/resources/exports/actions.ts'
import { runNextExport } from '../src/workers/run-exports.ts'
import { applications } from './datasets/applications.ts'
import { Store } from './kit/store.ts'

/**
 * A full copy of applications, applicants and stage transitions: how long it takes, and what it holds in memory.
 *
 *   node --expose-gc bench/export.ts [APPLICATIONS]
 */
const count = Number(process.argv[2] ?? 1_000_000)
const EVERY_MS = 2_000
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

const store = await Store.open()
try {
  const dataset = applications(count)
  await store.dataset(dataset)
  const log = createLog('warn')
  const db = new Database(store.connection(dataset), { connections: 4, log })
  const blobs = await openFolderBlobs({
    folder: join(store.folder, 'files'),
    publicUrl: () => 'http://127.0.0.1',
    signingKey: Buffer.alloc(32),
    now: () => db.now(),
  })
  const caller = { keyId: newHandle('credential'), actingUserId: null, scopes: new Set(ALL_SCOPES) }
  await db.transaction(tx =>
    createExport(tx, store.workspace, caller, ['applications', 'applicants', 'stage_transitions']),
  )
  const from = performance.now()
  const held: number[] = []
  const report = async () => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    held.push(heapUsed + external)
    const row = await db.one(sql<{ rows_done: number }>`select rows_done from exports`)
    const seconds = ((performance.now() - from) / 1000).toFixed(0)
    console.log(
      `${seconds} s: ${row!.rows_done} rows, resident ${megabytes(rss)}, held ${megabytes(heapUsed + external)}`,
    )
  }
  const timer = setInterval(report, EVERY_MS)
  await runNextExport(db, blobs, log)
  clearInterval(timer)
  await report()
  const row = await db.one(sql<{ status: string; files: { resource: string; rows: number; bytes: number }[] }>`
    select status, files from exports`)
  for (const file of row!.files) console.log(`${file.resource}: ${file.rows} rows, ${megabytes(file.bytes)}`)
  const rows = row!.files.reduce((sum, file) => sum + file.rows, 0)
  const seconds = (performance.now() - from) / 1000
  console.log(`${row!.status}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second`)
  console.log(`held in memory at most ${megabytes(Math.max(...held))}`)
  await db.close()
  await blobs.close()
} finally {
  await store.close()
}
