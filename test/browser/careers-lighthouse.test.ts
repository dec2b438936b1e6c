import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { startCareers, type TestSite } from '../careers/setup.ts'
import { browserProgram, noBrowser } from '../harness/browser.ts'

const { addJob, newSite, service } = await startCareers()

/** The folder that lighthouse is installed in: npm install --prefix FOLDER lighthouse */
const FOLDER = process.env['LIGHTHOUSE'] ?? join(tmpdir(), 'lighthouse')
const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js')
const skip = noBrowser || (existsSync(PROGRAM) ? false : `no lighthouse in ${FOLDER}: install it, or set LIGHTHOUSE`)

const run = promisify(execFile)

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const LEAST = 95
/** A busy machine makes a page slower than it is: the best of these counts. */
const RUNS = 4

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string }>
}

async function auditsOf(url: string, only: readonly string[], without: readonly string[]): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-report-'))
  try {
    const output = join(folder, 'report.json')
    const flags = '--headless=new --no-sandbox --disable-dev-shm-usage --disable-gpu'
    await run(
      process.execPath,
      [
        PROGRAM,
        url,
        '--quiet',
        '--output=json',
        `--output-path=${output}`,
        `--only-categories=${only.join(',')}`,
        `--chrome-flags=${flags}`,
        ...without.map(audit => `--skip-audits=${audit}`),
      ],
      { cwd: folder, env: { ...process.env, CHROME_PATH: browserProgram } },
    )
    return JSON.parse(readFileSync(output, 'utf8')) as Report
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const scoresIn = ({ categories }: Report) =>
  Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)] as const)

const failedIn = ({ audits }: Report) =>
  Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
    .map(({ title }) => title)

let site: TestSite
let job: { slug: string }

before(async () => {
  if (skip) return
  site = await newSite('Lighthouse Works')
  const text = 'We build towers that guide ships, and you plan, weld and test them with a small team. '.repeat(8)
  job = await addJob(site, {
    title: 'Welder for lighthouses',
    department: 'Works',
    locations: ['Kiel, Germany'],
    location_type: 'onsite',
    employment_type: 'full_time',
    compensation: { salary_min: 40_000, salary_max: 52_000, currency: 'EUR', interval: 'annual' },
    content: { summary: 'Weld towers on the coast.', description_md: `## Your work\n\n${text}\n\n## You\n\n${text}` },
  })
  for (let i = 0; i < 30; i++) await addJob(site, { title: `Painter ${i}`, department: 'Paint', locations: ['Kiel'] })
})

for (const [name, below, without] of [
  ['list', () => '', []],
  ['job page', () => `/jobs/${job.slug}`, []],
  // a form is no result of a search: robots.txt leaves it out
  ['application form', () => `/jobs/${job.slug}/apply`, ['is-crawlable']],
] as const) {
  test(`Lighthouse: ${name}: at least ${LEAST} for performance, accessibility, best practice and SEO`, {
    skip,
    timeout: 600_000,
  }, async t => {
    const url = site.url + below()
    const { status } = await service.call('GET', url, { headers: { accept: 'text/html' } })
    if (status === 404) return t.skip('there is no such page')
    const best = new Map<string, number>()
    let failed: string[] = []
    let open: readonly string[] = CATEGORIES
    for (let i = 0; i < RUNS && open.length > 0; i++) {
      const report = await auditsOf(url, open, without).catch(({ stderr }: { stderr?: string }) => {
        // such as a trace without a beginning: it asks to be run again
        failed = [stderr ?? 'the program failed']
      })
      if (!report) continue
      for (const [category, score] of scoresIn(report)) best.set(category, Math.max(score, best.get(category) ?? 0))
      failed = failedIn(report)
      open = open.filter(category => (best.get(category) ?? 0) < LEAST)
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(best)))
    assert.deepEqual(open, [], `${JSON.stringify([...best])}\n${failed.join('\n')}`)
  })
}
