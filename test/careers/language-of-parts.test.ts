import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from '../../src/careers/text-language.ts'
import { signedIn } from '../console/setup.ts'
import { sharedTestService } from '../harness/service.ts'
import { DETAILS, newFormJob, newSite } from './application-form.ts'
import { createSite, fetchPage } from './board-setup.ts'

const service = await sharedTestService()
const site = await createSite(service, 'Language Works')
const english = await site.job({
  title: 'Engineer',
  locations: ['Berlin, Germany'],
  content: { summary: 'You will work with our team on robots that people like.', requirements: ['C++ and the rest'] },
})
const german = await site.job({
  title: 'Servicetechniker (m/w/d)',
  locations: ['Munich, Germany'],
  content: {
    summary: 'Sie arbeiten mit unserem Team und warten die Roboter bei den Kunden.',
    requirements: ['Technik'],
  },
})

test('language detection: clear texts only', () => {
  assert.equal(detectLanguage('Build robots that people like to work with'), 'en')
  assert.equal(detectLanguage('Warum möchten Sie bei uns arbeiten und was ist Ihr Ziel?'), 'de')
  assert.equal(detectLanguage('Pourquoi voulez-vous travailler avec nous dans notre équipe ?'), 'fr')
  assert.equal(detectLanguage('Servicetechniker Robotik (m/w/d)'), 'de')
  for (const text of ['', 'Engineer', 'Senior Robotics Software Engineer', 'Kubernetes, PostgreSQL']) {
    assert.equal(detectLanguage(text), undefined, text)
  }
})

test('careers pages: what the company wrote carries its own language, the frame that of the page', async () => {
  await site.set({
    headline: 'Build robots that people like to work with',
    introduction_md: 'We are the team and you join us.',
  })
  const page = await fetchPage(service, `${english.path}?lang=de`)
  assert.match(page.text, /<html lang="de">/)
  assert.match(page.text, /<h1 lang="en">Engineer<\/h1>/)
  assert.match(page.text, /<p class="lead" lang="en">/)
  assert.match(page.text, /<h2>[^<]*<\/h2><ul lang="en"><li>C\+\+/)
  assert.match((await fetchPage(service, `${english.path}?lang=en`)).text, /<h1>Engineer<\/h1>/)
  assert.match((await fetchPage(service, `${german.path}?lang=en`)).text, /<h1 lang="de">Servicetechniker/)
  const list = await fetchPage(service, `${site.path}?lang=de`)
  assert.match(list.text, /<h1 lang="en">Build robots/)
  assert.match(list.text, /introduction" lang="en"/)
  const rows = await fetchPage(service, `${site.path}?lang=en`)
  assert.match(rows.text, /<a href="[^"]+" lang="de">Servicetechniker/)
})

test('careers pages: the language that a team chose for a job goes before the one that its texts seem to have', async () => {
  const own = await createSite(service, 'Chosen Works')
  const { id, path } = await own.job({
    title: 'Growth Manager',
    locations: ['Berlin, Germany'],
    content: { summary: 'You will work with our team and the customers.', requirements: ['Excel'] },
  })
  const member = await signedIn(service, own.workspace, { role: 'member', program: 'hiring' })
  const edit = (language: unknown) => member.post(`/jobs/${id}`, { changes: { language } })
  for (const wrong of ['xx', 'German', 'de-DE', 7]) {
    const { status, body } = await edit(wrong)
    assert.deepEqual([status, body.detail.errors.map(({ param }: { param: string }) => param)], [400, ['language']])
  }

  assert.equal((await edit('DE')).status, 200)
  const key = await service.key({ workspace: own.workspace, scopes: ['jobs:read'] })
  const single = (await service.get(`/jobs/${id}`, key)).body
  const [row] = (await service.get('/jobs', key)).body.data
  assert.deepEqual([single.language, row.language], ['de', 'de'])

  const english = await fetchPage(service, `${path}?lang=en`)
  assert.match(english.text, /<h1 lang="de">Growth Manager<\/h1>/)
  assert.match(english.text, /<ul lang="de"><li>Excel/)
  assert.match(english.text, /h3\\u003eDas bringen Sie mit/)
  assert.match((await fetchPage(service, `${path}?lang=de`)).text, /<h1>Growth Manager<\/h1>/)
  assert.match((await fetchPage(service, `${own.path}?lang=en`)).text, /<a href="[^"]+" lang="de">Growth Manager/)
  const { jobs } = JSON.parse((await fetchPage(service, `${own.path}/jobs.json?lang=en`)).text)
  assert.equal(jobs[0].language, 'de')

  assert.equal((await edit('he')).status, 200)
  assert.match((await fetchPage(service, path)).text, /<h1 lang="he" dir="rtl">Growth Manager/)

  assert.equal((await edit(null)).status, 200)
  assert.match((await fetchPage(service, `${path}?lang=de`)).text, /<h1 lang="en">Growth Manager/)
})

test('careers pages: every language is one page for search engines, and structured data is in that of the job', async () => {
  for (const search of ['', '?lang=en', '?lang=de']) {
    for (const path of [site.path, german.path]) {
      const { text } = await fetchPage(service, path + search)
      assert.match(text, new RegExp(`<link rel="canonical" href="${service.origin}${path}">`))
      assert.doesNotMatch(text, /<link rel="alternate" hreflang/)
    }
    const { text } = await fetchPage(service, german.path + search)
    const data = JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(text)![1]!)
    assert.equal(data.url, service.origin + german.path)
    assert.match(data.description, /<h3>Was Sie mitbringen<\/h3>|<h3>Ihr Profil<\/h3>|<h3>Das bringen Sie mit<\/h3>/)
  }
})

test('careers list: a job without a form says so, and one that leads elsewhere names the website', async () => {
  const own = await createSite(service, 'Elsewhere Works')
  await own.job({ title: 'Closed form', accept_applications: false })
  await own.job({ title: 'Elsewhere', external_apply_url: 'https://jobs.example.com/1' })
  const { text } = await fetchPage(service, own.path)
  assert.match(text, /Closed form<\/a><span>No applications at the moment<\/span>/)
  assert.match(text, /Elsewhere<\/a><span>Apply at jobs\.example\.com<\/span>/)
})

test('careers form: title, sections, hints, options, conditions and consents of the company carry its language', async () => {
  const own = await newSite(service, 'Marked Form')
  const job = await newFormJob(own, {
    title: 'Servicetechniker (m/w/d)',
    fields: [
      ...DETAILS,
      { label: 'Zur Arbeit', type: 'section', help_text: 'Was wir von Ihnen und über Ihre Arbeit wissen möchten.' },
      { label: 'Stufe', type: 'select', required: true, options: ['Geselle', 'Meister'] },
      {
        label: 'Region',
        type: 'select',
        options: ['Nord', 'West'],
        help_text: 'Wo Sie arbeiten und wo die Kunden sind.',
      },
      {
        label: 'Welche Prüfung',
        type: 'text',
        when: { of: 'Stufe', values: ['Meister'] },
      },
      { label: 'Einwilligung', type: 'consent', required: true, help_text: 'Wir speichern die Daten für ein Jahr.' },
    ],
  })
  const { text } = await fetchPage(service, `${job.path}?lang=en`)
  for (const part of [
    /<h1>Apply: <span lang="de">Servicetechniker \(m\/w\/d\)<\/span><\/h1>/,
    /<h2 lang="de">Zur Arbeit<\/h2>\s*<p class="soft" lang="de">Was wir/,
    /<p class="hint" id="[^"]+" lang="de">Wo Sie arbeiten/,
    /<span lang="de">Geselle<\/span>/,
    /<option value="Nord" lang="de">Nord<\/option>/,
    /<span lang="de">Einwilligung<\/span><span class="consent-text" id="[^"]+" lang="de">Wir speichern/,
    /Only if you \w+ “<span lang="de">Meister<\/span>” to “<span lang="de">Stufe<\/span>”/,
    /<label for="[^"]+">First name<\/label>/,
  ])
    assert.match(text, part)
  const [, main] = (await fetchPage(service, `${job.path}?lang=de`)).text.split('<main')
  assert.doesNotMatch(main!.split('</main>')[0]!, / lang="/)
})

test('careers form: what people type can run from right to left', async () => {
  const { text } = await fetchPage(service, `${english.path}/apply`)
  const tag = (name: string) => new RegExp(`<(?:input|textarea)[^>]*name="${name}"[^>]*>`).exec(text)![0]
  for (const name of ['candidate\\.first_name', 'candidate\\.last_name', 'resume_text'])
    assert.match(tag(name), / dir="auto"/, name)
  // an email address, a URL and a number run from left to right in every language
  for (const name of ['candidate\\.email', 'candidate\\.phone', 'candidate\\.linkedin_url'])
    assert.doesNotMatch(tag(name), / dir=/, name)
  assert.match((await fetchPage(service, site.path)).text, /<input id="q"[^>]* dir="auto"/)
})
