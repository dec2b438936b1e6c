import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock } from '../../src/kernel/time/clock.ts'
import { setStages } from '../../src/resources/jobs/index.ts'
import { startTestService } from '../harness/service.ts'
import { recordStatements } from '../harness/statements.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await startTestService()
const { db } = service.services
const site = await createSite(service, 'Acme Robotics')
const other = await createSite(service, 'Globex')

const full = await site.job({
  title: 'Robot Engineer',
  department: 'Engineering',
  team: 'Motion',
  employment_type: 'full_time',
  location_type: 'hybrid',
  locations: ['Berlin, Germany', 'Boston'],
  experience_level: 'senior',
  years_min: 3,
  years_max: 6,
  compensation: { salary_min: 60_000, salary_max: 80_500, currency: 'EUR', equity: '0.1 %', commission: true },
  content: {
    summary: 'Builds arms & hands.',
    description_md:
      '# About us\n\nWe build **robots**.\n\n<script>alert(1)</script><img src=x onerror=alert(2)>\n\n[x](javascript:alert(3))',
    responsibilities: ['Design <b>joints</b>'],
    requirements: ['Knows C++'],
    nice_to_have: ['Knows Rust'],
    skills_required: ['Kinematics'],
    skills_preferred: ['ROS 2'],
    benefits: ['Lunch'],
  },
})
const draft = await site.job({ title: 'Draft Position' }, 'draft')
const closed = await site.job({ title: 'Closed Position', department: 'Engineering' }, 'closed')
const foreign = await other.job({ title: 'Rival Position' })
await site.job({ title: 'Firmware Engineer', department: 'Engineering' })
await site.job({ title: 'Accountant', department: 'Finance' })

const show = async (path: string, headers = {}) => {
  const page = await fetchPage(service, path, headers)
  assert.equal(page.status, 200, page.text)
  return page.text
}

test('job page: 200, every section, facts, salary, stages that are not final, and other jobs of the department first', async () => {
  const text = await show(full.path)
  assert.match(text, /<h1>Robot Engineer<\/h1>/)
  for (const part of [
    'Builds arms &amp; hands.',
    '<h2>About us</h2>',
    'We build <strong>robots</strong>.',
    '<h2>What you will do</h2><ul><li>Design &lt;b&gt;joints&lt;/b&gt;</li></ul>',
    '<h2>What you bring</h2><ul><li>Knows C++</li></ul>',
    '<h2>Nice to have</h2><ul><li>Knows Rust</li></ul>',
    '<li class="tag">Kinematics</li>',
    '<li class="tag">ROS 2</li>',
    '<h2>What we offer</h2><ul><li>Lunch</li></ul>',
    '<dt>Team</dt><dd>Motion</dd>',
    '<dt>Locations</dt><dd>Berlin, Germany<br>Boston</dd>',
    '<dt>Workplace</dt><dd>Hybrid</dd>',
    '<dt>Employment type</dt><dd>Full time</dd>',
    '<dt>Experience</dt><dd>Senior, 3 to 6 years</dd>',
    '<dt>Equity</dt><dd>0.1 %</dd>',
    '<dt>Commission</dt><dd>In addition to the salary</dd>',
    '<ol class="steps"><li>Application</li><li>First conversation</li><li>Interview</li><li>Offer</li></ol>',
    `<a class="button large" href="${full.path}/apply">Apply now</a>`,
  ]) {
    assert.ok(text.includes(part), part)
  }
  assert.match(text, /<dt>Salary<\/dt><dd>€60,000–80,500 per year<\/dd>/)
  const others = [...text.slice(text.indexOf('class="wide others"')).matchAll(/jobs\/[^"]+">([^<]+)<\/a>/g)].map(
    m => m[1],
  )
  assert.deepEqual(others, ['Firmware Engineer', 'Accountant'])
  assert.doesNotMatch(text, /Draft Position|Rival Position|Closed Position/)
})

test('job page: hostile Markdown of the description leaves no script, no picture and no attribute', async () => {
  const text = await show(full.path)
  const page = text.replace(/<script type="application\/ld\+json">[^<]*<\/script>/, '')
  assert.doesNotMatch(page, /alert\(|onerror|javascript:/)
  const data = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text)![1]!
  assert.doesNotMatch(data, /alert\(|onerror|javascript:/)
})

test('job page: 200, German words, dates and amounts', async () => {
  const text = await show(full.path, { 'accept-language': 'de' })
  assert.match(text, /<html lang="de">/)
  assert.match(text, /<dt>Gehalt<\/dt><dd>60\.000–80\.500\s€ pro Jahr<\/dd>/)
  assert.match(text, /<h2>Ihre Aufgaben<\/h2>/)
  assert.match(text, /<li>Bewerbung<\/li><li>Erstes Gespräch<\/li><li>Vorstellungsgespräch<\/li><li>Angebot<\/li>/)
  assert.match(text, /<dt>Veröffentlicht<\/dt><dd>\d{1,2}\. [A-ZÄ][a-zä]+ \d{4}<\/dd>/)
  assert.match(text, />Jetzt bewerben</)
  assert.match(await show(`${full.path}?lang=de`), new RegExp(`href="${full.path}/apply\\?lang=de"`))
})

test('job page: salary by interval, from, up to and exact', async () => {
  const salary = async (compensation: object, language = 'en') => {
    const job = await site.job({ title: 'Paid', compensation })
    const found = /<dt>(?:Salary|Gehalt)<\/dt><dd>([^<]*)<\/dd>/.exec(
      await show(job.path, { 'accept-language': language }),
    )
    return found?.[1]?.replaceAll(/\s/g, ' ')
  }
  assert.equal(await salary({ salary_min: 30, currency: 'USD', interval: 'hourly' }), 'From US$30 per hour')
  assert.equal(await salary({ salary_max: 5000, currency: 'GBP', interval: 'monthly' }), 'Up to £5,000 per month')
  assert.equal(await salary({ salary_min: 34, salary_max: 34, currency: 'EUR', interval: 'hourly' }), '€34 per hour')
  assert.equal(await salary({ salary_min: 5000, currency: 'CHF', interval: 'monthly' }, 'de'), 'Ab 5.000 CHF pro Monat')
  assert.equal(await salary({ currency: 'EUR' }), undefined)
  assert.equal(await salary({ salary_min: 1, salary_max: 2, currency: 'ZZZ' }), 'ZZZ 1–2 per year')
})

test('job page: own names of stages as the company wrote them, final stages not at all', async () => {
  const job = await site.job({ title: 'Staged' })
  const stage = (name: string, is_terminal = false) => ({ name, type: 'custom' as const, is_terminal })
  await db.transaction(tx =>
    setStages(tx, site.workspace, job.id, [stage('Coffee & talk'), stage('Trial day'), stage('Not this time', true)]),
  )
  const text = await show(job.path)
  assert.match(text, /<ol class="steps"><li>Coffee &amp; talk<\/li><li>Trial day<\/li><\/ol>/)
  assert.doesNotMatch(text, /Not this time/)
})

test('job page: an external address of applications, and a job that accepts none', async () => {
  const external = await site.job({ title: 'Elsewhere', external_apply_url: 'https://jobs.example/apply?a=1&b=2' })
  const text = await show(external.path)
  assert.match(
    text,
    /<a class="button large" href="https:\/\/jobs\.example\/apply\?a=1&amp;b=2" rel="noopener">Apply at jobs\.example<\/a>/,
  )
  assert.doesNotMatch(text, new RegExp(`${external.path}/apply`))
  const none = await site.job({ title: 'Not now', accept_applications: false })
  const page = await show(none.path)
  assert.match(page, /does not accept applications at the moment/)
  assert.doesNotMatch(page, /Apply now|\/apply/)
})

test('job page: one statement reads the site, one the job with the others; both are sent together after the first visit', async () => {
  await show(full.path)
  const statements = await recordStatements(db).during(() => show(full.path))
  const own = statements.filter(text => /career_s|from jobs j/.test(text))
  assert.equal(own.length, 2, own.join('\n'))
  assert.match(own[0]!, /career_slugs/)
})

test('closed job: 410, says so, offers others, is not indexed and has no structured data', async () => {
  const { status, text, headers } = await fetchPage(service, closed.path)
  assert.equal(status, 410)
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.match(text, /<h1>This position is closed<\/h1>/)
  assert.match(text, /“Closed Position” no longer accepts applications/)
  assert.match(text, />Firmware Engineer<\/a>/)
  assert.match(text, new RegExp(`href="${site.path}/applications"`))
  assert.doesNotMatch(text, /ld\+json|canonical|\/apply"/)
  const german = await fetchPage(service, `${closed.path}?lang=de`)
  assert.match(german.text, /<h1>Diese Stelle ist nicht mehr ausgeschrieben<\/h1>/)
})

test('job that is due to close: 410 before a worker closes it', async () => {
  const due = await site.job({ title: 'Due', close_at: new Date(Date.now() + 3_600_000).toISOString() })
  assert.match(await show(due.path), /<dt>Apply by<\/dt>/)
  clock.advance(3_601_000)
  assert.equal((await fetchPage(service, due.path)).status, 410)
  clock.reset()
})

test('draft, unknown, other company’s job: the same 404 page of the site', async () => {
  const pages = await Promise.all(
    [draft.slug, 'no-such-job', foreign.slug, '%00', 'a%2Fb', '%F0%9F%98%80'].map(slug =>
      fetchPage(service, `${site.path}/jobs/${slug}`),
    ),
  )
  const withoutPath = (text: string) => text.replaceAll(/\/jobs\/[^"?]*/g, '/jobs/…')
  for (const { status, text, headers } of pages) {
    assert.equal(status, 404)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(withoutPath(text), withoutPath(pages[0]!.text))
  }
  assert.match(pages[0]!.text, /<h1>Page not found<\/h1>/)
  assert.match(pages[0]!.text, /<a class="site-name" href="\/careers\/acme-robotics">Acme Robotics<\/a>/)
  assert.match(pages[0]!.text, /<meta name="robots" content="noindex">/)
})
