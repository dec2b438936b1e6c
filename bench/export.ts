import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { ALL_SCOPES } from '../src/contract/scopes.ts'
import { openFolderBlobs } from '../src/kernel/blobs/folder.ts'
import { Database } from '../src/kernel/db/database.ts'
import { sql } from '../src/kernel/db/sql.ts'
import { newHandle } from '../src/kernel/ids/handles.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { createExport } from '../src/resources/exports/actions.ts'
import { runNextExport } from '../src/resources/exports/index.ts'
import { histories } from './datasets/histories.ts'
import { Store } from './kit/store.ts'

/**
 * A full copy of applications, applicants and stage transitions, nearly four rows for each application: how long it
 * takes, and whether what it holds in memory stays the same from the first rows to the last. A named folder keeps the
 * data for the next run.
 *
 *   node --expose-gc bench/export.ts [ROWS] [FOLDER]
 */
const count = Math.ceil(Number(process.argv[2] ?? 1_000_000) / 3.9)
const EVERY_MS = 500
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

const store = await Store.open({ kept: process.argv[3] })
try {
  const dataset = histories(count)
  await store.dataset(dataset)
  const log = createLog('warn')
  const db = new Database(store.connection(dataset), { connections: 4, log })
  const blobs = await openFolderBlobs({
    folder: join(store.folder, 'files'),
    publicUrl: () => 'http://127.0.0.1',
    signingKeys: () => [Buffer.alloc(32)],
    now: () => db.now(),
  })
  await db.query(sql`delete from exports`)
  const caller = { keyId: newHandle('credential'), actingUserId: null, scopes: new Set(ALL_SCOPES) }
  const resources = ['applications', 'applicants', 'stage_transitions'] as const
  await db.transaction(tx => createExport(tx, store.workspace, caller, { resources, view: 'list' }))
  const from = performance.now()
  const held: number[] = []
  const resident: number[] = []
  const look = () => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    held.push(heapUsed + external)
    resident.push(rss)
  }
  look()
  const timer = setInterval(look, EVERY_MS)
  await runNextExport({ db, blobs, log, publicUrl: 'http://127.0.0.1' })
  clearInterval(timer)
  const row = await db.one(sql<{ status: string; files: { resource: string; rows: number; bytes: number }[] }>`
    select status, files from exports`)
  for (const file of row!.files) console.log(`${file.resource}: ${file.rows} rows, ${megabytes(file.bytes)}`)
  const rows = row!.files.reduce((sum, file) => sum + file.rows, 0)
  const seconds = (performance.now() - from) / 1000
  console.log(`${row!.status}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second`)
  // the first look is from before the export began
  const [before, ...during] = held
  console.log(`held before ${megabytes(before!)}`)
  for (const [i, name] of ['first', 'second', 'third', 'fourth', 'last'].entries()) {
    const part = <T>(all: readonly T[]) => all.slice((i * all.length) / 5, ((i + 1) * all.length) / 5)
    const most = (bytes: readonly number[]) => megabytes(Math.max(...part(bytes)))
    if (part(during).length > 0) console.log(`${name} fifth: held ${most(during)}, resident ${most(resident.slice(1))}`)
  }
  await db.close()
  await blobs.close()
} finally {
  await store.close()
}
