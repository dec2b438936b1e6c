import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatastoreUnavailable, translateError } from './errors.ts'

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })

test('database errors: a server or a node that is lost is unavailable, whatever code the error has', () => {
  for (const error of [
    withCode('57P01', 'terminating connection due to administrator command'),
    withCode('08006', 'connection failure'),
    withCode('ECONNRESET', 'read ECONNRESET'),
    new Error('Connection terminated unexpectedly'),
    // Citus reports these about a node
    withCode('XX000', 'could not commit transaction for shard 102008 on at least one of the nodes'),
    withCode('XX000', 'failure on connection marked as essential: 127.0.0.1:5432'),
    withCode('XX000', 'postmaster was shut down, exiting'),
    withCode('XX000', 'terminating connection due to unexpected postmaster exit'),
  ])
    assert.ok(translateError(error) instanceof DatastoreUnavailable, error.message)
})

test('database errors: a statement that is wrong is not taken for a lost server', () => {
  for (const error of [
    withCode('XX000', 'cache lookup failed for type 7'),
    withCode('42601', 'syntax error at or near "terminating connection"'),
    new Error('no such column'),
  ])
    assert.equal(translateError(error), error)
})
