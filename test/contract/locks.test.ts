import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '../../src')

test('advisory locks: no two uses share a number', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  const uses = files.flatMap(file =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/= (4_817_\d{3})\b/g)].map(match => ({
      file,
      number: match[1]!,
    })),
  )
  assert.ok(uses.length >= 8, `${uses.length} were found`)
  const shared = [...Map.groupBy(uses, use => use.number)].flatMap(([number, same]) =>
    same.length > 1 ? [`${number}: ${same.map(use => use.file).join(', ')}`] : [],
  )
  assert.deepEqual(shared, [])
})
