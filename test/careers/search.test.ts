import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '../../src/careers/language.ts'
import { EMPLOYMENT_TYPES, LOCATION_TYPES } from '../../src/resources/jobs/shape.ts'
import { sharedTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await sharedTestService()
const site = await createSite(service, 'Search Works')

const full = { employment_type: 'full_time' as const }
await site.job({
  title: 'Frontend Engineer',
  department: 'Engineering',
  team: 'Console',
  locations: ['Berlin, Germany', 'Lisbon, Portugal'],
  location_type: 'remote',
  employment_type: 'contract',
})
await site.job({ title: 'Reliability Engineer', location_type: 'remote', ...full })
await site.job({
  title: 'Site Reliability Lead',
  locations: ['Bengaluru, India'],
  location_type: 'hybrid',
  ...full,
  content: { summary: 'You lead.', requirements: ['Kubernetes'], responsibilities: ['Runbooks'] },
})
await site.job({
  title: 'Servicetechniker',
  locations: ['Munich, Germany', 'Zurich, Switzerland'],
  location_type: 'onsite',
  ...full,
})
await site.job({
  title: 'Assembler',
  locations: ['Austin, TX'],
  location_type: 'onsite',
  employment_type: 'part_time',
  content: { summary: 'No remote work. You are part of the team, all the time, on full pay.' },
})
await site.job({ title: 'Robotics Intern', location_type: 'onsite', employment_type: 'intern' })
await site.job({ title: 'Account Executive', department: 'Sales', location_type: 'remote', employment_type: 'temp' })

await site.job({
  title: 'Harbor Pilot',
  locations: ['NYC'],
  content: { summary: 'You pilot.' },
})
await site.job({ title: 'Data Clerk', locations: ['Frankfurt'], compensation: { salary_min: 61_000, currency: 'EUR' } })
await site.job({ title: 'Cartographer', locations: ['San Francisco, CA'] })
await site.job({ title: 'Winegrower', locations: ['Kapstadt'] })
await site.job({ title: 'Miner', locations: ['San José'], content: { summary: 'A new mine, close to the main town.' } })

const search = async (q: string, lang = 'en', { path } = site) => {
  const { status, text } = await fetchPage(service, `${path}?${new URLSearchParams({ q, lang })}`)
  assert.equal(status, 200)
  const titles = [...text.matchAll(/<li[^>]*><a href="[^"]+\/jobs\/[^"]+"[^>]*>([^<]*)<\/a>/g)].map(match => match[1]!)
  return { titles, count: /<p id="count" role="status">([^<]*)</.exec(text)![1]! }
}

const REMOTE = ['Account Executive', 'Frontend Engineer', 'Reliability Engineer']
const FULL = ['Reliability Engineer', 'Servicetechniker', 'Site Reliability Lead']

const TABLE: readonly [q: string, first: readonly string[]][] = [
  ['remote', REMOTE],
  ['home office', REMOTE],
  ['munich', ['Servicetechniker']],
  ['München', ['Servicetechniker']],
  ['Deutschland', ['Frontend Engineer', 'Servicetechniker']],
  ['Bengaluru', ['Site Reliability Lead']],
  ['bangalore', ['Site Reliability Lead']],
  ['Zürich', ['Servicetechniker']],
  ['Lissabon', ['Frontend Engineer']],
  ['berlin remote', ['Frontend Engineer']],
  ['hybrid', ['Site Reliability Lead']],
  ['full time', FULL],
  ['full-time', FULL],
  ['fulltime', FULL],
  ['Vollzeit', FULL],
  ['part time', ['Assembler']],
  ['Teilzeit', ['Assembler']],
  ['internship', ['Robotics Intern']],
  ['Praktikum', ['Robotics Intern']],
  ['on-site', ['Assembler', 'Robotics Intern', 'Servicetechniker']],
  ['console', ['Frontend Engineer']],
  ['kubernetes runbooks', ['Site Reliability Lead']],
  ['developer', ['Frontend Engineer', 'Reliability Engineer']],
  ['devops', ['Site Reliability Lead']],
  ['SRE', ['Site Reliability Lead']],
  ['sales rep', ['Account Executive']],
  ['New York', ['Harbor Pilot']],
  ['pilot new york city', ['Harbor Pilot']],
  ['San Francisco', ['Cartographer']],
  ['Frankfurt am Main', ['Data Clerk']],
  ['Cape Town', ['Winegrower']],
  ['Kapstadt', ['Winegrower']],
]

for (const lang of ['en', 'de'])
  test(`careers search: what a row shows, other names and near matches find the job, in ${lang}`, async () => {
    for (const [q, first] of TABLE)
      assert.deepEqual((await search(q, lang)).titles.slice(0, first.length).sort(), first, q)
  })

test('careers search: a phrase of a fact finds that fact alone, not its words in a text', async () => {
  assert.deepEqual((await search('part time')).titles, ['Assembler'])
  assert.deepEqual((await search('full time')).titles.toSorted(), FULL)
})

test('careers search: every name of a workplace and a type, in every language, finds the jobs that have it', async () => {
  const named = await createSite(service, 'Named Facts')
  for (const value of LOCATION_TYPES) await named.job({ title: `Job ${value}`, location_type: value })
  for (const value of EMPLOYMENT_TYPES) await named.job({ title: `Job ${value}`, employment_type: value })
  for (const { job, language } of LANGUAGES)
    for (const [value, name] of [...Object.entries(job.workplaces), ...Object.entries(job.types)]) {
      const query = new URLSearchParams({ q: name, lang: language.code })
      const { text } = await fetchPage(service, `${named.path}?${query}`)
      assert.match(text, new RegExp(`>Job ${value}</a>`), name)
    }
})

test('careers search: a job that has the word itself comes before one that has another name for it', async () => {
  const own = await createSite(service, 'Ranked Names')
  await own.job({ title: 'Backend Engineer' })
  await own.job({ title: 'Web Developer' })
  const { text } = await fetchPage(service, `${own.path}?q=developer`)
  assert.ok(text.indexOf('>Web Developer<') < text.indexOf('>Backend Engineer<'))
})

test('careers search: where no job has every word, those with some are shown as similar', async () => {
  const { titles, count } = await search('senior engineer lisbon astronaut')
  assert.equal(titles[0], 'Frontend Engineer')
  assert.match(count, /^No position has every word of your search\. \d are similar$/)
  assert.equal((await search('frontend')).count, '1 open position matches')
  assert.deepEqual(await search('astronaut'), { titles: [], count: '0 open positions match' })
})

for (const [lang, similar] of [
  ['en', /^No position has every word of your search\. /],
  ['de', /^Keine Stelle enthält alle Wörter Ihrer Suche\. /],
] as const)
  test(`careers search: a name of several words is found as a whole, also among similar jobs, in ${lang}`, async () => {
    for (const [q, only] of [
      ['New York', ['Harbor Pilot']],
      ['Frankfurt am Main', ['Data Clerk']],
      ['San Francisco', ['Cartographer']],
    ] as const)
      assert.deepEqual((await search(q, lang)).titles, only, q)
    const near = await search('astronaut San Francisco', lang)
    assert.deepEqual(near.titles, ['Cartographer'], 'the other San is not near')
    assert.match(near.count, similar)
  })

test('careers search: pay, which no text has, excludes no job: those with every other word are similar, in both languages', async () => {
  for (const [q, lang, first] of [
    ['clerk 61000', 'en', 'Data Clerk'],
    ['frankfurt €61,000 salary', 'en', 'Data Clerk'],
    ['Frankfurt 60k EUR', 'de', 'Data Clerk'],
    ['Data Clerk Gehalt 61.000 € pro Jahr', 'de', 'Data Clerk'],
  ] as const)
    assert.deepEqual((await search(q, lang)).titles, [first], q)
  assert.deepEqual((await search('61000')).titles, [])
})

test('careers search: a word of pay that a text has finds its job, also where no job has the other words', async () => {
  const other = await createSite(service, 'Pay Works')
  await other.job({ title: 'Compensation Lead', content: { summary: 'Runs our .NET tools.' } })
  await other.job({ title: 'Pro Audio Technician' })
  for (const [q, first] of [
    ['compensation wizard', 'Compensation Lead'],
    ['.net wizard', 'Compensation Lead'],
    ['pro audiophile', 'Pro Audio Technician'],
  ] as const)
    assert.deepEqual((await search(q, 'en', other)).titles, [first], q)
})
