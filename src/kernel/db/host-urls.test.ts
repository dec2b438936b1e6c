import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlAt } from './host-urls.ts'

test('urlAt: user, password, database and parameters are those of the URL, host and port those of the node', () => {
  const node = { name: 'worker-1', port: 5433 }
  assert.equal(
    urlAt('postgres://u:p%40x@a:1/db?sslmode=require', node),
    'postgres://u:p%40x@worker-1:5433/db?sslmode=require',
  )
  assert.equal(urlAt('postgres://u@a,b:2/db?target_session_attrs=read-write', node), 'postgres://u@worker-1:5433/db')
  assert.equal(urlAt('postgres:///db?host=/run/postgresql&port=1', node), 'postgres://worker-1:5433/db')
  assert.equal(urlAt('postgres://a/db', { name: 'fd00::1', port: 1 }), 'postgres://[fd00::1]:1/db')
})
