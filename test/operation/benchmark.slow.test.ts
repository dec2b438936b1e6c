import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgram } from '../harness/process.ts'

test('benchmark: for every row the baselines return what the service returns', async () => {
  const { code, stdout, stderr } = await runProgram('bench/run.ts', ['--check'])
  assert.equal(code, 0, stderr)
  const compared = stdout.split('\n').filter(line => line.startsWith('same responses: '))
  for (const part of [
    'applications list',
    'careers job page',
    'feed',
    'jobs full-text search',
    'pool list',
    'member batch',
    'workspaces list',
  ])
    assert.ok(
      compared.some(line => line.includes(part)),
      part,
    )
})
