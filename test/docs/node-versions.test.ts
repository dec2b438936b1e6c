import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/** The first Node that has `node:sqlite` without a flag. */
const SQLITE_NODE = '22.13'

const texts = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'packages/*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

test('docs: every text with a sample of node:sqlite says that it needs Node 22.13', () => {
  const withSample = texts.filter(({ text }) => /from 'node:sqlite'/.test(text))
  assert.ok(withSample.length >= 2)
  for (const { path, text } of withSample)
    assert.match(text, new RegExp(`\`node:sqlite\` needs? Node ${SQLITE_NODE.replace('.', '\\.')}\\b`), path)
})

test('docs: no text names another Node for node:sqlite', () => {
  for (const { path, text } of texts) {
    for (const [sentence, version] of text.matchAll(/`node:sqlite`[^.\n]*?\bneeds? Node (\d+(?:\.\d+)*)/g))
      assert.equal(version, SQLITE_NODE, `${path}: ${sentence}`)
  }
})
