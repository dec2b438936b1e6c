import { readPoolLine } from '../src/resources/pool/index.ts'
import type { SearchRequest } from '../src/search/query-parser.ts'
import { ThreadedIndex } from '../src/search/threaded-index.ts'
import { profiles, searches } from './pool-data.ts'

/**
 * The index of the pool search alone, in its threads and without a database: memory, CPU of the threads and of the event
 * loop, 32 searches at a time.
 *
 *   node --expose-gc bench/pool-index.ts [PROFILES] [SEARCHES] [THREADS]
 */
const count = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 2_000)
const threads = process.argv[4] === undefined ? undefined : Number(process.argv[4])
const PAGE = 500
const CALLERS = 32

const megabytes = () => {
  const { rss } = process.memoryUsage()
  return Math.round(rss / 1_000_000)
}
const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000

const index = new ThreadedIndex(threads)
let rows = []
let longestSend = 0
let number = 0
for (const profile of profiles(count)) {
  const { title_words, terms } = readPoolLine(JSON.stringify(profile))
  const profile_id = `pool_${String(++number).padStart(20, '0')}`
  rows.push({ profile_id, title_words, terms: terms.join(' '), changed: number })
  if (rows.length < PAGE && number < count) continue
  const cpu = process.threadCpuUsage()
  const sent = index.put(rows)
  longestSend = Math.max(longestSend, milliseconds(process.threadCpuUsage(cpu)))
  await sent
  rows = []
}
console.log(
  `${index.size} profiles; a page of ${PAGE} rows holds the event loop for at most ${longestSend.toFixed(1)} ms of CPU`,
)

const none: SearchRequest = { titles: [], skills: [], companies: [], locations: [] }
const search = ({ terms }: { terms: Record<string, string[]> }) =>
  index.search({ request: { ...none, ...terms }, limit: 35, similar: [] })
for (const one of searches(200, 7)) await search(one)
for (let round = 1; round <= 3; round++) {
  const [all, loop] = [process.cpuUsage(), process.threadCpuUsage()]
  const waiting = searches(rounds)
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const one of waiting) await search(one)
    }),
  )
  const whole = milliseconds(process.cpuUsage(all)) / rounds
  const own = milliseconds(process.threadCpuUsage(loop)) / rounds
  console.log(
    `round ${round}: CPU of a search ${(whole - own).toFixed(2)} ms in ${index.threads} threads, ${own.toFixed(3)} ms of the event loop; ${rounds} searches, ${CALLERS} at a time`,
  )
}
globalThis.gc?.()
const withIndex = megabytes()
await index.close()
globalThis.gc?.()
console.log(`${withIndex - megabytes()} MB less resident without the index and its threads`)
