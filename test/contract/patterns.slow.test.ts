import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { CONTACT_PATTERNS } from '../../packages/resume-parser/src/contacts.ts'
import { BREAK_PATTERNS } from '../../packages/resume-parser/src/cut-contacts.ts'
import { DATE_PATTERNS } from '../../packages/resume-parser/src/dates.ts'
import { HANDLE_PATTERNS } from '../../packages/resume-parser/src/handles.ts'
import { PLAIN_TEXT_PATTERNS } from '../../packages/resume-parser/src/plain-text.ts'
import { URI } from '../../src/kernel/http/uri.ts'
import { superlinearOn } from '../harness/regex-cost.ts'
import { parseSync } from '../harness/vite.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The code that reads what strangers send. */
const FOLDERS = ['src', 'packages/resume-parser/src']

interface AstNode {
  type: string
  start: number
  regex?: { pattern: string; flags: string }
  value?: unknown
  key?: AstNode & { name?: string }
  callee?: { name?: string }
  arguments?: AstNode[]
}

interface Found {
  where: string
  /** undefined: made at run time */
  pattern?: RegExp
}

/** Every regular expression in a file: literals, `pattern` of a schema, and those made of a text. */
function patternsIn(file: string): Found[] {
  const code = readFileSync(join(ROOT, file), 'utf8')
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return
    const { type, start, regex, key, value, callee, arguments: args } = node as AstNode
    const add = (pattern?: RegExp) =>
      found.push({ where: `${file}:${code.slice(0, start).split('\n').length}`, ...(pattern ? { pattern } : {}) })
    if (type === 'Literal' && regex) add(new RegExp(regex.pattern, regex.flags))
    const text = (value as AstNode | undefined)?.value
    if (type === 'Property' && key?.name === 'pattern' && typeof text === 'string') {
      add(new RegExp(text, 'u'))
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      const source = args?.[0]?.value
      const flags = args?.[1]?.value
      add(typeof source === 'string' ? new RegExp(source, typeof flags === 'string' ? flags : '') : undefined)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, code).program)
  return found
}

const files = FOLDERS.flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
).filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
const all = files.flatMap(patternsIn)

test('regular expressions of the service: none takes more than linear time on any input', () => {
  assert.ok(all.length > 150, `${all.length} were found`)
  const slow = all.flatMap(({ where, pattern }) => {
    const input = pattern && superlinearOn(pattern)
    return input ? [`${where} ${pattern} on ${input}`] : []
  })
  assert.deepEqual(slow, [])
})

/** What the files that make expressions at run time make; a new file must be added here with what it makes. */
const MADE: Record<string, readonly RegExp[]> = {
  'src/kernel/http/route-table.ts': [/^\/api\/x\/[^/]+\/y\/[^/]+$/, /^\/storage\/.*$/],
  'src/kernel/http/uri.ts': [URI],
  // each is a `pattern` of a schema, found where it is declared
  'src/kernel/schema/validator.ts': [],
  // the examples of our own documentation, highlighted at start
  'src/docs/highlight.ts': [],
  'packages/resume-parser/src/contacts.ts': CONTACT_PATTERNS,
  'packages/resume-parser/src/cut-contacts.ts': BREAK_PATTERNS,
  'packages/resume-parser/src/dates.ts': DATE_PATTERNS,
  'packages/resume-parser/src/handles.ts': HANDLE_PATTERNS,
  'packages/resume-parser/src/plain-text.ts': PLAIN_TEXT_PATTERNS,
  // our own pyproject.toml
  'src/downloads/python-package.ts': [/^name = "(.*)"$/m, /^name = \[([^\]]*)\]$/m],
  // paths of our own samples
  'src/docs/samples.ts': [/^\/x\/(?<id>[^/?]+)\/y\/(?<other>[^/?]+)(?:\?|$)/],
}

test('regular expressions made at run time: these files, and none takes more than linear time', () => {
  const made = all.filter(({ pattern }) => !pattern).map(({ where }) => where.split(':')[0]!)
  assert.deepEqual([...new Set(made)].toSorted(), Object.keys(MADE).toSorted())
  for (const pattern of Object.values(MADE).flat()) assert.equal(superlinearOn(pattern), undefined, String(pattern))
})

describe('the counting of steps', () => {
  const QUADRATIC = [
    /\s*,\s*/,
    /\s+$/,
    /\/+$/,
    /^\s+|\s+$/g,
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
    /foo.*bar/,
    /<[^>]*>/g,
    /^a*a*b/,
    /^(?:a+b?)+c/,
    /(?=.*x)y/,
    /^[\w.]+[\w-]*=/,
    /(\w+)-\1!/,
    /x{0,5000}y/,
  ]
  const EXPONENTIAL = [/^(a+)+$/, /^(a|a)*$/, /^(?:\w|\d)+$/, /^(?:[^,]+,?)*;/]
  const LINEAR = [
    /^\s*x/,
    /^Bearer +([^ ]+) *$/i,
    /[^,]+/g,
    /^[a-z0-9]{1,200}$/,
    /(?<=.)\/$/,
    /^application\/json\s*(;|$)/i,
    /^(?:[a-z]+\.)*[a-z]+$/,
    /\{(\w+)\}/g,
    /x{0,50}y/,
    /\p{L}+/gu,
    /"(?:[^"\\]|\\.)"/,
  ]
  for (const pattern of [...QUADRATIC, ...EXPONENTIAL]) {
    test(`regex cost: finds an input for ${pattern}`, () => assert.notEqual(superlinearOn(pattern), undefined))
  }
  for (const pattern of LINEAR) {
    test(`regex cost: finds none for ${pattern}`, () => assert.equal(superlinearOn(pattern), undefined))
  }
})
