import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findUnusedWords } from '../../tools/words.ts'
import { applyDiffs } from '../harness/apply-diff.ts'
import { EVIDENCE_FOLDER } from '../harness/evidence.ts'
import { serverConnection, stopOwnServer } from '../harness/postgres.ts'

/**
 * The recipes of CONTRIBUTING.md, followed to the letter: the diffs of all sections are applied to one copy of the
 * repository, which must pass the type check, lint, the tests that the diffs add, and the tests that pin what they
 * change. A recipe that lacks a step, or shows a line that has moved, fails here.
 */
interface Recipe {
  section: string
  /** what its test must provoke, as `npm test` counts it */
  provokes?: string
}

const RECIPES: readonly Recipe[] = [
  { section: 'Add an endpoint' },
  { section: 'Add a field' },
  { section: 'Add an error', provokes: 'error list_full' },
  { section: 'Add an event', provokes: 'event project.created' },
  { section: 'Add a page that the server renders' },
  { section: 'Add a call of a page' },
  { section: 'Add a mail' },
  { section: 'Add a background job' },
  { section: 'Add a setting' },
]

const ROOT = join(import.meta.dirname, '../..')

/** Tests of this repository that fail in the copy if a diff lacks a line. */
const PINS = [
  ...readdirSync(import.meta.dirname)
    .filter(file => /(?<!\.slow)\.test\.ts$/.test(file))
    .map(file => `test/contract/${file}`),
  'test/docs/pages.test.ts',
  'test/hiring/limited.test.ts',
  'test/mcp/tools.test.ts',
  'test/operation/migration-check.test.ts',
]

/** What else must be true of the copy. */
const PROOFS = ['test/contract/recipes/copy.proof.ts']

/** In one process: loading the service takes longer than most of these tests. */
const TESTS = ['--test', '--test-isolation=none']
/** Tests that the recipes add, or add a line to. */
const isOwnTest = (file: string) => file.endsWith('.test.ts') && !PINS.includes(file)

const NOT_COPIED = new Set(['node_modules', '.git'])
/** The tests wait for processes, which take as long as the machine needs. */
const NO_HURRY = { timeout: 3_600_000 }

const folder = mkdtempSync(join(tmpdir(), 'hiring-recipes-'))
const scratch = join(folder, 'copy')
const evidence = join(folder, 'evidence')

const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

/** The text of a section, up to the next one. */
function sectionOf(title: string): string {
  const text = contributing.split(/^## /m).find(section => section.startsWith(`${title}\n`))
  assert.ok(text, `CONTRIBUTING.md has no section "${title}"`)
  return text
}

const nextMigration = () => {
  const last = readdirSync(join(ROOT, 'migrations'))
    .filter(file => file.endsWith('.sql'))
    .sort()
    .at(-1)!
  return String(Number(last.slice(0, 6)) + 1).padStart(6, '0')
}

interface Finished {
  code: number | null
  output: string
}

/** Runs a program of `node_modules` or of Node in the copy. */
function run(args: readonly string[], more: Record<string, string> = {}): Promise<Finished> {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env // a run of its own, not a part of this one
  const child = spawn(process.execPath, [...args], {
    cwd: scratch,
    env: { ...own, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}

const assertPassed = ({ code, output }: Finished) => assert.equal(code, 0, output)

const changed = new Map<string, string[]>()
const changedFiles = () => [...changed.values()].flat()
let types: Promise<Finished>
let webTypes: Promise<Finished>
let ownTests: Promise<Finished>
let pins: Promise<Finished>

before(async () => {
  mkdirSync(evidence)
  for (const part of readdirSync(ROOT).filter(name => !NOT_COPIED.has(name)))
    cpSync(join(ROOT, part), join(scratch, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
  for (const { section } of RECIPES)
    changed.set(section, applyDiffs(sectionOf(section), scratch, { NNNNNN: nextMigration() }))
  // one checker: several of them check the shared types several times
  const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1']
  types = run(tsc)
  webTypes = types.then(() => run([...tsc, '-p', 'web']))
  const server = { HIRING_TEST_POSTGRES: JSON.stringify(await serverConnection()) }
  ownTests = run([...TESTS, ...changedFiles().filter(isOwnTest)], { ...server, [EVIDENCE_FOLDER]: evidence })
  // one after the other: where both compute, a statement that fills the demo nears its time limit
  pins = ownTests.then(() => run([...TESTS, ...PINS, ...PROOFS], server))
}, NO_HURRY)

after(async () => {
  await Promise.allSettled([types, webTypes, ownTests, pins])
  rmSync(folder, { recursive: true, force: true })
  await stopOwnServer()
}, NO_HURRY)

test('recipes: each shows its diff in CONTRIBUTING.md, with a test', () => {
  for (const { section } of RECIPES) assert.ok(changed.get(section)!.some(isOwnTest), section)
})

test('recipes: what they change passes lint', NO_HURRY, async () => {
  const files = [...new Set(changedFiles())]
  const sources = files.filter(file => /\.tsx?$/.test(file))
  assertPassed(await run(['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...sources]))
  const found = files.flatMap(file => findUnusedWords(file, readFileSync(join(scratch, file), 'utf8')))
  assert.deepEqual(found, [])
})

test('recipes: the tests that they add pass, and provoke the error and the event', NO_HURRY, async () => {
  assertPassed(await ownTests)
  const provoked = readdirSync(evidence).flatMap(
    file => JSON.parse(readFileSync(join(evidence, file), 'utf8')) as string[],
  )
  for (const { provokes } of RECIPES) if (provokes) assert.ok(provoked.includes(provokes), provokes)
})

test('recipes: the copy passes the pins and npm run generate', NO_HURRY, async () => {
  assertPassed(await pins)
})

test('recipes: the copy passes the type check', NO_HURRY, async () => {
  assertPassed(await types)
  assertPassed(await webTypes)
})
