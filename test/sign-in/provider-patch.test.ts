import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Provider from 'oidc-provider'
import { WRITTEN_FOR } from '../../src/sign-in/oidc/patch-sessions.ts'

const PACKAGE = join(import.meta.dirname, '../../node_modules/oidc-provider/package.json')

test('oidc-provider: the installed version is the one that patch-sessions.ts was written for', () => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  assert.equal(
    version,
    WRITTEN_FOR,
    'compare what patch-sessions.ts replaces with the new version, then change it there',
  )
})

test('oidc-provider: what patch-sessions.ts replaces exists', () => {
  const { Session, Client } = new Provider('https://hiring.example')
  assert.equal(typeof Session.get, 'function')
  const session = new Session()
  assert.equal(typeof session.loginAccount, 'function')
  assert.ok('uid' in session)
  assert.equal(
    typeof (Client.prototype as unknown as { compareClientSecret?: unknown }).compareClientSecret,
    'function',
  )
})
