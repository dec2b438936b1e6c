import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** The modules that a process loads which does nothing but import these. */
function loadedBy(...imports: readonly string[]): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    ${imports.join('\n')}
    process.stdout.write(JSON.stringify(loaded), () => process.exit())`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  })
  assert.equal(run.status, 0, run.stderr)
  return JSON.parse(run.stdout)
}

test('hiring --version: loads neither a resource nor the client of PostgreSQL', () => {
  const loaded = loadedBy("await import('./src/cli/main.ts')")
  assert.ok(loaded.some(url => url.endsWith('/src/cli/main.ts')))
  assert.deepEqual(
    loaded.filter(url => /\/src\/resources\/|node_modules\/pg\//.test(url)),
    [],
  )
})

test('hiring start, without MCP: the service and its command load neither the MCP SDK nor zod', () => {
  const loaded = loadedBy(
    "await import('./src/app.ts')",
    "await import('./src/cli/main.ts')",
    "await (await import('./src/cli/verbs.ts')).loadVerbs()",
  )
  assert.ok(loaded.some(url => url.endsWith('/src/mcp/routes.ts')))
  assert.deepEqual(
    loaded.filter(url => /node_modules\/(@modelcontextprotocol|zod)\//.test(url)),
    [],
  )
})
