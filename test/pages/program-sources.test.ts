import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { getOrCreate } from '../../src/kernel/async/get-or-create.ts'
import { PROGRAM_SOURCES } from '../../src/pages/build-programs.ts'
import { checkSources, collectSources, hashOfSources } from '../../src/pages/program-sources.ts'
import { build } from '../harness/vite.ts'

const ROOT = join(import.meta.dirname, '../..')

const texts = new Map<string, string>()
const stored = (file: string) => getOrCreate(texts, file, () => readFileSync(file, 'utf8'))
/** The name of the build if `file` had one more line. */
const nameWith = (file?: string) =>
  hashOfSources(ROOT, PROGRAM_SOURCES, one => (one === file ? `${stored(one)}\n//` : stored(one)))

test('build of the pages: a change of any file that they import, of a package or of the build itself gives its folder another name', () => {
  const name = nameWith()
  assert.equal(nameWith(), name)
  const files = [...collectSources(PROGRAM_SOURCES.entries).keys(), ...PROGRAM_SOURCES.settings]
  for (const file of files) assert.notEqual(nameWith(file), name, file)

  const named = files.map(file => relative(ROOT, file))
  for (const file of [
    'web/ui/api.ts',
    'web/ui/css/base.css',
    'web/hiring/pages/import.tsx',
    'web/hiring/resume-viewer/main.ts',
    'src/contract/limits.ts',
    'src/contract/application-status.ts',
    'src/pages/assets/check-signature.js',
    'package-lock.json',
    'src/pages/build-programs.ts',
  ])
    assert.ok(named.includes(file), file)
})

test('build of the pages: a file of which only types are imported does not change its name', () => {
  const types = join(ROOT, 'packages/sdk/src/generated.ts')
  assert.ok(!collectSources(PROGRAM_SOURCES.entries).has(types))
  assert.equal(nameWith(types), nameWith())
})

test('build of the pages: fails with the name of a file that it reads and that the name of its folder leaves out', async t => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hiring-sources-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [main, inlined, bundled] = ['main.ts', 'inlined.ts', 'bundled.ts'].map(name => join(root, name))
  writeFileSync(inlined!, 'export const LIMIT = 1\n')
  writeFileSync(bundled!, 'export const lines = new Map()\n')
  const buildFrom = (text: string) => {
    writeFileSync(main!, text)
    const plugins = [checkSources(root, [main!])]
    const output = { write: false, rolldownOptions: { input: [main!] } }
    return build({ root, configFile: false, logLevel: 'silent', plugins, build: output })
  }
  await buildFrom(`import { LIMIT } from './inlined.ts'\nimport('./bundled.ts').then(b => console.log(LIMIT, b.lines))`)
  // sources are found by their quotes, and these are others
  for (const [name, file] of [
    ['LIMIT', inlined!],
    ['lines', bundled!],
  ] as const)
    await assert.rejects(buildFrom(`import { ${name} } from "${file}"\nconsole.log(${name})`), (error: Error) =>
      error.message.includes(`the sources of the pages lack ${file}`),
    )
})
