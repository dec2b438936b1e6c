import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig } from '../../src/kernel/config/config.ts'
import { openReadyStore } from '../../src/kernel/services/open-store.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'

test('start refused: a node without the secret key of the store: no key is generated in its DATA_DIR', async () => {
  const service = await startTestService({ ROLES: 'api' })
  const DATA_DIR = temporaryFolder()
  const config = readConfig({ DATABASE_URL: service.database.url, DATA_DIR })
  for (let i = 0; i < 2; i++) {
    await assert.rejects(openReadyStore(config, createLog('silent')), /^Error: the secret key is not the one/)
    assert.deepEqual(readdirSync(DATA_DIR), [])
  }
})
