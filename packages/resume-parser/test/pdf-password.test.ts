import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLockedPdf } from '../src/index.ts'
import { lockedPdf, protectedPdf } from './locked-files.ts'

/** Made by qpdf, with an owner's password, and a user's where the name says locked. */
const FOLDER = join(import.meta.dirname, 'encrypted-pdfs')

for (const name of readdirSync(FOLDER)) {
  test(`password of a PDF: ${name}`, () => {
    assert.equal(isLockedPdf(readFileSync(join(FOLDER, name))), name.endsWith('-locked.pdf'))
  })
}

test('password of a PDF: with the dictionary in the trailer, with none, and in other files', () => {
  assert.equal(isLockedPdf(lockedPdf()), true)
  assert.equal(isLockedPdf(protectedPdf()), false)
  assert.equal(isLockedPdf(Buffer.from('%PDF-1.7\ntrailer << /Root 1 0 R >>')), false)
  assert.equal(isLockedPdf(Buffer.from('/Encrypt << /Filter /Standard >>')), false)
})

test('password of a PDF: what is cut, damaged or unknown is not locked, and nothing throws', () => {
  const files = readdirSync(FOLDER).map(name => readFileSync(join(FOLDER, name)))
  const known = Buffer.from('%PDF-1.7 /Encrypt << /Filter /Adobe.PubSec /R 3 /O <00> /U <00> >>')
  assert.equal(isLockedPdf(known), false)
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat(255))),
      (file, end, changes) => {
        const damaged = Buffer.from(file.subarray(0, end % file.length))
        for (const [at, byte] of changes) if (damaged.length > 0) damaged[at % damaged.length] = byte
        assert.equal(typeof isLockedPdf(damaged), 'boolean')
      },
    ),
    { numRuns: 300 },
  )
})
