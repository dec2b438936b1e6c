import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { apply, startWorld, type World } from '../applications/setup.ts'

/**
 * The official inspector, which is no dependency because it brings a hundred packages. `.ci/run` installs it and names its
 * folder in MCP_INSPECTOR. Elsewhere:
 * npm install --prefix /tmp/mcp-inspector @modelcontextprotocol/inspector@2.12.0
 */
const FOLDER = process.env['MCP_INSPECTOR'] ?? join(tmpdir(), 'mcp-inspector')
const COMMAND = join(FOLDER, 'node_modules/.bin/mcp-inspector')
const skip = existsSync(COMMAND) ? false : `no inspector in ${FOLDER}`

let world: World
let application: { id: string }

before(async () => {
  if (skip) return
  world = await startWorld()
  application = await apply(world)
})

interface Output {
  code: number
  stdout: string
  stderr: string
}

const inspect = (...args: readonly string[]): Promise<Output> =>
  new Promise(resolve => {
    const target = [`${world.service.origin}/mcp`, '--transport', 'http']
    const header = ['--header', `Authorization: Bearer ${world.key.secret}`]
    execFile(
      process.execPath,
      [COMMAND, '--cli', ...target, ...header, ...args],
      { env: { PATH: process.env['PATH'] ?? '', HOME: FOLDER }, maxBuffer: 10_000_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })

test('MCP inspector: tools/list: schemas that every client can use', { skip }, async () => {
  const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict')
  assert.equal(code, 0, stderr)
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] }
  assert.ok(tools.some(tool => tool.name === 'list_jobs'))
})

test('MCP inspector: tools/call: a read, and an error that says what to do', { skip }, async () => {
  const call = (tool: string, arg: string) => inspect('--method', 'tools/call', '--tool-name', tool, '--tool-arg', arg)
  const read = await call('get_application', `application_handle=${application.id}`)
  assert.equal(read.code, 0, read.stderr)
  const { structuredContent } = JSON.parse(read.stdout) as { structuredContent: { id: string } }
  assert.equal(structuredContent.id, application.id)
  const failed = await call('get_application', 'application_handle=app_none')
  assert.match(failed.stdout + failed.stderr, /not_found: /)
})
