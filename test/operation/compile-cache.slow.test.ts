import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { hiring, runProgram, temporaryFolder } from '../harness/process.ts'

test('npm ci: compiles the modules of the service, so that the first start of a clone compiles little', async () => {
  const NODE_COMPILE_CACHE = temporaryFolder()
  const compiled = () => readdirSync(NODE_COMPILE_CACHE, { recursive: true, encoding: 'utf8' }).sort()
  const prepared = await runProgram('tools/build-programs.ts', [], { NODE_COMPILE_CACHE })
  assert.equal(prepared.code, 0, prepared.stderr)
  const before = compiled()
  assert.ok(before.length > 500, `${before.length} modules`)
  // a start that has loaded everything when it finds no database
  const env = { NODE_COMPILE_CACHE, DATA_DIR: temporaryFolder(), DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  const { code, stderr } = await hiring(['start'], env)
  assert.equal(code, 1)
  assert.match(stderr, /database unavailable/)
  const added = compiled().filter(name => !before.includes(name))
  assert.ok(added.length <= MAX_ADDED, `${added.length} modules were compiled by the start`)
})

/** The command line itself. */
const MAX_ADDED = 40
