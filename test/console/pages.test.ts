import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from '../../src/kernel/db/sql.ts'
import { builtPrograms } from '../../src/pages/build-programs.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let owner: Person

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
})

const page = (path: string, cookie?: string) =>
  service.call('GET', service.origin + path, { headers: cookie ? { cookie } : {} })

test('console pages: 303 to the sign-in, with the return path, for a visitor who is not signed in', async () => {
  for (const path of ['/console', '/console/keys/pk_1?show=all', '/console//evil.example']) {
    const response = await page(path)
    assert.equal(response.status, 303)
    assert.equal(response.headers.get('location'), `/sign-in?return_to=${encodeURIComponent(path)}`)
  }
})

test('console pages: one document for every address: a policy without inline script and style, not cached, nothing of the session in it', async () => {
  for (const path of ['/console', '/console/keys', '/console/anything/else']) {
    const response = await page(path, owner.cookie)
    assert.equal(response.status, 200)
    const policy = response.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.ok(!/unsafe|https?:|\*/.test(policy))
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.ok(!/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/.test(response.text))
    const session = (await owner.get('/session')).body
    for (const secret of [session.csrf_token, owner.email, workspace]) assert.ok(!response.text.includes(secret))
    for (const [, address] of response.text.matchAll(/(?:src|href)="([^"]+)"/g))
      assert.match(address!, /^\/(assets|web\/assets)\//)
  }
})

test('console pages: 403 for a member, with a friendly page that does not load the console', async () => {
  const member = await signedIn(service, workspace, { role: 'member' })
  // as addresses could be before they had to be ones
  await service.services.db.query(sql`update users set email = '<b>m@test.example' where id = ${member.userId}`)
  const response = await page('/console/keys', member.cookie)
  assert.equal(response.status, 403)
  assert.match(response.text, /for owners and admins/)
  assert.match(response.text, /&lt;b&gt;m@test\.example/)
  assert.ok(!response.text.includes('web/assets'))
})

test('console pages: assets are cached forever under hashed names; no other file is served', async () => {
  const { text } = await page('/console', owner.cookie)
  const files = [...text.matchAll(/"(\/web\/assets\/[^"]+)"/g)].map(match => match[1]!)
  assert.ok(files.length >= 2)
  for (const file of files) {
    const response = await service.call('GET', service.origin + file, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.match(response.headers.get('cache-control')!, /immutable/)
    assert.match(response.headers.get('content-type')!, file.endsWith('.js') ? /javascript/ : /css/)
  }
  for (const path of ['manifest.json', '../manifest.json', '..%2fmanifest.json', 'none.js', '']) {
    const response = await service.call('GET', `${service.origin}/web/assets/${path}`)
    assert.ok([404, 303].includes(response.status), path)
    assert.ok(!response.text.includes('main.tsx'))
  }
})

test('console pages: the pages are built from their sources once, in a few seconds, and weigh less than 100 KB', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'hiring-console-'))
  const first = await builtPrograms(elsewhere)
  const second = await builtPrograms(elsewhere)
  assert.equal(first.directory, second.directory)
  assert.ok(first.milliseconds < 15_000)
  const folder = join(first.directory, 'assets')
  assert.ok(existsSync(folder))
  let bytes = 0
  const loadedFirst = filesOf(first.directory, 'console/main.tsx')
  // not the viewer of résumés: pdf.js and its fonts name other hosts, and run in a frame that can send nothing
  const own = new Set(
    ['console/main.tsx', 'hiring/main.tsx'].flatMap(entry => [...filesOf(first.directory, entry, true)]),
  )
  for (const file of readdirSync(folder).filter(name => own.has(`assets/${name}`))) {
    const { text } = await service.call('GET', `${service.origin}/web/assets/${file}`)
    if (loadedFirst.has(`assets/${file}`)) bytes += gzipSync(text).length
    // but the examples in empty fields, and the issuer that a note is about
    const elsewhere = text.match(/https?:\/\/(?!www\.w3\.org|local)[a-z.]*[a-z]/g) ?? []
    assert.deepEqual(
      elsewhere.filter(address => !/\bexample\.com$|\blinkedin\.com$|\baccounts\.google\.com$/.test(address)),
      [],
      file,
    )
  }
  assert.ok(bytes < 100_000, `${bytes} bytes`)
  rmSync(elsewhere, { recursive: true, force: true })
})

/** What a program loads before its first page: its script, what that imports, and their styles; `later`: and all pages. */
function filesOf(directory: string, entry: string, later = false): Set<string> {
  const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))
  const seen = new Set<string>()
  const files = new Set<string>()
  const add = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    const { file, css = [], imports = [], dynamicImports = [] } = manifest[key]
    for (const name of [file, ...css]) files.add(name)
    for (const next of [...imports, ...(later ? dynamicImports : [])]) add(next)
  }
  add(entry)
  return files
}
