import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { profiles } from '../../bench/pool-data.ts'
import { elsewhere, JUDGED_PROFILES, JUDGEMENTS, ndcg } from '../../bench/pool-judgements.ts'
import { stem } from '../../src/kernel/text/stemmer.ts'
import { foldCase, tokenize } from '../../src/kernel/text/tokenize.ts'
import { parseSearch } from '../../src/search/query-parser.ts'
import { buildRankingPlan } from '../../src/search/query-plan.ts'
import { toMatchTier } from '../../src/search/rank.ts'
import { misspellingCandidates } from '../../src/search/spelling.ts'
import { startTestService } from '../harness/service.ts'
import { load } from '../pool/fixture.ts'

const service = await startTestService()
const { id: workspace } = await service.workspace('enterprise')
const key = await service.key({ workspace })
await load(service, JUDGED_PROFILES)
await load(
  service,
  [...profiles(2_000)].filter(p => elsewhere(p['location_full'])),
)

interface Found {
  full_name: string
  match_score: number
  match_tier: string
}
const search = async ({ query, ...terms }: (typeof JUDGEMENTS)[number]['search'], limit = 10): Promise<Found[]> => {
  const response = await service.post('/pool/search', key, { ...(query ? { query } : {}), terms, limit })
  assert.equal(response.status, 200, response.text)
  return response.body.data
}

for (const { shows, search: asked, grades } of JUDGEMENTS) {
  test(`POST /pool/search: 200, good results for ${shows}`, async () => {
    const found = await search(asked)
    const names = found.map(p => p.full_name)
    const quality = ndcg(names, grades)
    assert.ok(
      quality >= 0.75,
      `nDCG@10 ${quality.toFixed(3)}: ${found.map(p => `${p.full_name} ${p.match_score}`).join(', ')}`,
    )
    const scores = found.map(p => p.match_score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    for (const { match_score, match_tier } of found) {
      assert.ok(Number.isInteger(match_score) && match_score >= 1 && match_score <= 100)
      assert.equal(match_tier, toMatchTier(match_score))
    }
  })
}

test('POST /pool/search: the mean quality of the judged searches is at least 0.93', async () => {
  let total = 0
  for (const { search: asked, grades } of JUDGEMENTS)
    total += ndcg(
      (await search(asked)).map(p => p.full_name),
      grades,
    )
  assert.ok(total / JUDGEMENTS.length >= 0.93, `nDCG@10 ${(total / JUDGEMENTS.length).toFixed(3)}`)
})

test('POST /pool/search: limit bounds the results, the best come first', async () => {
  const five = await search({ skills: ['Python'] }, 5)
  const fifty = await search({ skills: ['Python'] }, 50)
  assert.equal(five.length, 5)
  assert.equal(fifty.length, 50)
  assert.equal(five[0]!.match_score, fifty[0]!.match_score)
})

test('POST /pool/search: with a word that no profile has, profiles with the other words are found, not as strong matches', async () => {
  for (const asked of [(text: string) => ({ titles: [text] }), (text: string) => ({ query: text })]) {
    const [whole] = await search(asked('backend developer'))
    const part = await search(asked('zymurgical backend developer'))
    assert.equal(whole!.match_tier, 'strong')
    assert.ok(part.length > 0)
    assert.ok(part[0]!.match_score >= 50 && part[0]!.match_score < 80, `${part[0]!.match_score}`)
    assert.deepEqual(await search(asked('zymurgical thaumaturgist')), [])
  }
})

test('src/search/README.md: the results of its worked search are those of a run', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../src/search/README.md'), 'utf8')
  const { terms, limit } = JSON.parse(readme.match(/```json\n(.*?)\n```/s)![1]!)
  const rows = [...readme.matchAll(/^\| (\d+) \| (strong|good|fair|weak) \| ([^,]+),/gm)]
  assert.equal(rows.length, 4)
  assert.deepEqual(
    (await search(terms, limit)).slice(0, rows.length).map(p => p.match_score),
    rows.map(row => Number(row[1])),
  )
  // the order of equal scores depends on the ids of this run
  const all = new Map((await search(terms, 90)).map(p => [p.full_name, [String(p.match_score), p.match_tier]]))
  for (const [, score, tier, name] of rows) assert.deepEqual(all.get(name!), [score, tier], name)
})

test('match tiers: strong from 80, good from 60, fair from 40', () => {
  assert.deepEqual([100, 80, 79, 60, 59, 40, 39, 1].map(toMatchTier), [
    'strong',
    'strong',
    'good',
    'good',
    'fair',
    'fair',
    'weak',
    'weak',
  ])
})

test('stemmer: the forms of a word have one stem, different words have different ones', () => {
  for (const forms of [
    'developer developers developing development develop developed',
    'engineer engineers engineering',
    'manager managers management managing manage',
    'recruiter recruiting recruitment recruiters',
    'programmer programming programmers program',
    'accountant accounting accountants account',
    'architect architects architecture',
    'nurse nurses nursing',
    'administrator administration administrators',
    'analyst analysts',
  ])
    assert.equal(new Set(forms.split(' ').map(stem)).size, 1, forms)
  assert.equal(
    new Set('developer designer director driver dentist data nurse lawyer java javascript'.split(' ').map(stem)).size,
    10,
  )
})

test('stemmer: a stem is not empty and begins with the first two letters of its word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), word =>
      assert.ok(stem(word).length > 0 && word.startsWith(stem(word).slice(0, 2))),
    ),
  )
  assert.equal(stem('abies'), 'aby')
})

test('tokenizer: accents, case and signs are folded; c++, c#, node.js and .net are words', () => {
  assert.equal(foldCase('São PAULO Kraków Straße'), 'sao paulo krakow strasse')
  assert.deepEqual(tokenize('Node.js, C++/C# & ASP.NET; .NET front-end'), [
    'nodejs',
    'c++',
    'c#',
    'asp',
    'net',
    'dotnet',
    'front',
    'end',
  ])
})

test('spelling: of many unknown words only 32 are looked up', () => {
  const words = (n: number) =>
    Array.from({ length: n }, (_, i) => `unknown${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`)
  const search = { titles: [], skills: words(500), companies: [], locations: [] }
  assert.equal(misspellingCandidates(parseSearch({ ...search, skills: words(20) }), new Map(), 1_000).length, 20)
  assert.equal(misspellingCandidates(parseSearch(search), new Map(), 1_000).length, 32)
})

test('query plan: for any request all conditions are complete; a profile with every feature scores 1, with none 0', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), { maxLength: 4 })
  fc.assert(
    fc.property(
      texts,
      texts,
      texts,
      texts,
      fc.string({ maxLength: 40 }),
      (titles, skills, companies, locations, query) => {
        const read = parseSearch({ titles, skills, companies, locations, query })
        if (Object.values(read).every(part => part.length === 0)) return
        const plan = buildRankingPlan(read, new Map(), 1_000)
        assert.ok(plan.features.length > 0 && plan.levels.length > 0)
        assert.ok(plan.levels.every(level => level.text !== '' && !level.text.includes('undefined')))
        assert.ok(Math.abs(plan.score(plan.features.map(() => true)) - 1) < 1e-9)
        assert.equal(plan.score(plan.features.map(() => false)), 0)
      },
    ),
  )
})
