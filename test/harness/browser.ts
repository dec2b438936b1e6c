import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { atFileEnd, atProcessEnd, shareOpen } from './file-end.ts'
import { until } from './receiver.ts'

/**
 * The browser that CHROMIUM names, or Debian's. The same engine without windows and tabs needs less than half of the
 * processor time, so it comes first.
 */
export const browserProgram: string | undefined = [
  process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
].find(path => existsSync(path))

/** For `{ skip: noBrowser }`: why tests in a browser are left out, or false. */
export const noBrowser: string | false =
  browserProgram === undefined
    ? "no browser: install Debian's package chromium-headless-shell, or set CHROMIUM to the path of a Chromium"
    : false

let browser: Promise<Browser> | undefined

atFileEnd(async () => {
  for (const context of (await browser)?.contexts() ?? []) await context.close()
})
atProcessEnd(async () => {
  await (await browser)?.close()
})

const launch = () => {
  shareOpen({ ProcessWrap: Infinity, PipeWrap: Infinity, Timeout: Infinity })
  return chromium.launch({
    executablePath: browserProgram!,
    // signals are for the runner; the browser ends with this process
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      // the browser refuses its sandbox to root
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      // one process less, which would draw nothing
      '--in-process-gpu',
      '--disable-software-rasterizer',
      '--no-first-run',
      // the servers of receiver.ts
      '--host-resolver-rules=MAP *.hooks.test 127.0.0.1',
    ],
  })
}

export interface VisitOptions {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** false: as a reader without scripts */
  javaScript?: boolean
  /** IANA name; that of the machine by default */
  timeZone?: string
  /** other origins that the page may ask, such as the callback of a connected app */
  origins?: readonly string[]
  /** responses that are expected to fail, by status: the browser logs them as errors */
  expectedStatuses?: readonly number[]
}

/** A window with cookies and storage of its own. */
export interface Visit {
  page: Page
  context: BrowserContext
  /** what no page may do: errors in the console, exceptions, requests to other hosts */
  problems: string[]
  close(): Promise<void>
}

/** Opens a window on one origin. Closed with the test file at the latest. */
export async function visit(origin: string, opts: VisitOptions = {}): Promise<Visit> {
  browser ??= launch()
  const context = await (await browser).newContext({
    baseURL: origin,
    colorScheme: opts.theme ?? 'light',
    viewport: { width: opts.width ?? 1280, height: opts.height ?? 900 },
    javaScriptEnabled: opts.javaScript ?? true,
    reducedMotion: 'reduce',
    ...(opts.timeZone === undefined ? {} : { timezoneId: opts.timeZone }),
    // the certificates of receiver.ts are of an authority of the tests
    ignoreHTTPSErrors: true,
  })
  // a busy machine; what has to be fast is measured by the test itself
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const problems: string[] = []
  const allowed = [origin, ...(opts.origins ?? [])]
  const expected = (opts.expectedStatuses ?? []).map(status => `the server responded with a status of ${status}`)
  context.on('request', request => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !allowed.includes(url.origin)) problems.push(`asked another host: ${url}`)
  })
  context.on('console', message => {
    const text = message.text()
    if (message.type() === 'error' && !expected.some(part => text.includes(part))) problems.push(`console: ${text}`)
  })
  context.on('weberror', error => problems.push(`exception: ${error.error().message}`))
  return { page, context, problems, close: () => context.close() }
}

export interface OpenOptions extends VisitOptions {
  /** before the first page is loaded, such as to hold responses back */
  prepare?: (window: Visit) => Promise<void>
}

/** A window in which a person is signed in, on a page that is shown. */
export async function openAs(
  { origin }: { origin: string },
  { cookie }: { cookie: string },
  path: string,
  { prepare, ...opts }: OpenOptions = {},
): Promise<Visit> {
  const window = await visit(origin, opts)
  const [name, value] = cookie.split('=') as [string, string]
  await window.context.addCookies([{ name, value, url: origin }])
  await prepare?.(window)
  await window.page.goto(path)
  await window.page.locator('h1').waitFor()
  return window
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  impact: string
  help: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What can be wrong on a dark or narrow page and not on a wide light one, on which a test checks everything. */
const DARK = ['color-contrast', 'scrollable-region-focusable', 'button-name', 'link-name', 'label', 'target-size']

interface Rule {
  id: string
  enabled: boolean
  tags: readonly string[]
  impact: string
}
/** The rules that axe runs unless it is given others. It tells the impact of a rule nowhere else. */
const allRules: readonly Rule[] = createRequire(import.meta.url)('axe-core')._audit.rules
const standard = allRules.filter(
  ({ enabled, tags }) => enabled && !tags.includes('experimental') && !tags.includes('deprecated'),
)

/** Those whose faults are serious or critical: no test fails for others, such as the order of headings. */
const GRAVE = standard.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)

/**
 * Serious and critical faults of accessibility on the page at rest, one line each; none is what a test wants. Rows that
 * are being read again are pale, so they are waited for. On pages of thousands of elements it takes long: `within` looks
 * at a part, `rules` for some faults alone.
 */
export async function axe(page: Page, within = 'html', rules?: readonly string[]): Promise<string[]> {
  const found = await violations(page, within, rules)
  // rows may become pale while axe looks at them
  return found.length === 0 ? found : violations(page, within, rules)
}

async function violations(page: Page, within: string, rules: readonly string[] | undefined): Promise<string[]> {
  await untilTrue(
    page,
    `!document.querySelector('.stale') && document.getAnimations().every(({ playState }) => playState !== 'running')`,
  )
  const { isLoaded, isDark } = (await page.evaluate(
    `({ isLoaded: 'axe' in window, isDark: matchMedia('(prefers-color-scheme: dark)').matches })`,
  )) as { isLoaded: boolean; isDark: boolean }
  if (!isLoaded) await page.evaluate(AXE)
  const runOnly = rules ?? (isDark ? DARK : GRAVE)
  const options = { resultTypes: ['violations'], preload: false, runOnly }
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(result => result.violations)`,
  )) as Violation[]
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(node => `${id}: ${help}: ${node.target.join(' ')}: ${node.failureSummary.replace(/\s+/g, ' ')}`),
    )
}

/** Checks a page that is loaded once in both themes; nothing but colors depends on the theme. Ends in the one it began with. */
export async function inBothThemes(page: Page, check: (theme: 'light' | 'dark') => Promise<void>): Promise<void> {
  const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const own = isDark ? 'dark' : 'light'
  await check(own)
  const other = isDark ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme: other })
  await check(other)
  await page.emulateMedia({ colorScheme: own })
}

/**
 * Waits until an expression is true on the page. `page.waitForFunction` evaluates a text a second time inside the page, which
 * the page's content policy forbids: it fails unless the expression is true at first.
 */
export const untilTrue = (page: Page, expression: string): Promise<void> =>
  until(expression, async () => Boolean(await page.evaluate(expression)))

/** Types into the field that gets the focus by itself, which takes a moment after the click or key that opens it. */
export async function typeInFocus(page: Page, text: string): Promise<void> {
  await page.locator('input:focus, textarea:focus').waitFor()
  await page.keyboard.type(text)
}

/** Follows the skip link, which has the focus. The browser moves its starting point with the next frame, not with the key. */
export async function skipToContent(page: Page): Promise<void> {
  await page.keyboard.press('Enter')
  await untilTrue(page, "location.hash === '#content'")
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** The hint of a field, as a screen reader reads it out after the label. */
export async function describedBy(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby')) ?? ''
  const parts = ids.split(' ').map(id => field.page().locator(`[id="${id}"]`).innerText())
  return (await Promise.all(parts)).join(' ')
}

/** Chooses an option by its value or its text, from a list of ours or of the browser. */
export async function choose(field: Locator, option: string | { label: string } | { index: number }): Promise<void> {
  if (await field.evaluate(element => element.tagName === 'SELECT')) return void (await field.selectOption(option))
  await field.click()
  const list = field.page().getByRole('listbox')
  const options = list.getByRole('option')
  if (typeof option === 'object' && 'index' in option) return options.nth(option.index).click()
  const text = typeof option === 'string' ? option : option.label
  const byValue = list.locator(`[data-value=${JSON.stringify(text)}]`)
  await byValue
    .or(options.filter({ has: field.page().getByText(text, { exact: true }) }))
    .first()
    .click()
}
