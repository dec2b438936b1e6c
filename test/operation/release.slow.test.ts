import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../harness/process.ts'

const SCRIPT = join(import.meta.dirname, '../../tools/release.ts')
const PASSES = 'node --eval ""'
const FAILS = 'node --eval "process.exit(1)"'

interface Repository {
  changelog?: string
  version?: string
  scripts?: Record<string, string>
  tags?: string[]
}

const PYTHON_VERSION = 'packages/sdk-python/src/hiring_partner/_version.py'
const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- A new field.\n\n## 0.2.0 - 2026-11-15\n\n- The first release.\n'

/** A scratch repository whose checks are commands that pass or fail. */
function repository({ changelog = CHANGELOG, version = '0.2.0', scripts = {}, tags = ['v0.2.0'] }: Repository = {}) {
  const folder = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const text = (file: string) => readFileSync(join(folder, file), 'utf8')
  const checks = { 'generate:check': PASSES, lint: PASSES, types: PASSES, test: PASSES, ...scripts }
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  writeFileSync(join(folder, 'package.json'), json({ name: 'scratch', version, scripts: checks }))
  const packages = { '': { name: 'scratch', version }, 'node_modules/x': { version: '0.2.0' } }
  writeFileSync(join(folder, 'package-lock.json'), json({ name: 'scratch', version, packages }))
  mkdirSync(join(folder, dirname(PYTHON_VERSION)), { recursive: true })
  writeFileSync(join(folder, PYTHON_VERSION), `VERSION = "${version}"\nAPI_VERSION = "2026-11-01"\n`)
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  mkdirSync(join(folder, 'packages/sdk/src'), { recursive: true })
  writeFileSync(join(folder, 'packages/sdk/package.json'), json({ name: 'scratch-sdk', version }))
  for (const name of ['cli', 'resume-parser']) {
    mkdirSync(join(folder, 'packages', name), { recursive: true })
    writeFileSync(join(folder, 'packages', name, 'package.json'), json({ name: `scratch-${name}`, version }))
  }
  writeFileSync(join(folder, 'packages/sdk/src/version.ts'), `export const VERSION = '${version}'\n`)
  git('init', '--quiet')
  git('config', 'user.name', 'Release test')
  git('config', 'user.email', 'release@example.org')
  git('config', 'commit.gpgsign', 'false')
  git('config', 'tag.gpgsign', 'false')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'start')
  for (const tag of tags) git('tag', tag)
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' })
  const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]
  return { folder, git, text, release, state }
}

test('release: writes version and changelog, commits and tags', () => {
  const { git, text, release } = repository()
  const { status, stderr, stdout } = release('0.3.0')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /released 0\.3\.0/)
  assert.equal(JSON.parse(text('package.json')).version, '0.3.0')
  const lock = JSON.parse(text('package-lock.json'))
  assert.deepEqual(
    [lock.version, lock.packages[''].version, lock.packages['node_modules/x'].version],
    ['0.3.0', '0.3.0', '0.2.0'],
  )
  for (const name of ['sdk', 'cli', 'resume-parser'])
    assert.equal(JSON.parse(text(`packages/${name}/package.json`)).version, '0.3.0')
  assert.equal(text('packages/sdk/src/version.ts'), "export const VERSION = '0.3.0'\n")
  assert.equal(text(PYTHON_VERSION), 'VERSION = "0.3.0"\nAPI_VERSION = "2026-11-01"\n')
  const today = new Date().toISOString().slice(0, 10)
  assert.equal(text('CHANGELOG.md'), CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## 0.3.0 - ${today}\n`))
  assert.deepEqual([git('log', '-1', '--format=%s'), git('describe', 'HEAD')], ['release: 0.3.0', 'v0.3.0'])
  assert.equal(git('status', '--porcelain'), '')
})

test('release: a version that is committed with its section is only tagged', () => {
  const changelog = CHANGELOG.replace('- A new field.\n\n', '')
  const { git, release } = repository({ changelog, tags: [] })
  const head = git('rev-parse', 'HEAD')
  assert.equal(release('0.2.0').status, 0)
  assert.deepEqual([git('rev-parse', 'HEAD'), git('rev-parse', 'v0.2.0^{commit}')], [head, head])
})

test('release --dry-run: prints the steps, runs no check and changes nothing', () => {
  const { release, state } = repository({ scripts: { lint: FAILS } })
  const before = state()
  const { status, stdout } = release('0.2.1', '--dry-run')
  assert.equal(status, 0)
  assert.match(
    stdout,
    /would run npm run generate:check.*\nwould write package\.json.*\nwould commit.*\nwould tag v0\.2\.1/,
  )
  assert.deepEqual(state(), before)
})

const empty = CHANGELOG.replace('- A new field.\n\n', '')
for (const [what, given, args, message] of [
  ['without a version', {}, [], /Usage/],
  ['with a version of another form', {}, ['v0.3.0'], /Usage/],
  [
    'a version that does not follow',
    {},
    ['0.4.0'],
    /0\.4\.0 does not follow 0\.2\.0: choose 0\.2\.1, 0\.3\.0 or 1\.0\.0/,
  ],
  ['a version that is older', {}, ['0.1.9'], /does not follow/],
  ['a version that has its tag', {}, ['0.2.0'], /v0\.2\.0 exists already/],
  ['after a version that was not released', { tags: [] }, ['0.3.0'], /0\.2\.0 is not released yet/],
  ['with an empty `Unreleased`', { changelog: empty }, ['0.3.0'], /`## Unreleased` of CHANGELOG\.md is empty/],
  ['without `Unreleased`', { changelog: '# Changelog\n' }, ['0.3.0'], /has no section `## Unreleased`/],
  ['a version without its section', { version: '0.3.0', tags: [] }, ['0.3.0'], /no section `## 0\.3\.0 - /],
  ['a tag with unreleased changes', { tags: [] }, ['0.2.0'], /unreleased changes/],
  ['with stale generated files', { scripts: { 'generate:check': FAILS } }, ['0.3.0'], /generate:check fails/],
  ['with failing lint', { scripts: { lint: FAILS } }, ['0.3.0'], /npm run lint fails/],
  ['with failing types', { scripts: { types: FAILS } }, ['0.3.0'], /npm run types fails/],
  ['with failing tests', { scripts: { test: FAILS } }, ['0.3.0'], /npm run test fails/],
] as const satisfies [string, Repository, string[], RegExp][]) {
  test(`release: refused ${what}, nothing is changed`, () => {
    const { release, state } = repository(given as Repository)
    const before = state()
    const { status, stderr } = release(...args)
    assert.equal(status, 1)
    assert.match(stderr, message)
    assert.deepEqual(state(), before)
  })
}

test('release: refused with changes in the working tree', () => {
  const { folder, release, state } = repository()
  writeFileSync(join(folder, 'new.txt'), 'x')
  const before = state()
  const { status, stderr } = release('0.3.0')
  assert.deepEqual([status, /the working tree has changes/.test(stderr)], [1, true])
  assert.deepEqual(state(), before)
})
