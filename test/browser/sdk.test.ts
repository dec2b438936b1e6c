import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createJob } from '../../src/resources/jobs/index.ts'
import { noBrowser, visit } from '../harness/browser.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { build } from '../harness/vite.ts'
import { appFor, createMember, relyingParty, signedIn, tokensFor } from '../sign-in/setup.ts'

const ENTRY = join(import.meta.dirname, '../../packages/sdk/src/index.ts')

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})

/** The pages of a partner, on an origin of their own, with the package as a module. */
async function startPages(): Promise<string> {
  const built = await build({
    logLevel: 'silent',
    build: { write: false, lib: { entry: ENTRY, formats: ['es'] }, minify: true },
  })
  const [{ output }] = (Array.isArray(built) ? built : [built]) as unknown as [{ output: [{ code: string }] }]
  const server = createServer((request, response) => {
    const isModule = request.url === '/sdk.js'
    response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' })
    response.end(isModule ? output[0].code : '<!doctype html><link rel="icon" href="data:,"><title>Partner</title>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let pages: string
let service: TestService
let workspace: string
before(async () => {
  if (noBrowser) return
  pages = await startPages()
  service = await startTestService({ CORS_ORIGINS: pages })
  workspace = (await service.workspace('enterprise')).id
})

/** Runs a program in the page of a partner; `sdk` is the package. */
async function inPage<T>(program: string, values: Record<string, string>): Promise<{ result: T; problems: string[] }> {
  const { page, problems, close } = await visit(pages, { origins: [service.origin], expectedStatuses: [404] })
  try {
    await page.goto('/')
    const script = `import('/sdk.js').then(async sdk => {
      const { origin, token, key } = ${JSON.stringify({ origin: service.origin, ...values })}
      ${program}
    })`
    return { result: (await page.evaluate(script)) as T, problems }
  } finally {
    await close()
  }
}

test('SDK in Chromium: reads with the token of a signed-in person from a page of another origin', {
  skip: noBrowser,
}, async () => {
  for (let i = 0; i < 5; i++) {
    await service.services.db.transaction(tx => createJob(tx, workspace, { title: `Welder ${i}` }))
  }
  await createMember(service, workspace, 'ada@acme.example')
  const party = await relyingParty(service.origin, await appFor(service, workspace))
  const scopes = ['openid', 'jobs:read'] as const
  const { access_token: token } = await tokensFor(party, await signedIn(service, 'ada@acme.example'), scopes)
  const { result, problems } = await inPage(
    `const client = new sdk.HiringClient({ baseUrl: origin, apiKey: async () => token })
     const titles = []
     for await (const job of client.jobs.list({ include_unpublished: true, limit: 2 })) titles.push(job.title)
     const missing = await client.jobs.get('job_missing').catch(error => [error.code, sdk.isApiError(error, 'not_found'), !!error.requestId])
     const controller = new AbortController()
     const call = client.jobs.list({}, { signal: controller.signal }).catch(error => error.name)
     controller.abort()
     return { titles: titles.sort(), missing, aborted: await call }`,
    { token },
  )
  const titles = ['Welder 0', 'Welder 1', 'Welder 2', 'Welder 3', 'Welder 4']
  assert.deepEqual([result, problems], [{ titles, missing: ['not_found', true, true], aborted: 'AbortError' }, []])
})

test('SDK in Chromium: verifies the signature of a webhook', { skip: noBrowser }, async () => {
  const { result } = await inPage(
    `const body = JSON.stringify({ id: 'evt_1', name: 'Größe 漢字' })
     const signature = await sdk.signWebhook(body, 'whsec_one')
     const event = await sdk.verifyWebhook({ body, signature }, ['whsec_two', 'whsec_one'])
     const reason = await sdk.verifyWebhook({ body: body + ' ', signature }, 'whsec_one').catch(error => error.reason)
     return [event.id, reason]`,
    {},
  )
  assert.deepEqual(result, ['evt_1', 'no_match'])
})

test('SDK in Chromium: refuses an API key in a page, and says why', { skip: noBrowser }, async () => {
  const { secret: key } = await service.key({ workspace })
  const { result } = await inPage<[string, string]>(
    `let refused = ''
     try { new sdk.HiringClient({ baseUrl: origin, apiKey: key }) } catch (error) { refused = error.message }
     const client = new sdk.HiringClient({ baseUrl: origin, apiKey: key, dangerouslyAllowApiKeyInBrowser: true })
     return [refused, (await client.meta.getMe()).object]`,
    { key },
  )
  assert.match(result[0], /every visitor/)
  assert.equal(result[1], 'credential')
})

test('SDK in Chromium: a service without CORS_ORIGINS is out of reach for a page of another origin', {
  skip: noBrowser,
}, async () => {
  const closed = await startTestService()
  const { page, close } = await visit(pages, { origins: [closed.origin] })
  await page.goto('/')
  const name = await page.evaluate(`import('/sdk.js').then(sdk =>
    new sdk.HiringClient({ baseUrl: '${closed.origin}', apiKey: 'token', maxRetries: 0 }).meta.getMe().catch(error => error.name))`)
  assert.equal(name, 'ApiConnectionError')
  await close()
})
