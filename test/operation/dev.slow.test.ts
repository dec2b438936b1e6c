import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cloneDatabase } from '../harness/postgres.ts'
import { FOR_SPEED, temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const SNIPPET = '<script src="/dev/reload.js" defer></script>'

/** A stand-in for the service: says when it is ready, and shows a page with the text of a source file. */
const SERVICE = `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
process.once('disconnect', () => process.exit())
const text = readFileSync('src/page.txt', 'utf8')
if (text === 'broken') process.exit(1)
createServer((request, response) => {
  const html = request.url === '/page'
  response.writeHead(200, { 'Content-Type': html ? 'text/html; charset=utf-8' : 'application/json', ETag: '"1"' })
  response.end(html ? '<!doctype html><head></head><p>' + text : JSON.stringify({ text }))
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('{}\\n'))
`

const running: ChildProcess[] = []
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `npm run dev` in a folder; `printed` waits until a text was printed. */
function dev(cwd: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(ROOT, 'tools/dev.ts')], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', ...FOR_SPEED, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const printed = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output)
      if (found) return found
      await once(child.stdout, 'data')
    }
  }
  return { child, printed }
}

function scratch(): string {
  const folder = temporaryFolder()
  for (const name of ['bin', 'src', 'demo', 'web/dist']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'bin/hiring.js'), SERVICE)
  writeFileSync(join(folder, 'src/page.txt'), 'one')
  return folder
}

test('npm run dev: a changed file causes a restart, and open pages reload', async () => {
  const folder = scratch()
  const { child, printed } = dev(folder)
  const [, origin] = await printed(/ready: (\S+) \(start 1\)/)
  const page = await fetch(`${origin}/page`)
  assert.match(await page.text(), new RegExp(`${SNIPPET}.*<p>one`, 's'))
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await (await fetch(`${origin}/other`)).json(), { text: 'one' }, 'other files are not changed')
  assert.match(await (await fetch(`${origin}/dev/reload.js`)).text(), /location\.reload/)

  const events = (await fetch(`${origin}/dev/events`)).body!.pipeThrough(new TextDecoderStream()).getReader()
  assert.equal((await events.read()).value, 'data: 1\n\n')
  writeFileSync(join(folder, 'src/page.txt'), 'two')
  assert.equal((await events.read()).value, 'data: 2\n\n')
  assert.match(await (await fetch(`${origin}/page`)).text(), /<p>two/)
  writeFileSync(join(folder, 'demo/load.ts'), 'changed')
  assert.equal((await events.read()).value, 'data: 3\n\n', 'the demo is watched')

  writeFileSync(join(folder, 'src/page.txt'), 'broken')
  await printed(/the service ended/)
  const broken = await fetch(`${origin}/page`)
  assert.deepEqual([broken.status, (await broken.text()).includes(SNIPPET)], [502, true])
  writeFileSync(join(folder, 'web/style.css'), 'fixed')
  writeFileSync(join(folder, 'src/page.txt'), 'three')
  assert.equal((await events.read()).value, 'data: 4\n\n', 'a start that failed is repeated after the next change')
  assert.match(await (await fetch(`${origin}/page`)).text(), /<p>three/)
  await events.cancel()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('npm run dev: pages of the service get the script, and keep their content security policy', async () => {
  const database = await cloneDatabase()
  const { child, printed } = dev(ROOT, { DATABASE_URL: database.url, DATA_DIR: temporaryFolder(), DEMO: 'off' })
  const [, origin] = await printed(/ready: (\S+) \(start 1\)/)
  for (const path of ['/docs', '/sign-in']) {
    const page = await fetch(origin + path)
    assert.equal(page.status, 200, path)
    assert.ok((await page.text()).includes(SNIPPET), path)
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /script-src 'self'; .*connect-src 'self'/)
    assert.doesNotMatch(policy, /unsafe/)
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  await database.drop()
})

test('hiring start: no page contains the script of development, and no file of src mentions it', async () => {
  const service = await startTestService({ ROLES: 'api' })
  for (const path of ['/', '/docs', '/sign-in', '/dev/reload.js', '/dev/events']) {
    const response = await fetch(service.services.publicUrl + path)
    assert.doesNotMatch(await response.text(), /\/dev\/reload|EventSource/, path)
    if (path.startsWith('/dev/')) assert.equal(response.status, 404, path)
  }
  for (const folder of ['src', 'web/console']) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const text = readFileSync(join(file.parentPath, file.name), 'utf8')
      assert.ok(!text.includes('/dev/reload') && !text.includes('/dev/events'), file.name)
    }
  }
})
