import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isInRange, warnedAbout } from '../../tools/lock-engines.ts'

const ROOT = join(import.meta.dirname, '../..')
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const { engines, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

test('npm ci: warns about no package on Node 20, 22 and 24', () => {
  assert.deepEqual(warnedAbout(lock), [], 'run node tools/lock-engines.ts')
  const deprecated = Object.keys(lock.packages).filter(name => 'deprecated' in lock.packages[name])
  assert.deepEqual(deprecated, [])
  assert.equal(engines.node, '>=20')
})

test('npm ci: every package that is installed runs on the Node that the package node brings', () => {
  const wrong = Object.keys(lock.packages).filter(name => {
    const file = join(ROOT, name, 'package.json')
    if (name === '' || !existsSync(file)) return false
    const range = JSON.parse(readFileSync(file, 'utf8')).engines?.node
    return range !== undefined && !isInRange(dependencies.node, range)
  })
  assert.deepEqual(wrong, [])
})

test('npm install of the package: docs/operating.md names the oldest Node on which npm warns about no dependency', () => {
  const [, named] = /below (\d+\.\d+) it then warns \(`EBADENGINE`\)/.exec(
    readFileSync(join(ROOT, 'docs/operating.md'), 'utf8'),
  )!
  const [major, minor] = named!.split('.').map(Number) as [number, number]
  const warned = (version: string) =>
    Object.keys(lock.packages).filter(name => {
      const file = join(ROOT, name, 'package.json')
      if (name === '' || lock.packages[name].dev || !existsSync(file)) return false
      const range = JSON.parse(readFileSync(file, 'utf8')).engines?.node
      return range !== undefined && !isInRange(version, range)
    })
  assert.deepEqual(warned(`${major}.${minor}.0`), [])
  assert.notDeepEqual(warned(`${major}.${minor - 1}.0`), [])
})

for (const [range, inside, outside] of [
  ['>=22', '22.13.0', '20.19.0'],
  ['>=22.13.0 || >=24', '22.13.0', '22.12.9'],
  ['^20.19.0 || >=22.12.0', '20.19.1', '21.0.0'],
  ['>= 0.8.0 <21', '20.1.0', '21.0.0'],
  ['~20.1.0', '20.1.9', '20.2.0'],
  ['18.x || 20', '20.19.0', '22.0.0'],
] as const) {
  test(`npm ranges: ${range} has ${inside} and not ${outside}`, () => {
    assert.ok(isInRange(inside, range))
    assert.ok(!isInRange(outside, range))
  })
}
