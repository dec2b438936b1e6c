import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText, parseProfile } from '../src/index.ts'
import { computeScore, FIELDS, type LabelledResult, mean, measureAccuracy, measureSet } from './accuracy.ts'
import { FORMATS, LAYOUTS, PEOPLE, TODAY } from './resume-files.ts'

const { doc } = FORMATS as Record<string, (typeof FORMATS)[string]>
const classic = LAYOUTS['classic']!(PEOPLE[0]!)

test('résumé parser: every field is found in five formats and three layouts', async () => {
  const all = await measureAccuracy()
  assert.equal(all.length, PEOPLE.length * 15)
  for (const field of Object.keys(FIELDS)) {
    const right = mean(all.map(r => r.scores[field]!))
    assert.ok(right >= 0.95, `${field}: ${Math.round(right * 100)} %`)
  }
})

test('résumé profile: extraction_confidence is high where fields were found, low where they were not', async () => {
  const good = (await measureAccuracy()).map(r => r.profile.extraction_confidence)
  assert.ok(Math.min(...good) >= 0.8, `${Math.min(...good)}`)
  const low: readonly (readonly [string, string])[] = [
    [
      'no positions',
      'Ada Byron\nEngineer\n\nSkills\nGo, Rust, SQL\n\nEducation\nMSc Physics, Example University, 2014',
    ],
    ['no employer', 'Ada Byron\n\nExperience\nEngineer\n2019 - 2021\n\nSkills\nGo, Rust, SQL'],
    ['an unknown title', 'Ada Byron\n\nExperience\nXyzzy, Qwertz, 2019 - 2021\n\nSkills\nGo, Rust, SQL'],
    ['places for titles', 'Ada Byron\n\nExperience\nNew York, NY\n2019 - 2021\n\nSkills\nGo, Rust, SQL'],
  ]
  for (const [what, resume] of low) {
    const { extraction_confidence: confidence } = parseProfile(resume, TODAY)
    assert.ok(confidence < 0.7, `${what}: ${confidence}`)
  }
  const prose = 'I have done many things in my life and would like to do more of them with you. '.repeat(5)
  assert.ok(parseProfile(prose, TODAY).extraction_confidence <= 0.2)
  const text = await extractText(doc!.render(classic), doc!.mime)
  const garbled = text.replace(/(\w)(\w)/g, '$1 $2 ¤')
  assert.ok(parseProfile(garbled, TODAY).extraction_confidence < parseProfile(text, TODAY).extraction_confidence / 2)
})

/** What was reached, less a little: F1 of the set that rules are developed on, and of the one held out. */
const FLOORS: Readonly<Record<string, readonly [dev: number, heldOut: number]>> = {
  name: [0.99, 0.97],
  email: [0.99, 0.99],
  phone: [0.99, 0.96],
  current_title: [0.98, 0.9],
  current_company: [0.98, 0.9],
  total_years: [0.98, 0.97],
  city: [0.97, 0.93],
  country: [0.97, 0.95],
  skills: [0.97, 0.95],
  languages: [0.97, 0.95],
  education_level: [0.97, 0.95],
  education: [0.97, 0.9],
  experience: [0.97, 0.92],
}

for (const [at, set] of (['dev', 'held-out'] as const).entries()) {
  test(`résumé accuracy: every field of the ${set} résumés is read as well as before`, async () => {
    const results = await measureSet(set)
    for (const [field, floors] of Object.entries(FLOORS)) {
      const { f1 } = computeScore(results, field)
      assert.ok(f1 >= floors[at]!, `${field}: ${f1}`)
    }
    const wrong = (result: LabelledResult) =>
      ['current_title', 'current_company'].some(field => result.tallies[field]?.right === 0)
    const sure = results.filter(result => result.profile.extraction_confidence >= 0.7)
    assert.ok(sure.length > results.length * 0.7)
    assert.ok(
      sure.filter(wrong).length <= sure.length * 0.08,
      sure
        .filter(wrong)
        .map(r => r.id)
        .join(' '),
    )
  })
}
