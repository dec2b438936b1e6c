import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map(file => join(folder, file))
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** The code that a request, a page, a worker or a command can run, loading the demo included; an index only re-exports. */
const product = [...filesIn('src'), ...filesIn('demo')].filter(
  ({ path }) => !/^src\/resources\/[^/]+\/index\.ts$|^demo\/(build|activity)\//.test(path),
)
const operations = filesIn('demo/activity')

/** Exported functions of the slices that write: they take a transaction or the database. */
const actions = product
  .filter(({ path }) => /^src\/resources\/[^/]+\/[^/]+\.ts$/.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function|const) (\w+)(?: = (?:async )?)?\(\s*(?:tx|db): /gm)].map(
      ([, name]) => ({ path, name: name! }),
    ),
  )

const uses = (text: string, name: string): number => text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0

const unreached = actions.filter(
  ({ path, name }) => !product.some(file => uses(file.text, name) > (file.path === path ? 1 : 0)),
)

const section = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  .split(/^## /m)
  .find(text => text.startsWith('Actions without an endpoint'))!

const inTable = [...section.matchAll(/^\| `(\w+)` \([\w-]+\)/gm)].map(([, name]) => name!)
const [, sentence] = /call them: ([^.]+)\./.exec(section)!
const inSentence = [...sentence!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)

test('actions without an endpoint: the architecture lists exactly those that no code of the product calls', () => {
  const found = unreached.map(({ name }) => name)
  assert.deepEqual([...inTable, ...inSentence].toSorted(), found.toSorted())
})

test('actions without an endpoint: `hiring trigger` and `hiring simulate` call those that it says they call', () => {
  assert.deepEqual(
    inSentence.filter(name => !operations.some(({ text }) => uses(text, name) > 0)),
    [],
  )
})

test('actions without an endpoint: the application form of the careers site and the operations call `applyOnForm`', () => {
  assert.match(section, /The same operations call `applyOnForm`/)
  const users = [...product, ...operations]
    .filter(({ text }) => /\bapplyOnForm\(tx, /.test(text))
    .map(({ path }) => path)
  const places = users.map(path => path.split('/').slice(0, -1).join('/'))
  assert.deepEqual([...new Set(places)].toSorted(), ['demo/activity', 'src/careers/apply'])
})

test('actions without an endpoint: `importApplicant` alone writes what only an import from an ATS has; its origin is also that of people whom the team adds', () => {
  assert.ok(inTable.includes('importApplicant'))
  const writers = (value: string) => product.filter(({ text }) => text.includes(`: '${value}'`)).map(({ path }) => path)
  assert.deepEqual(writers('ats_sync'), ['src/resources/applicants/actions.ts'])
  assert.deepEqual(writers('ats_import'), [
    'src/resources/applicants/actions.ts',
    'src/resources/applications/adding-rules.ts',
  ])
})
