import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { SearchUnavailable } from '../../src/kernel/search-cluster/search-cluster.ts'
import { engineFor } from '../../src/search/engine.ts'
import { startTestService } from '../harness/service.ts'

/** Accepts requests and does not respond to them. */
const requests: string[] = []
const silent = createServer(({ url }) => requests.push(url!)).listen(0, '127.0.0.1')
await once(silent, 'listening')
after(() => {
  silent.close()
  silent.closeAllConnections()
})

test('erasure: of many that wait for a search cluster that hangs, one waits for its response, for the time of a search', async () => {
  const SEARCH_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const service = await startTestService({ ROLES: 'api', SEARCH_URL, SEARCH_TIMEOUT_MS: '200' })
  const { db } = service.services
  await db.query(sql`insert into pool_terms (profile_id, title_words, terms) values ('pool_erased', 0, '')`)
  for (let i = 0; i < 5; i++) {
    await assert.rejects(engineFor(db).confirmErased(['pool_erased']), error => {
      return error instanceof SearchUnavailable && error.message.endsWith('no response in time')
    })
  }
  // the deadline of background work is a minute, twice
  assert.equal(requests.length, 1)
})
