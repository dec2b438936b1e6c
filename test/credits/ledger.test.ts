import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { creditVerbs } from '../../src/cli/credits.ts'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { PLANS, revealCreditsOf } from '../../src/contract/plans.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import {
  grantCredits,
  NotEnoughCredits,
  selectBalance,
  selectCreditEntries,
  spendCredits,
} from '../../src/resources/credits/index.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'

let service: TestService

before(async () => {
  service = await sharedTestService()
})

const db = () => service.services.db
const newWorkspace = async () => (await service.workspace('starter')).id
const ledger = async (workspace: string) =>
  (await db().query(selectCreditEntries(workspace, 100))).map(({ sequence, amount, balance }) => [
    sequence,
    amount,
    balance,
  ])
const grant = (workspace: string, amount: number) => grantCredits(db(), workspace, { amount, note: 'Order 4711' })
const spend = (workspace: string, price: number) =>
  db().transaction(tx =>
    spendCredits(tx, { workspace, kind: 'contact_reveal', price, userId: 'usr_1', subjectId: 'prf_1' }),
  )

test('credits: entries are numbered without gaps, and each balance is the sum of the amounts so far', async () => {
  const workspace = await newWorkspace()
  assert.equal(await db().one(selectBalance(workspace)), undefined)
  await grant(workspace, 100)
  await spend(workspace, 30)
  await spend(workspace, 0)
  await grant(workspace, 5)
  assert.deepEqual(await ledger(workspace), [
    [3, 5, 75],
    [2, -30, 70],
    [1, 100, 100],
  ])
  assert.deepEqual(await db().one(selectBalance(workspace)), { balance: 75 })
})

test('credits: what is not covered is refused and leaves nothing; of ten at the same time as many pass as are covered', async () => {
  const workspace = await newWorkspace()
  await assert.rejects(spend(workspace, 1), NotEnoughCredits)
  await grant(workspace, 30)
  await assert.rejects(spend(workspace, 31), /costs 31 credits/)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => spend(workspace, 10)))
  assert.equal(outcomes.filter(outcome => outcome.status === 'fulfilled').length, 3)
  assert.deepEqual(await ledger(workspace), [
    [4, -10, 0],
    [3, -10, 10],
    [2, -10, 20],
    [1, 30, 30],
  ])
})

test('credits: a failed transaction gives the credits back, and its number is used again', async () => {
  const workspace = await newWorkspace()
  await grant(workspace, 10)
  const failed = db().transaction(async tx => {
    await spendCredits(tx, { workspace, kind: 'contact_reveal', price: 4, userId: 'usr_1', subjectId: 'prf_1' })
    throw new Error('no')
  })
  await assert.rejects(failed, /^Error: no$/)
  await spend(workspace, 10)
  assert.deepEqual((await ledger(workspace))[0], [2, -10, 0])
})

test('credits: the ledger is append only: the database refuses to change or delete an entry', async () => {
  const workspace = await newWorkspace()
  await grant(workspace, 10)
  for (const statement of [
    sql`update credit_entries set amount = 20 where workspace_id = ${workspace}`,
    sql`delete from credit_entries where workspace_id = ${workspace}`,
  ])
    await assert.rejects(db().query(statement), /cannot be changed or deleted/)
  assert.deepEqual(await ledger(workspace), [[1, 10, 10]])
})

test('credits: prices: a résumé 50 on every plan; contact details by plan, cheaper on larger ones', () => {
  assert.equal(API_LIMITS.resumeUnlockCredits, 50)
  const prices = [null, ...Object.values(PLANS).map(plan => plan.code)].map(revealCreditsOf)
  assert.deepEqual(prices, [20, 10, 8, 5])
})

test('hiring credits grant, show: the balance, and who spent what on what; an error for a workspace that does not exist', async () => {
  const workspace = await newWorkspace()
  const run = (name: string, id: string, options: Record<string, string> = {}) =>
    runVerb(service, creditVerbs, name, [id], options)
  const empty = await run('credits show', workspace)
  assert.deepEqual(empty.json, { workspace_id: workspace, balance: 0, entries: [] })
  assert.equal(empty.text, 'balance: 0')
  const granted = await run('credits grant', workspace, { amount: '120', reason: ' Order 4711 ' })
  assert.equal(granted.text, `granted 120 to ${workspace}; the balance is 120`)
  await spend(workspace, 20)
  const { text, json } = await run('credits show', workspace)
  assert.match(text, /^balance: 100\n/)
  assert.match(text, /2 .* -20 +100 +contact_reveal +usr_1 +prf_1/)
  assert.match(text, /1 .* \+120 +120 +grant +operator +Order 4711/)
  const { entries } = json as { entries: Record<string, unknown>[] }
  assert.deepEqual(entries[1]!['note'], 'Order 4711')
  assert.equal((await run('credits show', workspace, { entries: '1' })).text.split('\n').length, 3)

  const wrong = (options: Record<string, string>) => run('credits grant', workspace, options)
  await assert.rejects(wrong({ amount: '0', reason: 'x' }), /--amount must be a whole number from 1 to 1000000/)
  await assert.rejects(wrong({ amount: '1.5', reason: 'x' }), /--amount must be a whole number/)
  await assert.rejects(wrong({ amount: '1', reason: '  ' }), /the reason must be 1 to 500 characters/)
  await assert.rejects(run('credits show', 'wsp_none'), /there is no workspace wsp_none/)
  await assert.rejects(run('credits grant', 'wsp_none', { amount: '1', reason: 'x' }), /there is no workspace wsp_none/)
  assert.deepEqual(await db().one(selectBalance(workspace)), { balance: 100 })
})
