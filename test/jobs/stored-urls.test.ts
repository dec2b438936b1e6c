import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createJob } from '../../src/resources/jobs/actions.ts'
import { db, newWorkspace, service } from './setup.ts'

test('stored URLs that are none are removed by the migration, others escaped; GET /jobs matches its description', async () => {
  const { workspace, key } = await newWorkspace()
  const stored = {
    'https://[': null,
    'https://': null,
    'https:// x': null,
    'https://x\u0015y': null,
    'https://javascript:alert(1)@x': null,
    'https://x.example/a b': 'https://x.example/a%20b',
    'https://x.example/münchen?q=[1]|2#é': 'https://x.example/m%C3%BCnchen?q=%5B1%5D%7C2#%C3%A9',
    'https://x.example:8443/a?b=c&d=%20#e': 'https://x.example:8443/a?b=c&d=%20#e',
    'https://[2606:2800:21f::1]/x': 'https://[2606:2800:21f::1]/x',
  }
  const ids = new Map<string, string>()
  for (const url of Object.keys(stored)) {
    const id = await db.transaction(tx => createJob(tx, workspace, { title: 'Stored' }))
    await db.query(sql`
      update jobs set external_apply_url = ${url}, source_company_logo_url = ${url}, source_canonical_url = ${url}
      where workspace_id = ${workspace} and id = ${id}`)
    ids.set(url, id)
  }
  const migration = readMigrations().find(m => m.name === 'stored_urls')!
  const session = await db.session({ patient: true })
  await session.script(migration.text)
  await session.close()
  for (const [url, expected] of Object.entries(stored)) {
    const { body } = await service.get(`/jobs/${ids.get(url)}`, key)
    const { canonical_url, company_logo_url } = body.source
    const seen = [body.external_apply_url, company_logo_url, canonical_url]
    assert.deepEqual(seen, [expected, expected, expected], url)
  }
})
