import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { applyDiffs } from '../harness/apply-diff.ts'
import { serverConnection, stopOwnServer } from '../harness/postgres.ts'

/**
 * The recipes of CONTRIBUTING.md, followed to the letter: the diffs that a section shows are applied to a copy of the
 * repository, and its proof runs there. A recipe that lacks a step, or shows a line that has moved, fails here. All are
 * applied to the same copy, so they also get along with each other.
 */
const RECIPES: readonly { section: string; proofs: readonly string[] }[] = [
  {
    section: 'Add an endpoint',
    proofs: ['test/jobs/deadline.test.ts'],
  },
  {
    section: 'Add a field',
    proofs: ['test/jobs/recruiter-brief.test.ts', 'test/contract/recipes/field.proof.ts'],
  },
  {
    section: 'Add a setting',
    proofs: ['src/kernel/config/greeting.test.ts', 'test/contract/recipes/setting.proof.ts'],
  },
]

const ROOT = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'hiring-recipes-'))
after(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await stopOwnServer()
})

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

/** A command of the copy; what it prints where it fails. */
function run(args: readonly string[]): Promise<string | null> {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env // a child of its own, not a part of this run
  const env = { ...own, HIRING_TEST_POSTGRES: server }
  const child = spawn(process.execPath, [...args], { cwd: scratch, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  return new Promise(resolve => child.on('close', code => resolve(code === 0 ? null : output)))
}

/** The new files and what they use; the rest of the copy is checked where it comes from. */
const CHECKED = { extends: './tsconfig.json', include: ['src', ...RECIPES.flatMap(recipe => recipe.proofs)] }

const applied = new Map<string, string[]>()
let typeCheck: Promise<string | null>
let server: string

before(async () => {
  server = JSON.stringify(await serverConnection())
  for (const part of ['src', 'demo', 'migrations', 'test', 'web', 'docs', 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(scratch, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
  for (const { section } of RECIPES)
    applied.set(section, applyDiffs(sectionOf(section), scratch, { NNNNNN: nextMigration() }))
  writeFileSync(join(scratch, 'tsconfig.recipes.json'), JSON.stringify(CHECKED))
  typeCheck = run([join(scratch, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.recipes.json'])
})

for (const { section, proofs } of RECIPES) {
  test(`recipe "${section}": the diffs of CONTRIBUTING.md apply, and what they add works`, async () => {
    assert.ok(applied.get(section)!.length > 0, 'it shows a diff')
    assert.equal(await run(['--test', ...proofs.map(file => join(scratch, file))]), null)
  })
}

test('recipes: the copy with all of them passes the type check', async () => {
  assert.equal(await typeCheck, null)
})
