import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FORMATS, LAYOUTS, PEOPLE } from '../../packages/resume-parser/test/resume-files.ts'
import { documentType, textOfDocument } from '../../web/hiring/candidate/document-text.ts'
import { superlinearOn } from '../harness/regex-cost.ts'
import { parseSync } from '../harness/vite.ts'

const page = () => Object.values(LAYOUTS)[0]!(PEOPLE[0]!)
const bytesOf = (buffer: Buffer): ArrayBuffer => new Uint8Array(buffer).buffer as ArrayBuffer
const rtf = (text: string) => textOfDocument('rtf', bytesOf(Buffer.from(text, 'latin1')))

for (const format of ['docx', 'rtf'] as const) {
  test(`hiring pages: the text of a .${format} file is every line of it, without markup`, async () => {
    const { mime, render } = FORMATS[format]!
    assert.equal(documentType(mime), format)
    const text = (await textOfDocument(format, bytesOf(render(page()))))!
    const words = (all: string) => all.split(/\s+/).filter(Boolean)
    const wanted = words(FORMATS['txt']!.render(page()).toString())
    const found = new Set(words(text))
    assert.deepEqual(
      wanted.filter(word => !found.has(word)),
      [],
    )
    assert.doesNotMatch(text, /<w:|\\par|[{}]/)
    assert.ok(text.includes('\n'))
  })
}

test('hiring pages: characters of an RTF file in every notation; groups without text are left out', async () => {
  assert.equal(
    await rtf(
      "{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}Caf\\'e9 \\u8364? 5\\par {\\b bold}\\tab \\{x\\}\\par\\uc0\\u20013 end}",
    ),
    'Café € 5\nbold\t{x}\n中end',
  )
})

test('hiring pages: an RTF file with more than 1,000 groups within one another has no text', async () => {
  const nested = (depth: number) => rtf(`{\\rtf1 ${'{'.repeat(depth)}deep${'}'.repeat(depth)}}`)
  assert.equal(await nested(999), 'deep')
  assert.equal(await nested(1_000), undefined)
})

test('hiring pages: expressions that read files take linear time', () => {
  const code = readFileSync(join(import.meta.dirname, '../../web/hiring/candidate/document-text.ts'), 'utf8')
  const patterns: RegExp[] = []
  JSON.stringify(parseSync('document-text.ts', code).program, (_, node) => {
    if (node?.regex) patterns.push(new RegExp(node.regex.pattern, node.regex.flags))
    return node?.regex ? undefined : typeof node === 'bigint' ? undefined : node
  })
  assert.ok(patterns.length >= 5, `${patterns.length} were found`)
  for (const pattern of patterns) assert.equal(superlinearOn(pattern), undefined, String(pattern))
})

test('hiring pages: files that are not what they say, are cut off or unpack without end have no text', async () => {
  const docx = FORMATS['docx']!.render(page())
  const broken = [Buffer.alloc(0), Buffer.from('PK'), docx.subarray(0, docx.length / 2), Buffer.alloc(100_000, 'PK')]
  for (const file of broken) {
    assert.equal(await textOfDocument('docx', bytesOf(file)), undefined)
    assert.equal(await textOfDocument('rtf', bytesOf(file)), undefined)
  }
  assert.equal(documentType('application/msword'), undefined)
})
