import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, mergeLists } from '../../web/hiring/setup/merge.ts'

interface Entry {
  key: string
  name: string
}
/** `a b:Bee` are two entries; without a name it is the key. */
const list = (text: string): Entry[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map(part => ({ key: part.split(':')[0]!, name: part.split(':')[1] ?? part }))
const words = (entries: readonly Entry[]) => entries.map(({ name }) => name).join(' ')
const merge = (base: string, mine: string, theirs: string) => mergeLists(list(base), list(mine), list(theirs))

for (const [what, base, mine, theirs, expected] of [
  ['nothing of mine: theirs', 'a b c', 'a b c', 'c b:Bee d', 'c Bee d'],
  ['nothing of theirs: mine', 'a b c', 'c b:Bee n', 'a b c', 'c Bee n'],
  ['my name and their order', 'a b c', 'a b:Bee c', 'c b a', 'c Bee a'],
  ['my order and their name', 'a b c', 'c b a', 'a b:Bee c', 'c Bee a'],
  ['both changed the same: mine', 'a b', 'a b:Mine', 'a b:Theirs', 'a Mine'],
  ['both added: theirs and mine, each after what it followed', 'a b', 'a n b', 'a b t', 'a n b t'],
  ['I removed what they left', 'a b c', 'a c', 'a b c t', 'a c t'],
  ['they removed what I left', 'a b c', 'a b c n', 'a c', 'a c n'],
  ['my order, and what they added', 'a b c', 'c a b', 'a t b c', 'c a t b'],
  ['mine is first', 'a', 'n a', 'a t', 'n a t'],
] as const)
  test(`mergeLists: ${what}`, () => {
    assert.equal(words(merge(base, mine, theirs)), expected)
  })

test('mergeLists: what I changed and they removed is added as a new entry', () => {
  const [first, second, ...rest] = merge('a b', 'a b:Bee', 'a')
  assert.deepEqual([first!.key, second!.name, rest], ['a', 'Bee', []])
  assert.match(second!.key, /^new-\d+$/)
})

test('differences: what someone else did, by name', () => {
  const changes = (base: string, theirs: string) => differences(list(base), list(theirs), ({ name }) => name)
  assert.deepEqual(changes('a b c', 'c b:Bee t'), [
    'added “t”',
    'removed “a”',
    'renamed “b” to “Bee”',
    'changed the order',
  ])
  assert.deepEqual(changes('a b', 'a b'), [])
})
