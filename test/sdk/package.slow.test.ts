import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { VERSION } from '../../packages/sdk/src/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { build } from '../harness/vite.ts'
import { installPackage } from './install-package.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Limits the main entry with everything it imports, minified and compressed. */
const LARGEST_ENTRY = 15_000

const folder = await installPackage()
let service: TestService
before(async () => {
  service = await startTestService()
})

const installed = (path: string) => join(folder, 'node_modules/hiring-partner-sdk', path)

test('SDK package: has declarations, its licence and a README, and no dependency', () => {
  const packed = JSON.parse(readFileSync(installed('package.json'), 'utf8'))
  assert.deepEqual([packed.version, packed.dependencies], [VERSION, undefined])
  assert.deepEqual(readdirSync(installed('')).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  for (const name of ['index', 'checkpoints']) assert.ok(existsSync(installed(`dist/${name}.d.ts`)), name)
  assert.equal(packed.version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
})

test('SDK package: the types of a program in an empty folder are checked, also without those of Node', () => {
  writeFileSync(
    join(folder, 'program.ts'),
    `import { HiringClient, isApiError, verifyWebhook, type Job } from 'hiring-partner-sdk'
const client = new HiringClient({ baseUrl: 'https://hiring.example', apiKey: 'key' })
export async function titles(): Promise<string[]> {
  const titles: string[] = []
  for await (const job of client.jobs.list({ status: ['published'] })) titles.push(job.title)
  return titles
}
export async function move(id: string, stage: string): Promise<Job | undefined> {
  try {
    const { job_id } = await client.applications.move(id, { stage_id: stage })
    return await client.jobs.get(job_id)
  } catch (error) {
    if (isApiError(error, 'stale_resource', 'invalid_stage')) {
      const code: 'stale_resource' | 'invalid_stage' = error.code
      console.log(code)
      return undefined
    }
    throw error
  }
}
export async function hook(request: Request): Promise<string | undefined> {
  const event = await verifyWebhook(request, ['a', 'b'])
  return event.type === 'application.stage_changed' ? event.data.object.stage_id : undefined
}
// @ts-expect-error no such status
client.jobs.list({ status: 'gone' })
// @ts-expect-error no such field
client.applications.create({ job: '1' })
`,
  )
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom',
    '--types',
    '',
  ]
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, 'program.ts'], { cwd: folder, stdio: 'pipe' })
})

test('SDK package: the main entry is smaller than 15 KB, and loads nothing of Node', async () => {
  const built = await build({
    root: folder,
    logLevel: 'silent',
    build: { write: false, lib: { entry: installed('dist/index.js'), formats: ['es'] }, minify: true },
  })
  const [{ output }] = (Array.isArray(built) ? built : [built]) as unknown as [{ output: { code: string }[] }]
  const { code } = output[0]!
  assert.equal(output.length, 1)
  assert.ok(!/from\s*["']/.test(code), 'no import is left')
  const bytes = gzipSync(code, { level: 9 }).length
  assert.ok(bytes < LARGEST_ENTRY, `${bytes} bytes`)
})

/** Runs the program; without blocking, because the service is in this process. */
const run = (program: string, args: readonly string[]) =>
  new Promise<string>((resolve, reject) => {
    const child = spawn(program, [...args, 'smoke.mjs'], { cwd: folder, env: { ...process.env, ...env } })
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve(output) : reject(new Error(output))))
  })
let env: Record<string, string> = {}

/** Deno and Bun are tried where they are: in the search path, or where a variable says. */
const RUNTIMES = [
  { name: 'Node', program: process.execPath, args: [] },
  { name: 'Deno', program: process.env['DENO'] ?? 'deno', args: ['run', '--allow-all', '--node-modules-dir=manual'] },
  { name: 'Bun', program: process.env['BUN'] ?? 'bun', args: [] },
]
const exists = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
for (const { name, program, args } of RUNTIMES) {
  const skip = !exists(program) && `${name} is not installed: set ${name.toUpperCase()}`
  test(`SDK package: calls, uploads, signatures, sync and the feed work in ${name}`, { skip }, async () => {
    await copyFile(join(import.meta.dirname, 'smoke.mjs'), join(folder, 'smoke.mjs'))
    const { id: workspace, userEmail } = await service.workspace('enterprise')
    const { secret } = await service.key({ workspace, userEmail })
    env = { BASE_URL: service.base, API_KEY: secret, FOLDER: join(folder, name) }
    assert.deepEqual(JSON.parse(await run(program, args)), {
      job: 'published',
      resume: true,
      listed: true,
      refused: true,
      verified: 'evt_1',
      rows: true,
      events: true,
    })
  })
}
