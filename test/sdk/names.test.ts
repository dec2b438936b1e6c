import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as checkpoints from '../../packages/sdk/src/checkpoints.ts'
import * as sdk from '../../packages/sdk/src/index.ts'

const python = (file: string) =>
  readFileSync(join(import.meta.dirname, '../../packages/sdk-python/src/hiring_partner', file), 'utf8')

/** Every class of an error and its base. Python has a class for each code too, below these. */
const inTypeScript = () =>
  Object.entries({ ...sdk, ...checkpoints })
    .filter(([, value]) => (value as { prototype?: unknown }).prototype instanceof Error)
    .map(([name, value]) => [name, Object.getPrototypeOf(value).name.replace(/^Error$/, 'Exception')])
const inPython = () =>
  [...python('_errors.py').matchAll(/^class (\w+Error)\((\w+)/gm)].map(([, name, base]) => [name, base])

test('SDKs: errors have the same names and bases in TypeScript and Python', () => {
  assert.deepEqual(inTypeScript().sort(), inPython().sort())
  for (const [name] of inTypeScript()) {
    const made = ({ ...sdk, ...checkpoints } as Record<string, unknown>)[name!] as { toString(): string }
    assert.match(String(made), new RegExp(`name = '${name}'`), 'an error is named like its class')
  }
})

test('SDKs: the client and the functions for webhooks have the same names', () => {
  for (const name of ['HiringClient', 'verifyWebhook', 'signWebhook', 'SIGNATURE_HEADER']) {
    assert.ok(name in sdk, name)
  }
  for (const name of ['HiringClient', 'AsyncHiringClient', 'verify_webhook', 'sign_webhook', 'SIGNATURE_HEADER']) {
    assert.ok(python('__init__.py').includes(`"${name}",`), name)
  }
})
