import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

test('hiring start, without MCP: the service and its command load neither the MCP SDK nor zod', async () => {
  const loaded: string[] = []
  registerHooks({
    load: (url, context, next) => {
      loaded.push(url)
      return next(url, context)
    },
  })
  await Promise.all([import('../../src/app.ts'), import('../../src/cli/main.ts')])
  assert.ok(loaded.some(url => url.endsWith('/src/mcp/routes.ts')))
  assert.deepEqual(
    loaded.filter(url => /node_modules\/(@modelcontextprotocol|zod)\//.test(url)),
    [],
  )
})
