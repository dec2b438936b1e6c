import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { clock } from '../../src/kernel/time/clock.ts'
import { freePort } from '../harness/free-port.ts'
import { startTestService } from '../harness/service.ts'
import { appFor, createMember, signedIn } from '../sign-in/setup.ts'

const PROGRAM = join(import.meta.dirname, '../../docs/examples/sign-in/app.mjs')

test('sign-in guide: the app of the guide signs a person in, reads as them, renews its token, and ends it', async context => {
  const service = await startTestService()
  const { id: workspace } = await service.workspace()
  await createMember(service, workspace, 'ada@test.example')
  const port = await freePort()
  const app = `http://127.0.0.1:${port}`
  const { client_id } = await appFor(service, workspace, { kind: 'native', redirectUris: [`${app}/callback`] })
  const env = { ISSUER: service.origin, CLIENT_ID: client_id, PORT: String(port) }
  const program = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  context.after(() => program.kill('SIGKILL'))
  const [said] = await once(program.stdout, 'data')
  assert.match(String(said), /listening on/)

  let cookie = ''
  const visit = async (path: string) => {
    const response = await fetch(app + path, { headers: { cookie }, redirect: 'manual' })
    cookie = response.headers.get('set-cookie')!.split(';')[0]!
    return { location: response.headers.get('location'), status: response.status, body: await response.text() }
  }
  const leads = new URL((await visit('/')).location!)
  assert.equal(leads.origin, service.origin)
  const browser = await signedIn(service, 'ada@test.example')
  const asked = await browser.follow(await browser.get(leads.pathname + leads.search))
  assert.match(asked.html, /name="decision"/)
  const back = new URL((await browser.follow(await browser.submit(asked, { decision: 'allow' }))).location!)
  assert.equal(back.origin, app)

  const mine = cookie
  cookie = ''
  assert.equal((await visit(`/callback${back.search}`)).status, 400, 'a response is taken from the browser that asked')
  cookie = mine
  assert.equal((await visit(`/callback${back.search}`)).location, `${app}/jobs`)
  const shown = JSON.parse((await visit('/jobs')).body)
  assert.deepEqual([shown.name, shown.workspace_role, shown.jobs], ['Ada Byron', 'owner', []])
  assert.match(shown.scope, /jobs:read/)

  // a token that is no longer taken is renewed
  clock.advance(3_700_000)
  assert.deepEqual(JSON.parse((await visit('/jobs')).body).jobs, [])
  assert.deepEqual(JSON.parse((await visit('/sign-out')).body), { signed_out: true })
  assert.equal((await visit('/jobs')).location, `${app}/`)
})
