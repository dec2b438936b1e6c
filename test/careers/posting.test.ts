import assert from 'node:assert/strict'
import { test } from 'node:test'
import { structuredData } from '../../src/careers/job/posting.ts'
import { de } from '../../src/careers/texts/de.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { NewJobInput } from '../../src/resources/jobs/fields.ts'
import { findCountries, findPlace } from '../../src/resources/shared/places.ts'
import { startTestService } from '../harness/service.ts'
import { createSite, fetchPage } from './board-setup.ts'
import { googleFaults, schemaFaults } from './schema-org.ts'

const service = await startTestService({ PUBLIC_URL: 'https://jobs.acme.example' })
const site = await createSite(service, 'Acme Robotics')
await site.set({ website_url: 'https://acme.example' })

/** What of a job's page is structured data. */
async function dataIn(input: NewJobInput, headers: Record<string, string> = {}) {
  const job = await site.job(input)
  const { text, status } = await fetchPage(service, job.path, headers)
  assert.equal(status, 200)
  const found = [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)]
  return { all: found.map(([, json]) => JSON.parse(json!)), job }
}

/** The structured data of a job's page, which must pass both checks. */
async function postingOf(input: NewJobInput, headers: Record<string, string> = {}) {
  const { all, job } = await dataIn(input, headers)
  assert.equal(all.length, 1)
  const [data] = all
  assert.deepEqual(schemaFaults(data), [])
  assert.deepEqual(googleFaults(data), [])
  return { data, job }
}

/** Runs the test with the country that the settings of the site name. */
async function inCountry(country: string | null, run: () => Promise<void>): Promise<void> {
  const { db } = service.services
  const set = (code: string | null) =>
    db.query(sql`update career_sites set country = ${code} where workspace_id = ${site.workspace}`)
  await set(country)
  await run().finally(() => set(null))
}

test('JobPosting: valid by schema.org’s definitions and Google’s guidelines, with every property of a full job', async () => {
  const { data, job } = await postingOf({
    title: 'Robot Engineer',
    employment_type: 'contract',
    location_type: 'hybrid',
    locations: ['Berlin, Germany', 'Austin, TX'],
    years_min: 2.5,
    close_at: '2090-01-31T22:59:00Z',
    compensation: { salary_min: 60_000, salary_max: 80_000, currency: 'EUR', interval: 'annual' },
    content: { summary: 'Builds arms.', description_md: 'We build **robots**.', requirements: ['C++ & more'] },
  })
  const { description, datePosted, ...rest } = data
  assert.equal(
    description,
    '<p>Builds arms.</p><p>We build <strong>robots</strong>.</p>\n<h3>What you bring</h3><ul><li>C++ &amp; more</li></ul>',
  )
  assert.match(datePosted, /^\d{4}-\d\d-\d\dT/)
  const place = (address: object) => ({ '@type': 'Place', address: { '@type': 'PostalAddress', ...address } })
  assert.deepEqual(rest, {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: 'Robot Engineer',
    identifier: { '@type': 'PropertyValue', name: 'Acme Robotics', value: job.id },
    url: `https://jobs.acme.example${job.path}`,
    validThrough: '2090-01-31T22:59:00.000Z',
    employmentType: 'CONTRACTOR',
    hiringOrganization: { '@type': 'Organization', name: 'Acme Robotics', sameAs: 'https://acme.example' },
    jobLocation: [
      place({ addressLocality: 'Berlin', addressCountry: 'DE' }),
      place({ addressLocality: 'Austin', addressRegion: 'TX', addressCountry: 'US' }),
    ],
    baseSalary: {
      '@type': 'MonetaryAmount',
      currency: 'EUR',
      value: { '@type': 'QuantitativeValue', minValue: 60_000, maxValue: 80_000, unitText: 'YEAR' },
    },
    experienceRequirements: { '@type': 'OccupationalExperienceRequirements', monthsOfExperience: 30 },
    directApply: true,
  })
})

test('JobPosting: a remote job is TELECOMMUTE, with the countries that its locations name', async () => {
  const remote = { title: 'Remote', location_type: 'remote' as const }
  const { data } = await postingOf({ ...remote, locations: ['Remote (Germany)', 'Lyon, France'] })
  assert.equal(data.jobLocationType, 'TELECOMMUTE')
  assert.deepEqual(data.applicantLocationRequirements, [
    { '@type': 'Country', name: 'DE' },
    { '@type': 'Country', name: 'FR' },
  ])
  assert.equal(data.jobLocation, undefined)
})

test('JobPosting: the country of the site is that of remote jobs that name none', () =>
  inCountry('AT', async () => {
    const { data } = await postingOf({ title: 'Two places', locations: ['Graz', 'Lyon, France'] })
    const countries = data.jobLocation.map((place: { address: object }) => place.address)
    assert.deepEqual(countries, [
      { '@type': 'PostalAddress', addressLocality: 'Graz', addressCountry: 'AT' },
      { '@type': 'PostalAddress', addressLocality: 'Lyon', addressCountry: 'FR' },
    ])
    const remote = { title: 'Remote', location_type: 'remote' as const }
    const required = async (locations: string[]) =>
      (await postingOf({ ...remote, locations })).data.applicantLocationRequirements
    const country = (name: string) => ({ '@type': 'Country', name })
    assert.deepEqual(await required([]), country('AT'))
    assert.deepEqual(await required(['Anywhere']), country('AT'))
    assert.deepEqual(await required(['Remote', 'Japan']), country('JP'))
    assert.deepEqual(await required(['Graz', 'Japan']), [country('AT'), country('JP')])
  }))

test('JobPosting: left out where what Google requires is not known', async () => {
  const none = async (input: NewJobInput) => assert.deepEqual((await dataIn(input)).all, [], JSON.stringify(input))
  await none({ title: 'Place without a country', locations: ['Springfield'] })
  await inCountry('US', () => none({ title: 'Unknown place', locations: ['Hückeswagen'] }))
  await inCountry('US', () => none({ title: 'An area', location_type: 'remote', locations: ['Remote - EU'] }))
  await none({ title: 'No place', location_type: 'onsite' })
  await none({ title: 'Remote', location_type: 'remote' })
  await none({ title: 'Remote', location_type: 'remote', locations: ['Anywhere'] })
  // one place that is known is enough
  const { data } = await postingOf({ title: 'Two places', locations: ['Springfield', 'Lyon, France'] })
  assert.equal(data.jobLocation.address.addressLocality, 'Lyon')
  await inCountry('DE', () => none({ title: 'No place', location_type: 'onsite' }))
})

test('JobPosting: directApply is false where people apply elsewhere', async () => {
  const input = { title: 'Elsewhere', locations: ['Berlin, Germany'], external_apply_url: 'https://jobs.example' }
  assert.equal((await postingOf(input)).data.directApply, false)
  assert.equal((await postingOf({ ...input, accept_applications: false })).data.directApply, false)
})

test('JobPosting: left out where a job takes no applications', async () => {
  const input = { title: 'Nowhere', locations: ['Berlin, Germany'], accept_applications: false }
  assert.deepEqual((await dataIn(input)).all, [])
})

test('JobPosting: the headings of the description are in the language of the page', async () => {
  const input = { title: 'Job', locations: ['Berlin, Germany'], content: { summary: 'A job.', requirements: ['C++'] } }
  const { data } = await postingOf(input, { 'accept-language': 'de' })
  assert.equal(data.description, `<p>A job.</p><h3>${de.job.requirements}</h3><ul><li>C++</li></ul>`)
})

test('JobPosting: every kind of salary and employment is one that Google knows', async () => {
  for (const employment_type of ['full_time', 'part_time', 'contract', 'intern', 'temp'] as const) {
    const { data } = await postingOf({ title: 'Job', employment_type, locations: ['Berlin, Germany'] })
    assert.ok(data.employmentType)
  }
  for (const interval of ['hourly', 'monthly', 'annual'] as const) {
    const compensation = { salary_min: 10, salary_max: 10, currency: 'USD', interval }
    const { data } = await postingOf({ title: 'Job', compensation, locations: ['Berlin, Germany'] })
    assert.equal(data.baseSalary.value.value, 10)
  }
})

test('JobPosting: the logo has its whole address', async () => {
  const { db } = service.services
  const logo = sql`update career_sites set logo_blob_key = 'a/b', logo_mime = 'image/png' where workspace_id = ${site.workspace}`
  await db.query(logo)
  const { data } = await postingOf({ title: 'Logo', locations: ['Berlin, Germany'] })
  assert.match(
    data.hiringOrganization.logo,
    /^https:\/\/jobs\.acme\.example\/careers\/acme-robotics\/logo\?v=[0-9a-f]{12}$/,
  )
})

test('structured data: a text cannot end its element or begin another', () => {
  const evil = '</script><script>alert(1)</script><!--\u2028&'
  const { text } = structuredData({ title: evil })
  assert.equal(text.match(/<\/?script/g)!.length, 2)
  assert.doesNotMatch(text, /<!--|\u2028/)
  const inside = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'))
  assert.equal(JSON.parse(inside).title, evil)
})

test('places: what a location says, never a guess', () => {
  assert.deepEqual(findPlace('Berlin, Germany', null), { locality: 'Berlin', country: 'DE' })
  assert.deepEqual(findPlace('München, Bayern, Deutschland', null), {
    locality: 'München',
    region: 'Bayern',
    country: 'DE',
  })
  assert.deepEqual(findPlace('Austin, TX', null), { locality: 'Austin', region: 'TX', country: 'US' })
  assert.deepEqual(findPlace('Toronto, Ontario, Canada', null), {
    locality: 'Toronto',
    region: 'Ontario',
    country: 'CA',
  })
  assert.deepEqual(findPlace('London, UK', null), { locality: 'London', country: 'GB' })
  assert.deepEqual(findPlace('Boston', null), { locality: 'Boston', region: 'MA', country: 'US' })
  assert.deepEqual(findPlace('Singapore', null), { country: 'SG' })
  assert.deepEqual(findPlace('Remote - USA', null), { country: 'US' })
  assert.equal(findPlace('Remote', null), undefined)
  assert.equal(findPlace('  ', null), undefined)
  assert.deepEqual(findCountries(['Remote (Germany)', 'Berlin, Germany', 'Springfield', 'Japan'], null), ['DE', 'JP'])
  assert.deepEqual(findCountries(['Remote - EU'], 'US'), [])
  assert.deepEqual(findCountries(['Remote'], 'US'), ['US'])
  assert.deepEqual(findCountries([], 'US'), ['US'])
  assert.deepEqual(findPlace('Springfield', 'US'), { locality: 'Springfield' })
  assert.deepEqual(findPlace('Paris, Texas', 'US'), { locality: 'Paris', region: 'Texas', country: 'US' })
  assert.equal(findPlace('Remote', 'US'), undefined)
})

test('the checks themselves: they find what is wrong', () => {
  const posting = { '@context': 'https://schema.org', '@type': 'JobPosting' }
  assert.equal(schemaFaults({ ...posting, titel: 'x' }).length, 1)
  assert.equal(schemaFaults({ ...posting, datePosted: 'yesterday' }).length, 1)
  assert.equal(schemaFaults({ ...posting, hiringOrganization: { '@type': 'Place' } }).length, 1)
  assert.equal(schemaFaults({ '@type': 'JobPosting' }).length, 1)
  assert.ok(googleFaults({ title: '<b>x</b>', description: '' }).length >= 3)
  const needed = { title: 'x', description: 'x', datePosted: '2026-01-01', hiringOrganization: {} }
  assert.equal(googleFaults({ ...needed, jobLocationType: 'TELECOMMUTE' }).length, 1)
  assert.equal(googleFaults({ ...needed, jobLocation: { address: { addressLocality: 'Berlin' } } }).length, 1)
})
