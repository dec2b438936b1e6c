import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { secondsToMidnight } from '../../src/kernel/access/usage.ts'
import type { Database, Queryable, Transaction } from '../../src/kernel/db/database.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { askNextHolders, openErasures, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { claimInquiry } from '../../src/resources/erasures/store-requests.ts'
import { lockSuppressionsShared } from '../../src/resources/suppressions/index.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { askAllHolders } from './holders.ts'
import { startTwoWorkspaces } from './two-workspaces.ts'

const { service, db, home, other, owner, otherOwner } = await startTwoWorkspaces()

const ask = (who: Person, email: string, reason = 'erasure_request') =>
  who.post('/erasures', { email, reason, confirmation: email })
const openRequests = async (who: Person) => (await who.get('/erasure-requests?state=open')).body.data
async function erase(): Promise<void> {
  for (const { id } of await db.query(openErasures())) await runErasure(service.services, id)
}

/** The database, and the statements that are run through it. */
function recorded(): { db: Database; texts: string[] } {
  const texts: string[] = []
  const wrap = <T extends Queryable>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        if (name === 'query' || name === 'one' || name === 'only')
          return (statement: Sql<unknown>) => {
            texts.push(statement.text)
            return target[name](statement)
          }
        if (name === 'defer')
          return (statement: Sql<unknown>) => {
            texts.push(statement.text)
            ;(target as unknown as Transaction).defer(statement)
          }
        if (name === 'transaction')
          return (work: (tx: Queryable) => unknown) => db.transaction(async tx => work(wrap(tx)))
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return { db: wrap(db), texts }
}

test('POST /console/api/erasures: the same statements whether or not another workspace holds the person, in a repeat too', async () => {
  await apply(home, {}, { email: 'held.by.both@example.org' })
  await apply(other, {}, { email: 'held.by.both@example.org' })
  await apply(home, {}, { email: 'held.here@example.org' })
  await apply(other, {}, { email: 'held.there@example.org' })
  const statements = async (email: string) => {
    const { db: recording, texts } = recorded()
    const how = { requestedBy: owner.userId, askedIn: home.workspace, reach: home.workspace }
    const { isNew } = await requestErasure(recording, { email, ...how })
    return { isNew, texts }
  }
  const both = await statements('held.by.both@example.org')
  assert.ok(both.texts.length > 0 && both.isNew)
  assert.deepEqual(both, await statements('held.here@example.org'))
  assert.deepEqual(await statements('held.there@example.org'), await statements('held.nowhere@example.org'))
  await erase()
  const repeat = await statements('held.by.both@example.org')
  assert.equal(repeat.isNew, false)
  assert.deepEqual(repeat, await statements('held.here@example.org'))
  assert.deepEqual(repeat, await statements('held.there@example.org'))
})

test('POST /console/api/erasures: no holder is notified before the response', async () => {
  await apply(other, {}, { email: 'asked.later@example.org' })
  const requests = (await openRequests(otherOwner)).length
  assert.equal((await ask(owner, 'asked.later@example.org')).status, 200)
  assert.equal((await openRequests(otherOwner)).length, requests)
})

test('POST /console/api/erasures: 200 for a repeated request while the suppressions are locked; it does not wait for the lock', async () => {
  await apply(home, {}, { email: 'repeated@example.org' })
  await apply(home, {}, { email: 'repeated.stop@example.org' })
  const running = (await ask(owner, 'repeated@example.org')).body
  const stopped = (await ask(owner, 'repeated.stop@example.org', 'stop_processing')).body
  const holder = await db.session()
  await holder.script('begin')
  await holder.query(lockSuppressionsShared())
  try {
    const again = await ask(owner, 'repeated@example.org')
    assert.deepEqual([again.status, again.body], [200, { id: running.id, is_new: false }], 'while it runs')
    await erase()
    const done = await ask(owner, 'repeated@example.org', 'legal_request')
    assert.deepEqual([done.status, done.body], [200, { id: running.id, is_new: false }], 'when it is complete')
    const stop = await ask(owner, 'repeated.stop@example.org', 'stop_processing')
    assert.deepEqual([stop.status, stop.body], [200, { id: stopped.id, is_new: false }], 'stop_processing')
  } finally {
    await holder.script('rollback')
    await holder.close()
  }
  const erased = await ask(owner, 'repeated.stop@example.org')
  assert.equal(erased.body.is_new, true, 'an erasure is more than a stop')
})

test('POST /console/api/erasures: 429 rate_limit_exceeded for a repeat over the daily limit, and repeats count', async () => {
  const busy: World = { service, ...(await newTenant(service)) }
  const busyOwner = await signedIn(service, busy.workspace)
  // not while the day ends: the count would begin again
  if (secondsToMidnight(await db.now()) < 300) clock.advance(600_000)
  try {
    for (let made = 0; made < API_LIMITS.erasureRequestsPerDay; made++)
      assert.equal((await ask(busyOwner, 'again.and.again@example.org')).status, 200, `request ${made + 1}`)
    const refused = await ask(busyOwner, 'again.and.again@example.org')
    assert.deepEqual([refused.status, refused.body.detail.code], [429, 'rate_limit_exceeded'])
    assert.ok(refused.body.detail.retry_after_seconds > 0)
    assert.doesNotMatch(refused.text, /again\.and/)
  } finally {
    clock.reset()
  }
})

test('erasure requests: holders are notified once: by several processes at the same time, and after one that died midway', async () => {
  await askAllHolders(db)
  const requests = (await openRequests(otherOwner)).length
  for (const email of ['once.a@example.org', 'once.b@example.org', 'once.c@example.org']) {
    await apply(other, {}, { email })
    assert.equal((await ask(owner, email)).status, 200)
    assert.equal((await ask(owner, email)).status, 200, 'a repeat asks again')
  }
  assert.ok(await db.one(claimInquiry()), 'taken by a process that dies')
  await Promise.all([1, 2, 3, 4].map(() => askAllHolders(db)))
  assert.equal(await askNextHolders(db), false, 'what is taken is left to its process for a while')
  clock.advance(600_000)
  try {
    await askAllHolders(db)
  } finally {
    clock.reset()
  }
  assert.equal((await openRequests(otherOwner)).length, requests + 3)
  assert.deepEqual(await db.query(sql`select 1 from erasure_inquiries`), [], 'no identifier is kept')
})

test('erasure requests: a holder that erases the person first is not notified', async () => {
  const email = 'erased.first@example.org'
  for (const at of [home, other]) await apply(at, {}, { email })
  const requests = (await openRequests(otherOwner)).length
  assert.equal((await ask(owner, email)).status, 200)
  assert.equal((await ask(otherOwner, email)).status, 200)
  await askAllHolders(db)
  assert.equal((await openRequests(otherOwner)).length, requests)
})
