import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { loadDemo } from '../../demo/index.ts'
import { routes } from '../../src/app.ts'
import { SCOPES, type Scope } from '../../src/contract/scopes.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import { type Route, scopesOf } from '../../src/kernel/http/route.ts'
import { type Field, type Fields, guardedPaths, type Shape } from '../../src/kernel/http/shape.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { startTestService, type TestResponse, type TestService } from '../harness/service.ts'

let service: TestService
/** a workspace of the demo */
let workspace: string
let home: { id: string; userEmail: string }

before(async () => {
  service = await startTestService({}, { resolveName: async () => ['93.184.215.14'] })
  workspace = (await loadDemo(service.services))!.workspaces[0]!.id
  home = await service.workspace('enterprise')
})

const keyOf = (scopes: 'all' | Scope[], reach: 'all' | string[] = 'all') =>
  service.key({ workspace: home.id, userEmail: home.userEmail, scopes, reach })

// biome-ignore lint/suspicious/noExplicitAny: the bodies of every endpoint
type Body = any

/** Every `links` object anywhere in a body. */
function linksIn(value: Body): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'links' ? Object.values(inner as Record<string, string>) : linksIn(inner),
  )
}

/** Per endpoint: enough to meet every state that the demo holds, few enough to be quick. */
const SAMPLES = 2

const patternOf = (route: Route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`)
const GETS = routes.filter(route => route.method === 'GET').map(route => ({ route, pattern: patternOf(route) }))
const STARTS = ['/workspaces', '/jobs', '/applications', '/applicants', '/sourced-profiles', '/pool/profiles']
const MORE_STARTS = ['/projects', '/lists', '/events', '/webhooks/endpoints']

test('links: with a key that must name its workspace, every link of every object works as it is', async () => {
  const key = await keyOf('all')
  const naming = `workspace_id=${workspace}`
  const seen = new Map<string, number>()
  const waiting = [...STARTS, ...MORE_STARTS].map(path => `${API_PREFIX}${path}?limit=100&${naming}`)
  const person = await service.get(`/sourced-profiles?limit=100&${naming}`, key)
  const { linkedin_url } = person.body.data.find((row: Body) => row.linkedin_url)
  const { id: withPhoto } = person.body.data.find((row: Body) => row.has_profile_photo)
  waiting.push(`${API_PREFIX}/sourced-profiles/${withPhoto}/attachments?${naming}`)
  // the newest can be downloaded, older ones may be locked
  const applications: Body[] = (await service.get(`/applications?limit=100&${naming}`, key)).body.data
  const newest = applications.filter(row => row.has_resume).sort((a, b) => (a.applied_at < b.applied_at ? 1 : -1))[0]
  waiting.push(`${API_PREFIX}/applications/${newest.id}/resume?${naming}`)
  waiting.push(`${API_PREFIX}/people/resolve?linkedin_url=${encodeURIComponent(linkedin_url)}&${naming}`)
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const path = url.slice(API_PREFIX.length).split('?')[0]!
    // words before placeholders, as the router has it
    const found = GETS.find(g => g.route.path === path) ?? GETS.find(g => g.pattern.test(path))
    assert.ok(found, `${url} is an endpoint`)
    const times = seen.get(found.route.path) ?? 0
    if (times >= SAMPLES) continue
    seen.set(found.route.path, times + 1)
    const response = await service.get(service.origin + url, key)
    const code = response.body?.detail?.code
    assert.ok(response.status === 200 || code === 'resume_locked' || code === 'not_found', `${url}: ${response.text}`)
    if (response.status !== 200) continue
    for (const link of linksIn(response.body)) {
      assert.match(link, /[?&]workspace_id=wsp_/, `${link} of ${url}`)
      if (link.includes(naming)) waiting.push(link)
    }
  }
  for (const path of [
    '/workspaces/{workspace_handle}/users',
    '/users/{user_handle}',
    '/events/{event_handle}',
    '/jobs/{job_handle}/sections',
    '/applications/{application_handle}/resume',
    '/applications/{application_handle}/resume/download',
    '/applicants/{applicant_handle}/resumes',
    '/sourced-profiles/{profile_handle}/attachments/{kind}/content',
    '/people/{person_handle}/contact-info',
    '/lists/{list_handle}/members',
  ]) {
    assert.ok(seen.has(path), `${path} was reached by links`)
  }
})

test('links: writes and exports name the workspace too; a key of one workspace has plain links', async () => {
  const key = await keyOf('all')
  const naming = `workspace_id=${workspace}`
  const list = await service.post(`/lists?${naming}`, key, { name: 'Linked' })
  assert.equal(list.status, 201, list.text)
  assert.equal((await service.get(service.origin + list.body.links.self, key)).status, 200)
  const { id } = (await service.post(`/exports?${naming}`, key, { resources: ['lists'] })).body
  let copy: Body
  do {
    copy = (await service.get(`/exports/${id}?${naming}`, key)).body
  } while (copy.status === 'pending' || copy.status === 'running')
  const file = await fetch(copy.files[0].url)
  const [row] = gunzipSync(Buffer.from(await file.arrayBuffer()))
    .toString()
    .split('\n')
  assert.match(JSON.parse(row!).links.self, /\?workspace_id=wsp_/)

  const single = await service.key({ workspace, scopes: 'all' })
  for (const path of ['/jobs', '/events', '/lists']) {
    const links = linksIn((await service.get(path, single)).body)
    assert.ok(links.length > 0)
    for (const link of links) assert.doesNotMatch(link, /\?/)
  }
})

/** Names of declared fields that are neither in an object nor named in its `restricted`. */
function absent(fields: Fields, value: Body, restricted: ReadonlySet<string>, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name
    if (restricted.has(path) || field.optional) return []
    if (!(name in value)) {
      const inner = guardedPaths({ [name]: field }, prefix)
      return inner.length > 0 && inner.every(guard => restricted.has(guard.path)) ? [] : [path]
    }
    return absentInside(field, value[name], restricted, `${path}.`)
  })
}

function absentInside(field: Field, value: Body, restricted: ReadonlySet<string>, prefix: string): string[] {
  const { parts } = field
  if (!parts || value === null || typeof value !== 'object') return []
  if ('shape' in parts) return absentIn(parts.shape, value).map(name => prefix + name)
  if ('fields' in parts) return absent(parts.fields, value, restricted, prefix)
  return (value as Body[]).flatMap(item => absentInside(parts.item, item, restricted, prefix))
}

const absentIn = (shape: Shape, row: Body): string[] =>
  shape.verbatim || shape.as || shape.omitRestrictedWhen?.(row)
    ? []
    : absent(shape.fields, row, new Set(row.restricted ?? []))

/** Paths of an endpoint with handles that exist in the demo, and the filters without which it cannot be called. */
async function callsOf(route: Route, full: IssuedKey): Promise<string[]> {
  const rows = async (path: string): Promise<Body[]> => (await service.get(path, full)).body.data
  const resolve = async (path: string) => {
    const { linkedin_url } = (await rows(`${path}?limit=100`)).find(row => row.linkedin_url)
    return `/people/resolve?linkedin_url=${encodeURIComponent(linkedin_url)}`
  }
  const people = await Promise.all(['/sourced-profiles', '/applicants'].map(resolve))
  if (route.path === '/people/resolve') return people
  const values: Record<string, () => Promise<string[]>> = {
    job_handle: async () => (await rows('/jobs?limit=100')).map(row => row.id),
    slug: async () => (await rows('/jobs')).map(row => row.slug),
    application_handle: async () => (await rows('/applications?limit=100')).map(row => row.id),
    applicant_handle: async () => (await rows('/applicants')).map(row => row.id),
    project_handle: async () => (await rows('/projects')).map(row => row.id),
    list_handle: async () => (await rows('/lists')).map(row => row.id),
    event_handle: async () => (await rows('/events')).map(row => row.id),
    workspace_handle: async () => [workspace],
    user_handle: async () => (await rows(`/workspaces/${workspace}/users`)).map(row => row.id),
    person_handle: () => Promise.all(people.map(async path => (await service.get(path, full)).body.id)),
    profile_handle: async () =>
      (await rows(route.path.startsWith('/pool') ? '/pool/profiles' : '/sourced-profiles?limit=100')).map(r => r.id),
    endpoint_id: async () => (await rows('/webhooks/endpoints')).map(row => row.id),
    delivery_id: async () => (await rows('/webhooks/deliveries')).map(row => row.id),
    request_id: async () => (await rows('/requests')).map(row => row.id),
    package_handle: async () => (await rows('/packages')).map(row => row.id),
    order_handle: async () => (await rows('/orders?limit=100')).map(row => row.id),
    export_id: async () => [(await service.post('/exports', full, { resources: ['jobs'] })).body.id],
  }
  const [name] = Object.keys(route.params)
  if (name === undefined) return [route.path]
  const found = await values[name]!()
  return found.slice(0, 40).map(value => route.path.replace(`{${name}}`, encodeURIComponent(value)))
}

test('fields: every field of a shape is present or restricted, on every endpoint, for a full and a minimal key', async () => {
  const owner = await service.key({ workspace, scopes: 'all', userEmail: await ownerEmail() })
  const hook = { url: 'https://partner.example.com/hook', event_types: ['job.published'] }
  const endpoint = await service.post('/webhooks/endpoints', owner, hook)
  await service.post(`/webhooks/endpoints/${endpoint.body.id}/test`, owner)
  for (const path of await callsOf(
    routes.find(r => r.path === '/applicants/{applicant_handle}/contact-info')!,
    owner,
  )) {
    await service.get(path, owner) // leaves audit rows
  }
  const unvisited: string[] = []
  for (const route of routes) {
    const { output, access } = route
    if (route.method !== 'GET' || !('shape' in output)) continue
    // for keys of installations and tokens of apps: test/installations reads them
    if (route.path.startsWith('/installations')) continue
    // for test workspaces, of which the demo has none: test/test-workspaces reads them
    if (scopesOf(access).some(scope => SCOPES[scope].testOnly)) continue
    // for vendors, of their own open orders: test/orders reads them
    if (scopesOf(access).some(scope => SCOPES[scope].own) && route.path.startsWith('/orders/{order_handle}/')) continue
    // for people who plan interviews, of which the demo has none: test/interviews reads them
    if (route.operationId === 'listInterviews') continue
    const scopes: Scope[] = typeof access === 'string' ? ['jobs:read'] : [access.scope]
    // what is found depends on the scopes of the records
    if (route.path.startsWith('/people')) scopes.push('applicants:read', 'sourced_profiles:read', 'pool:read')
    const minimal = access === 'public' ? undefined : await service.key({ workspace, scopes })
    let shown = 0
    for (const path of await callsOf(route, owner)) {
      if (shown >= SAMPLES) break
      const whole = await service.get(path, owner)
      for (const response of [whole, await service.get(path, route.path.includes('webhooks') ? owner : minimal)]) {
        if (response.status === 404 || response.status === 403) continue
        assert.equal(response.status, 200, `${path}: ${response.text}`)
        const found: Body[] = output.kind === 'one' ? [response.body] : response.body.data
        if (found.length > 0) shown++
        for (const row of found) assert.deepEqual(absentIn(output.shape, row), [], `${route.path} with ${path}`)
      }
    }
    if (shown === 0) unvisited.push(route.path)
  }
  assert.deepEqual(unvisited, [])
})

test('GET /jobs/by-slug/{slug}: 200 with exactly what GET /jobs/{job_handle} returns', async () => {
  const full = await service.key({ workspace, scopes: 'all' })
  for (const { id, slug } of (await service.get('/jobs', full)).body.data) {
    const byHandle = await service.get(`/jobs/${id}`, full)
    assert.deepEqual((await service.get(`/jobs/by-slug/${encodeURIComponent(slug)}`, full)).body, byHandle.body)
  }
})

async function ownerEmail(): Promise<string> {
  const reader = await service.key({ workspace, scopes: ['users:read'] })
  const users: TestResponse = await service.get(`/workspaces/${workspace}/users`, reader)
  return users.body.data.find((user: Body) => user.role === 'owner').email
}
