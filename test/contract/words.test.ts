import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkedFiles, findUnusedWords, UNUSED_WORDS } from '../../tools/words.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const HEAD = '| Term | Meaning here | Never | Not in this meaning |'
const table = textOf('CONTRIBUTING.md').split(HEAD)[1]!.split('\n\n')[0]!.split('\n').slice(2)
const rows = table.map(row => {
  const [term, , never, guidance] = row
    .slice(1, -1)
    .split('|')
    .map(cell => cell.trim())
  const words = (cell: string) => cell.split(', ').flatMap(word => word.replace(/ \(.*\)$/, '') || [])
  return { term: term!, never: words(never!), guidance: words(guidance!) }
})
const findsIn = (text: string, path = 'src/any.ts') => findUnusedWords(path, text).map(find => find.word)

test('words: every row of the table in CONTRIBUTING names words that lint finds, or words for the reader', () => {
  assert.ok(rows.length > 20)
  for (const { term, never, guidance } of rows) {
    assert.ok(never.length + guidance.length > 0, `${term}: no word`)
    for (const word of never) assert.equal(findsIn(`a ${word} b`).length, 1, `${word} is not in tools/words.ts`)
    for (const word of guidance) assert.deepEqual(findsIn(`a ${word} b`), [], `${word} is checked: move it to "Never"`)
  }
})

test('words: every word that lint finds is in the table', () => {
  const never = rows.flatMap(row => row.never)
  for (const { word } of UNUSED_WORDS) {
    const whole = new RegExp(`^(?:${word.source})$`)
    assert.ok(
      never.some(one => whole.test(one.replace('-', ' '))),
      `${word} is in no row of CONTRIBUTING`,
    )
  }
})

test('words: identifiers are read as their words; a word inside another one is not found', () => {
  const [word] = rows.find(row => row.term === 'fix')!.never
  const capital = word![0]!.toUpperCase() + word!.slice(1)
  for (const name of [`#to${capital}It`, `TO_${word!.toUpperCase()}_IT`, `to-${word}-it`, capital])
    assert.deepEqual(findsIn(name), [word], name)
  for (const name of [`com${word}`, `${word}icant`, `a${word}ment`]) assert.deepEqual(findsIn(name), [], name)
})

test('words: an allowed name hides itself, not the rest of its line', () => {
  const word = rows.find(row => row.term.startsWith('response'))!.never[0]!
  assert.deepEqual(findsIn(`invalid_${word}_value`), [])
  assert.deepEqual(findsIn(`invalid_${word}_value is the ${word}`), [word])
  assert.deepEqual(findsIn(`const ${word}s = await Promise.all(calls)`), [`${word}s`])
})

test('words: a comment that begins with "Of" is a fragment; text and code that do are not looked at', () => {
  const fragments = ['/** Of this. */', '  // Of this', ' * Of this', '-- Of this', '/** of this */', '  // of this']
  for (const text of [...fragments, '/** one */\n/** of this */', 'code()\n-- of this'])
    assert.deepEqual(findsIn(text), ['Of'], text)
  const sentences = ['/** Office hours */', '// one Of', "'Of this'", '// one\n// of these', '/**\n * one\n * of these']
  for (const text of [...sentences, '-- one\n  -- of these']) assert.deepEqual(findsIn(text), [], text)
  assert.deepEqual(findsIn('* Of this', 'docs/any.md'), [])
})

test('words: every exception is needed: a file that it names has the word', () => {
  const texts = new Map(checkedFiles().map(path => [path, textOf(path)]))
  for (const { word, except } of UNUSED_WORDS) {
    if (!except) continue
    const pattern = new RegExp(`\\b(${word.source.replaceAll(' ', '[^a-z]?')})`, 'i')
    const named = [...texts].filter(([path]) => except.test(path))
    assert.ok(
      named.some(([, text]) => pattern.test(text)),
      `${word}: no file needs the exception`,
    )
  }
})
