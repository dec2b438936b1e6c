import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { buildDownloads } from '../../src/downloads/build.ts'
import { emit } from '../harness/events.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { startCommand, startLocalReceiver } from './run-cli.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'hiring-packed-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const run = promisify(execFile)
const npm = (args: string[], cwd: string) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')], { cwd })
const npx = (args: string[], cwd: string) =>
  run('npx', ['--yes', '--offline', '--cache', join(folder, 'cache'), ...args], { cwd })

test('hiring-partner-cli: the packed tarball in an empty folder: no dependencies, no TypeScript, and it forwards events', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  await buildDownloads(folder, version)
  const tarball = join(folder, `hiring-partner-cli-${version}.tgz`)
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  await npm(['install', '--ignore-scripts', tarball], home)
  assert.deepEqual(
    readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.')),
    ['hiring-partner-cli'],
  )
  const installed = join(home, 'node_modules/hiring-partner-cli')
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    files.filter(file => /(?<!\.d)\.ts$/.test(file)),
    [],
  )
  assert.ok(files.includes('README.md'))

  // as the guide of webhooks and the README run it, without installing it
  const { stdout } = await npx([`./${basename(tarball)}`, '--version'], folder)
  assert.equal(stdout, `${version}\n`)

  const service = await startTestService()
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const env = { HIRING_API_KEY: key.secret, HIRING_BASE_URL: service.base }
  const bin = join(home, 'node_modules/.bin/hiring-partner')
  // with this Node, and with the one of the machine, which may be older than the service needs
  for (const program of [[process.execPath, bin], [bin]]) {
    const shown = startCommand(['--version'], {}, program)
    assert.deepEqual([await shown.ended, shown.stdout()], [0, `${version}\n`], shown.stderr())
    const local = await startLocalReceiver()
    const listen = startCommand(['listen', '--forward-to', local.url], env, program)
    await listen.shows('Ctrl-C stops.')
    await emit(service.services.db, workspace, ['job.published'])
    await until('the event arrives', () => local.received.length === 1)
    await listen.shows(/job\.published +evt_\w+ {2}200/)
    assert.equal(await listen.interrupt(), 0)
    const help = startCommand(['resend', '--help'], {}, program)
    assert.equal(await help.ended, 0)
    assert.match(help.stdout(), /Usage: hiring-partner resend EVENT_ID… /)
  }
})
