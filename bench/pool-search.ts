import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { importVerbs } from '../src/cli/import.ts'
import { readConfig } from '../src/kernel/config/config.ts'
import { sql } from '../src/kernel/db/sql.ts'
import { openReadyStore } from '../src/kernel/services/open-store.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { searchPool } from '../src/resources/pool/actions.ts'
import { finishPoolImport, importPoolBatch, readPoolLine, WordCounts } from '../src/resources/pool/index.ts'
import { indexFor } from '../src/search/index-cache.ts'
import { profiles, searches, writeProfiles } from './pool-data.ts'
import { elsewhere, JUDGED_PROFILES, JUDGEMENTS, ndcg } from './pool-judgements.ts'

/**
 * The pool: loading a file of profiles with the command's own import, searches with two titles, three skills and a
 * place, one after another, by several callers and while profiles are still being written, and how good the results of
 * judged searches are.
 *
 *   node bench/pool-search.ts [PROFILES] [SEARCHES]
 */
const count = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 1_000)
const CALLERS = 32
const folder = mkdtempSync(join(tmpdir(), 'hiring-bench-'))
const settings = { DATA_DIR: folder, LOG_LEVEL: 'error' }

const seconds = (from: number) => (performance.now() - from) / 1_000
const none = { titles: [], skills: [], companies: [], locations: [] }

/** Milliseconds of CPU that this process has used since; those of the database are not among them. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function print(name: string, times: number[], cpu: number): void {
  times.sort((a, b) => a - b)
  const at = (part: number) => `${times[Math.min(times.length - 1, Math.floor(times.length * part))]!.toFixed(1)} ms`
  console.log(
    `${name}: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)}, CPU of this process ${(cpu / times.length).toFixed(1)} ms each (${times.length} searches)`,
  )
}

const store = await openReadyStore(readConfig(settings), createLog('error'))
const { db } = store
try {
  const file = join(folder, 'pool.ndjson')
  await writeProfiles(count, file)
  const verb = importVerbs.find(v => v.name === 'import pool')!
  const before = process.cpuUsage()
  const began = performance.now()
  await verb.run({
    args: [file],
    option: () => undefined,
    options: () => [],
    flag: () => false,
    json: false,
    config: overrides => readConfig({ ...settings, ...overrides }),
  })
  const took = seconds(began)
  console.log(
    `import: ${count} profiles in ${took.toFixed(1)} s, ${Math.round(count / took)} a second, CPU of this process ${((cpuSince(before) * 1_000) / count).toFixed(0)} µs each`,
  )

  const loading = performance.now()
  await indexFor(db).load()
  console.log(`terms loaded into memory in ${seconds(loading).toFixed(1)} s`)

  const time = async (name: string) => {
    const times: number[] = []
    const before = process.cpuUsage()
    for (const { terms } of searches(rounds)) {
      const from = performance.now()
      await searchPool(db, { ...none, ...terms }, 25)
      times.push(performance.now() - from)
    }
    print(name, times, cpuSince(before))
  }
  for (const { terms } of searches(50, 7)) await searchPool(db, { ...none, ...terms }, 25)
  await time('search, nothing else going on')

  const waiting = searches(rounds * 4, 5)
  const times: number[] = []
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const [cpu, from32] = [process.cpuUsage(), performance.now()]
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const { terms } of waiting) {
        const from = performance.now()
        await searchPool(db, { ...none, ...terms }, 25)
        times.push(performance.now() - from)
      }
    }),
  )
  delays.disable()
  const rate = Math.round(times.length / seconds(from32))
  print(`search by ${CALLERS} callers, ${rate} a second`, times, cpuSince(cpu))
  const held = (nanoseconds: number) => (nanoseconds / 1_000_000 - 1).toFixed(1)
  console.log(`the event loop was late by ${held(delays.percentile(99))} ms in p99, ${held(delays.max)} ms at most`)

  let writing = true
  const writer = (async () => {
    const more = profiles(1_000_000, 2)
    const counts = new WordCounts()
    let written = 0
    while (writing) {
      const lines = Array.from({ length: 20 }, () => readPoolLine(JSON.stringify(more.next().value)))
      await db.transaction(tx => importPoolBatch(db, tx, lines, counts))
      written += lines.length
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return written
  })()
  const from = performance.now()
  await time('search, while profiles are written')
  writing = false
  console.log(`written during the searches: ${Math.round((await writer) / seconds(from))} profiles a second`)

  await db.query(sql`truncate pool_profiles, pool_terms, pool_vocabulary`)
  const counts = new WordCounts()
  const judged = [...JUDGED_PROFILES, ...[...profiles(20_000, 3)].filter(p => elsewhere(p['location_full']))]
  const lines = judged.map(p => readPoolLine(JSON.stringify(p)))
  for (let at = 0; at < lines.length; at += 2_000) {
    await db.transaction(tx => importPoolBatch(db, tx, lines.slice(at, at + 2_000), counts))
  }
  await counts.store(db)
  await finishPoolImport(db)
  await indexFor(db).load()
  let total = 0
  for (const { shows, search, grades } of JUDGEMENTS) {
    const found = await searchPool(db, { ...none, ...search }, 10)
    const quality = ndcg(
      found.map(p => p.full_name ?? ''),
      grades,
    )
    total += quality
    if (quality < 0.9) console.log(`  ${quality.toFixed(3)}  ${shows}`)
  }
  console.log(
    `nDCG@10 over ${JUDGEMENTS.length} judged searches among ${lines.length} profiles: ${(total / JUDGEMENTS.length).toFixed(3)}`,
  )
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
