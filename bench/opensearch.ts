import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { importVerbs } from '../src/cli/import.ts'
import { readConfig } from '../src/kernel/config/config.ts'
import { sql } from '../src/kernel/db/sql.ts'
import { openReadyStore } from '../src/kernel/services/open-store.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { searchPool } from '../src/resources/pool/actions.ts'
import { poolWriter } from '../src/resources/pool/index.ts'
import { searches, writeProfiles } from './pool-data.ts'

/**
 * The pool in OpenSearch: the import into the database, the build of the index from it, its size, and searches with two
 * titles, three skills and a place, one after the other and eight at a time.
 *
 *   SEARCH_URL=http://127.0.0.1:9200 node bench/opensearch.ts [PROFILES] [SEARCHES] [COPIES]
 *
 * With COPIES every imported profile is in the pool so many times, with handles of their own: words are as frequent as in a
 * pool of that size, and the database is filled in minutes.
 *
 * `BENCH_DIR` keeps the database: a second run with it neither imports nor builds again.
 */
const count = Number(process.argv[2] ?? 200_000)
const rounds = Number(process.argv[3] ?? 1_000)
const copies = Number(process.argv[4] ?? 1)
const kept = process.env['BENCH_DIR']
const folder = kept ?? mkdtempSync(join(tmpdir(), 'hiring-bench-'))
const settings = {
  DATA_DIR: folder,
  LOG_LEVEL: 'error',
  // a busy machine must not end the measurement
  DATABASE_WAIT_SECONDS: '60',
  SEARCH_URL: process.env['SEARCH_URL'],
  SEARCH_SHARDS: process.env['SEARCH_SHARDS'],
  SEARCH_INDEX: `bench-${count * copies}`,
  SEARCH_TIMEOUT_MS: '30000',
}
const seconds = (from: number) => (performance.now() - from) / 1_000
const none = { titles: [], skills: [], companies: [], locations: [] }

/** Without the indexes that a search in the cluster does not use. */
async function copyProfiles(): Promise<void> {
  const session = await db.session({ timeouts: 'off' })
  const began = performance.now()
  try {
    const columns = await session.query(sql<{ name: string }>`
      select column_name::text as name from information_schema.columns where table_name = 'pool_profiles'
        and column_name not in ('id', 'linkedin_key', 'external_id')`)
    const names = columns.map(({ name }) => name).join(', ')
    await session.script(`
      set synchronous_commit = off;
      drop index pool_terms_search; drop index pool_profiles_parts; drop index pool_profiles_country;`)
    for (let copy = 1; copy < copies; copy++) {
      await session.script(`
        insert into pool_profiles (id, ${names})
          select id || 'c${copy}', ${names} from pool_profiles where linkedin_key is not null;
        insert into pool_terms (profile_id, title_words, terms)
          select t.profile_id || 'c${copy}', t.title_words, t.terms from pool_terms t
          join pool_profiles p on p.id = t.profile_id where p.linkedin_key is not null;`)
    }
    await session.script(
      `update pool_vocabulary set profiles = profiles * ${copies}; analyze pool_terms, pool_profiles`,
    )
  } finally {
    await session.close()
  }
  console.log(`copied ${copies - 1} times in ${seconds(began).toFixed(0)} s`)
}

/** Milliseconds of CPU that this process and all nodes of the cluster have used so far; those of PostgreSQL are not among them. */
async function cpu(): Promise<{ own: number; cluster: number }> {
  const { user, system } = process.cpuUsage()
  const url = `${settings.SEARCH_URL!.split(',')[0]}/_nodes/stats/process?filter_path=nodes.*.process.cpu.total_in_millis`
  const { nodes } = (await (await fetch(url)).json()) as {
    nodes: Record<string, { process: { cpu: { total_in_millis: number } } }>
  }
  const cluster = Object.values(nodes).reduce((sum, node) => sum + node.process.cpu.total_in_millis, 0)
  return { own: (user + system) / 1_000, cluster }
}

const used = (from: Awaited<ReturnType<typeof cpu>>, to: Awaited<ReturnType<typeof cpu>>, items: number) =>
  `CPU of this process ${((to.own - from.own) / items).toFixed(2)} ms and of OpenSearch ${((to.cluster - from.cluster) / items).toFixed(2)} ms each`

function print(name: string, times: number[], took: number, cost: string): void {
  times.sort((a, b) => a - b)
  const at = (part: number) => `${times[Math.min(times.length - 1, Math.floor(times.length * part))]!.toFixed(1)} ms`
  console.log(
    `${name}: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)}; ${(times.length / took).toFixed(0)} a second (${times.length} searches, load ${loadavg()[0]!.toFixed(1)}); ${cost}`,
  )
}

const store = await openReadyStore(readConfig(settings), createLog('error'))
const { db } = store
try {
  const [known] = await db.query(sql<{ n: number }>`select count(*)::integer as n from pool_terms`)
  if (known!.n < count) {
    const file = join(folder, 'pool.ndjson')
    await writeProfiles(count, file)
    const began = performance.now()
    await importVerbs
      .find(v => v.name === 'import pool')!
      .run({
        args: [file],
        option: () => undefined,
        options: () => [],
        flag: () => false,
        json: false,
        config: overrides => readConfig({ ...settings, ...overrides }),
      })
    const took = seconds(began)
    console.log(
      `import into PostgreSQL: ${count} profiles in ${took.toFixed(1)} s, ${Math.round(count / took)} a second (load ${loadavg()[0]!.toFixed(1)})`,
    )
    rmSync(file)
    if (copies > 1) await copyProfiles()
  }
  const writer = poolWriter(db)
  if (!writer) throw new Error('SEARCH_URL is not set')
  const before = await cpu()
  const building = performance.now()
  while (await writer.run());
  const took = seconds(building)
  const { indexes } = await writer.status()
  for (const { name, state, documents, bytes } of indexes) {
    console.log(
      `${name}: ${state}, ${documents} documents, ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / documents).toFixed(0)} bytes each`,
    )
  }
  console.log(
    `index: the last round took ${took.toFixed(1)} s, ${Math.round((count * copies) / took)} a second if it built all (load ${loadavg()[0]!.toFixed(1)}); ${used(before, await cpu(), count * copies)}`,
  )
  const time = async (name: string, callers: number) => {
    const times: number[] = []
    const asked = searches(rounds)
    const before = await cpu()
    const from = performance.now()
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (const { terms } of asked) {
          const began = performance.now()
          await searchPool(db, { ...none, ...terms }, 25)
          times.push(performance.now() - began)
        }
      }),
    )
    print(name, times, seconds(from), used(before, await cpu(), rounds))
  }
  for (const { terms } of searches(100, 7)) await searchPool(db, { ...none, ...terms }, 25)
  await time('search, one at a time', 1)
  await time('search, eight at a time', 8)
} finally {
  await store.close()
  if (!kept) rmSync(folder, { recursive: true, force: true })
}
