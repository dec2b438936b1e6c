import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { KEYS } from '../../web/hiring/key-table.ts'

const ROOT = join(import.meta.dirname, '../../web/hiring')

test('keys of the hiring pages: no key has two meanings, and no page names one outside the table', () => {
  const keys = Object.values(KEYS)
  assert.deepEqual(keys, [...new Set(keys)])
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tsx'))
  const own = files.flatMap(name =>
    [...readFileSync(join(ROOT, name), 'utf8').matchAll(/\{ keys: '([^']+)'|title="Key: (.)"/g)].map(
      ([text]) => `${name}: ${text}`,
    ),
  )
  // the command bar is opened by a listener of its own, and its key is listed by hand
  assert.deepEqual(own, ["key-map.tsx: { keys: 'Ctrl K'"])
})
