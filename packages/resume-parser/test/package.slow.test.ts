import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const PACKAGE = join(import.meta.dirname, '..')
const ROOT = join(PACKAGE, '../..')
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** A project that has the package and its dependency installed. */
const project = mkdtempSync(join(tmpdir(), 'resume-parser-'))
after(() => rmSync(project, { recursive: true, force: true }))
const installed = join(project, 'node_modules/hiring-resume-parser')
mkdirSync(installed, { recursive: true })
writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
copyFileSync(join(PACKAGE, 'package.json'), join(installed, 'package.json'))
symlinkSync(join(ROOT, 'node_modules/pdfjs-dist'), join(project, 'node_modules/pdfjs-dist'))
const build = ['-p', join(PACKAGE, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), build, { stdio: 'pipe' })

const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
const samples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```\n+```text\n([\s\S]*?)^```$/gm)]

for (const [i, [, code, printed]] of samples.entries()) {
  test(`hiring-resume-parser: sample ${i + 1} of the README prints what it says, with the built package`, () => {
    const file = join(project, `sample-${i}.ts`)
    writeFileSync(file, code!)
    assert.equal(execFileSync(process.execPath, ['--no-warnings', file], { cwd: project, encoding: 'utf8' }), printed)
  })
}

test('hiring-resume-parser: every sample of the README is run, and its PDF reader is that of the service', () => {
  assert.equal(samples.length, readme.split('```ts\n').length - 1)
  const { dependencies, version } = manifestOf(PACKAGE)
  const service = manifestOf(ROOT)
  assert.deepEqual(dependencies, { 'pdfjs-dist': service.dependencies['pdfjs-dist'] })
  assert.equal(version, service.version)
})
