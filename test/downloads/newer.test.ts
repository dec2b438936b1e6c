import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewer } from '../../src/downloads/newer.ts'

test('version of an SDK: a release is newer than the builds before it, and those are ordered by their commits', () => {
  const ordered = ['0.9.9', '1.2.0-dev.7+0a1b2c3d', '1.2.0-dev.12+00000000', '1.2.0', '1.2.10', '1.10.0', '2.0.0']
  for (const [i, version] of ordered.entries()) {
    for (const [k, other] of ordered.entries()) assert.equal(isNewer(version, other), i > k, `${version} than ${other}`)
  }
  assert.ok(isNewer('1.2.0.dev12+g0a1b2c3d.s0a1b2c3d', '1.2.0.dev7+gffffffff'))
  assert.ok(isNewer('1.2.0', '1.2.0.dev12+g0a1b2c3d'))
})

test('version of an SDK: other commits with the same count, and what is no version, are not newer', () => {
  assert.ok(!isNewer('1.2.0-dev.7+0a1b2c3d', '1.2.0-dev.7+ffffffff'))
  for (const version of ['', '1.2', 'next', '1.2.0-beta', '9'.repeat(100)]) {
    assert.ok(!isNewer('9.0.0', version) && !isNewer(version, '0.0.1'), version)
  }
})
