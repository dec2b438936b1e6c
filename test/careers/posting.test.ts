import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countriesOf, placeOf } from '../../src/careers/job/places.ts'
import { structuredData } from '../../src/careers/job/posting.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { NewJobInput } from '../../src/resources/jobs/fields.ts'
import { startTestService } from '../harness/service.ts'
import { pageOf, siteOf } from './board-setup.ts'
import { googleFaults, schemaFaults } from './schema-org.ts'

const service = await startTestService({ PUBLIC_URL: 'https://jobs.acme.example' })
const site = await siteOf(service, 'Acme Robotics')
await site.set({ website_url: 'https://acme.example' })

/** The structured data of a job's page, which must pass both checks. */
async function postingOf(input: NewJobInput) {
  const job = await site.job(input)
  const { text, status } = await pageOf(service, job.path)
  assert.equal(status, 200)
  const found = [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)]
  assert.equal(found.length, 1)
  const data = JSON.parse(found[0]![1]!)
  assert.deepEqual(schemaFaults(data), [])
  return { data, job }
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
  assert.deepEqual(googleFaults(data), [])
  const { description, datePosted, ...rest } = data
  assert.equal(
    description,
    '<p>Builds arms.</p><p>We build <strong>robots</strong>.</p>\n<p>What you bring</p><ul><li>C++ &amp; more</li></ul>',
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
  assert.deepEqual(googleFaults(data), [])
  assert.equal(data.jobLocationType, 'TELECOMMUTE')
  assert.deepEqual(data.applicantLocationRequirements, [
    { '@type': 'Country', name: 'DE' },
    { '@type': 'Country', name: 'FR' },
  ])
  assert.equal(data.jobLocation, undefined)
  const anywhere = (await postingOf({ ...remote, locations: ['Anywhere'] })).data
  assert.equal(anywhere.jobLocationType, 'TELECOMMUTE')
  assert.equal(anywhere.applicantLocationRequirements, undefined)
})

test('JobPosting: directApply is false where people apply elsewhere or not at all', async () => {
  const elsewhere = await postingOf({ title: 'Elsewhere', external_apply_url: 'https://jobs.example' })
  assert.equal(elsewhere.data.directApply, false)
  const closed = await postingOf({ title: 'Nowhere', accept_applications: false })
  assert.equal(closed.data.directApply, false)
})

test('JobPosting: every kind of salary and employment is one that Google knows', async () => {
  for (const employment_type of ['full_time', 'part_time', 'contract', 'intern', 'temp'] as const) {
    const { data } = await postingOf({ title: 'Job', employment_type, locations: ['Berlin'] })
    assert.deepEqual(googleFaults(data), [], employment_type)
  }
  for (const interval of ['hourly', 'monthly', 'annual'] as const) {
    const compensation = { salary_min: 10, salary_max: 10, currency: 'USD', interval }
    const { data } = await postingOf({ title: 'Job', compensation, locations: ['Berlin'] })
    assert.deepEqual(googleFaults(data), [], interval)
    assert.equal(data.baseSalary.value.value, 10)
  }
})

test('JobPosting: the logo has its whole address', async () => {
  const { db } = service.services
  const logo = sql`update career_sites set logo_blob_key = 'a/b', logo_mime = 'image/png' where workspace_id = ${site.workspace}`
  await db.query(logo)
  const { data } = await postingOf({ title: 'Logo', locations: ['Berlin'] })
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
  assert.deepEqual(placeOf('Berlin, Germany'), { locality: 'Berlin', country: 'DE' })
  assert.deepEqual(placeOf('München, Bayern, Deutschland'), { locality: 'München', region: 'Bayern', country: 'DE' })
  assert.deepEqual(placeOf('Austin, TX'), { locality: 'Austin', region: 'TX', country: 'US' })
  assert.deepEqual(placeOf('Toronto, Ontario, Canada'), { locality: 'Toronto', region: 'Ontario', country: 'CA' })
  assert.deepEqual(placeOf('London, UK'), { locality: 'London', country: 'GB' })
  assert.deepEqual(placeOf('Boston'), { locality: 'Boston' })
  assert.deepEqual(placeOf('Singapore'), { country: 'SG' })
  assert.deepEqual(placeOf('Remote - USA'), { country: 'US' })
  assert.equal(placeOf('Remote'), undefined)
  assert.equal(placeOf('  '), undefined)
  assert.deepEqual(countriesOf(['Remote (Germany)', 'Berlin, Germany', 'Boston', 'Japan']), ['DE', 'JP'])
})

test('the checks themselves: they find what is wrong', () => {
  const posting = { '@context': 'https://schema.org', '@type': 'JobPosting' }
  assert.equal(schemaFaults({ ...posting, titel: 'x' }).length, 1)
  assert.equal(schemaFaults({ ...posting, datePosted: 'yesterday' }).length, 1)
  assert.equal(schemaFaults({ ...posting, hiringOrganization: { '@type': 'Place' } }).length, 1)
  assert.equal(schemaFaults({ '@type': 'JobPosting' }).length, 1)
  assert.ok(googleFaults({ title: '<b>x</b>', description: '' }).length >= 3)
})
