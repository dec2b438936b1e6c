import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

test('hiring --version: loads neither a resource nor the client of PostgreSQL', async () => {
  const loaded: string[] = []
  const hooks = registerHooks({
    load: (url, context, next) => {
      loaded.push(url)
      return next(url, context)
    },
  })
  await import('../../src/cli/main.ts')
  hooks.deregister()
  assert.ok(loaded.some(url => url.endsWith('/src/cli/main.ts')))
  assert.deepEqual(
    loaded.filter(url => /\/src\/resources\/|node_modules\/pg\//.test(url)),
    [],
  )
})

test('hiring start, without MCP: the service and its command load neither the MCP SDK nor zod', async () => {
  const loaded: string[] = []
  registerHooks({
    load: (url, context, next) => {
      loaded.push(url)
      return next(url, context)
    },
  })
  const { loadVerbs } = await import('../../src/cli/verbs.ts')
  await Promise.all([import('../../src/app.ts'), import('../../src/cli/main.ts'), loadVerbs()])
  assert.ok(loaded.some(url => url.endsWith('/src/mcp/routes.ts')))
  assert.deepEqual(
    loaded.filter(url => /node_modules\/(@modelcontextprotocol|zod)\//.test(url)),
    [],
  )
})
