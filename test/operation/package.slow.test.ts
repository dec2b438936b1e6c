import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'
import { startProcess, temporaryFolder } from '../harness/process.ts'

after(stopOwnServer)

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const { version, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const packagesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap(name =>
    name.startsWith('.')
      ? []
      : name.startsWith('@')
        ? readdirSync(join(folder, name)).map(n => `${name}/${n}`)
        : [name],
  )

/** The package in an empty folder, with its dependencies as npm installs them and nothing else of the checkout. */
async function install(): Promise<string> {
  const folder = temporaryFolder()
  const { stdout } = await run(process.execPath, [join(ROOT, 'tools/pack.ts'), folder], { cwd: ROOT })
  const archive = stdout.trim()
  assert.equal(archive, join(folder, `hiring-partner-api-${version}.tgz`))
  const target = join(folder, 'node_modules/hiring-partner-api')
  mkdirSync(target, { recursive: true })
  await run('tar', ['xzf', archive, '-C', target, '--strip-components=1'])
  const unwanted = new Set(['vite', ...Object.keys(devDependencies)])
  for (const name of packagesIn(join(ROOT, 'node_modules'))) {
    if (unwanted.has(name)) continue
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

test('npm run package: the tarball starts in an empty folder: API, pages, workers; no TypeScript, tests or build tools', async () => {
  const folder = await install()
  const inside = join(folder, 'node_modules/hiring-partner-api')
  const { stdout: listed } = await run('find', [inside, '-name', '*.ts', '-not', '-name', '*.d.ts'])
  const left = listed.split('\n').filter(file => file !== '' && !file.startsWith(join(inside, 'docs')))
  assert.deepEqual(left, [])
  assert.ok(!existsSync(join(inside, 'test')))
  const manifest = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'))
  const { vite: _vite, rolldown: _rolldown, ...needed } = dependencies
  assert.deepEqual(manifest.dependencies, needed)
  assert.equal(manifest.scripts, undefined)

  const database = await cloneDatabase()
  const env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), DEMO: 'on' }
  const program = join(inside, 'bin/hiring.js')
  const service = await startProcess(env, { program })
  try {
    const origin = new URL(service.baseUrl).origin
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(new URL(path, origin), { headers })
      return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? '' }
    }
    const me = await get('/api/partner/v1/me', { authorization: `Bearer ${service.key}` })
    assert.equal(me.status, 200)
    for (const path of [
      '/docs',
      '/docs/guides/webhooks',
      '/docs/changelog',
      '/api/partner/v1/openapi.json',
      '/careers/acme-robotics',
    ]) {
      const { status, text } = await get(path)
      assert.equal(status, 200, path)
      assert.ok(text.length > 500, path)
    }
    // the pages were built when it was packed
    const [, script] = /<script[^>]+src="(\/web\/assets\/[^"]+)"/.exec((await get('/sign-in')).text) ?? []
    if (script) assert.equal((await get(script)).status, 200)
    assert.ok(existsSync(join(inside, 'web/dist/programs-packed/manifest.json')))
    assert.ok(!existsSync(join(folder, 'data/web')))
    // drawn by a worker thread
    const [job] = JSON.parse(
      (await get('/api/partner/v1/jobs?limit=1', { authorization: `Bearer ${service.key}` })).text,
    ).data
    const [, picture] =
      /property="og:image" content="([^"]+)"/.exec((await get(`/careers/acme-robotics/jobs/${job.slug}`)).text) ?? []
    const drawn = await get(new URL(picture!).pathname)
    assert.deepEqual([drawn.status, drawn.type], [200, 'image/png'])
    // reads a résumé in a process of its own
    const { stdout } = await run(process.execPath, [program, 'doctor', '--json'], {
      env: { PATH: process.env['PATH'], ...env, DEMO: 'off' },
    })
    const reader = JSON.parse(stdout).checks.find((check: { name: string }) => check.name.includes('sumé'))
    assert.equal(reader?.state, 'ok', stdout)
  } finally {
    service.child.kill()
    await service.ended
  }
})
