import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { searches } from '../../bench/pool-data.ts'
import { JUDGEMENTS } from '../../bench/pool-judgements.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { searchPool } from '../../src/resources/pool/actions.ts'
import { poolWriter } from '../../src/resources/pool/index.ts'
import { startOpenSearch } from '../harness/opensearch.ts'
import { startTestService } from '../harness/service.ts'
import { load, settle } from '../pool/fixture.ts'
import { SEARCHED_POOL, searchIn, testEngine } from '../search/conformance.ts'

const cluster = await startOpenSearch()
const alias = `test-${randomBytes(4).toString('hex')}`
const client = async (method: string, path: string) => {
  const response = await fetch(`${cluster.url}/${path}`, { method })
  return JSON.parse(await response.text())
}
const service = await startTestService({
  ROLES: 'api',
  SEARCH_URL: cluster.url,
  SEARCH_INDEX: alias,
  SEARCH_TIMEOUT_MS: '30000',
})
const { db } = service.services
const writer = poolWriter(db)!

/** What the worker does, and what a second of time does. */
async function caughtUp(): Promise<void> {
  await settle(db)
  while (await writer.run());
  await client('POST', `${alias}-*/_refresh`)
}

before(async () => {
  await load(service, SEARCHED_POOL)
  await caughtUp()
})
after(async () => {
  await client('DELETE', `${alias}-*`)
  await cluster.stop()
})

testEngine({
  name: 'search in OpenSearch',
  service,
  prepare: async () => {},
  caughtUp,
  words: { added: 'Farrier', erased: 'haruspex', changed: ['Ostler', 'Draper'], stopped: 'Cordwainer' },
})

test('search in OpenSearch: the same profiles with the same scores in the same order as ranked in the database', async () => {
  const none = { titles: [], skills: [], companies: [], locations: [] }
  const asked = [...JUDGEMENTS.map(j => j.search), ...[...searches(8)].map(s => s.terms)]
  for (const one of asked) {
    // connections that know no cluster and have no index yet
    const plain = new Database(service.database.connection, { connections: 4, log: createLog('silent') })
    try {
      const inDatabase = await searchPool(plain, { ...none, ...one }, 25)
      const found = await searchIn(service, one, 25)
      assert.deepEqual(
        found.map(p => [p.id, p.score]),
        inDatabase.map(p => [p.id, p.match_score]),
      )
    } finally {
      await plain.close()
    }
  }
})
