import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { makePage } from '../../src/kernel/http/list.ts'
import { CANDIDATE_ORDERS, candidatesPage, findSimilarNames } from '../../src/resources/candidate-search/index.ts'
import { findByEmail, findByPhone, findByWords } from '../../src/resources/candidate-search/search-store.ts'
import { sharedWorld, type World } from '../applications/setup.ts'
import { explain, listPlanNodes } from '../harness/plans.ts'
import { seedBoard } from './seed-board.ts'

let world: World

before(async () => {
  world = await sharedWorld()
  const { db } = world.service.services
  for (let i = 0; i < 3; i++) await seedBoard(db, world.workspace, world.job, 1_000)
  await db.query(sql`analyze application_search`)
  await db.query(sql`analyze applicants`)
})

type Statement = Parameters<typeof explain>[1]

const plan = (statement: Statement) =>
  world.service.services.db.transaction(async tx => listPlanNodes(await explain(tx, statement)))

/** A table of a few thousand rows is as fast without its index: what counts is whether the index can serve the statement. */
const planByIndex = (statement: Statement) =>
  world.service.services.db.transaction(async tx => {
    await tx.query(sql`set local enable_seqscan = off`)
    return listPlanNodes(await explain(tx, statement))
  })

type Nodes = Awaited<ReturnType<typeof plan>>

const scans = (nodes: Nodes) =>
  nodes.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
const indexes = (nodes: Nodes) => nodes.flatMap(node => node['Index Name'] ?? [])

test('search: names, parts of names, words, similar names, addresses and numbers are found by their indexes', async () => {
  const { workspace } = world
  const statements = {
    words: findByWords(workspace, 'radia 42'),
    parts: findByWords(workspace, 'rdob'),
    similar: findSimilarNames(workspace, 'lovelaze'),
    email: findByEmail(workspace, 'ada@example.org'),
    phone: findByPhone(workspace, '0151 2345678'),
  }
  for (const [name, statement] of Object.entries(statements))
    assert.deepEqual(scans(await planByIndex(statement)), [], name)
  for (const statement of [statements.words, statements.parts, statements.similar])
    assert.ok(indexes(await planByIndex(statement)).includes('application_search_words'))
  for (const [name, index] of [
    ['email', 'applicants_email'],
    ['phone', 'applicants_phone_key'],
  ] as const)
    assert.ok(
      indexes(await planByIndex(statements[name])).some(used => used.startsWith(index)),
      name,
    )
})

test('candidates: a page in the order of application or activity reads a page of an index', async () => {
  for (const sort of ['applied', 'activity'] as const) {
    const page = makePage(CANDIDATE_ORDERS[sort], { limit: 50 }, undefined)
    const nodes = await plan(candidatesPage(world.workspace, {}, page))
    assert.ok(indexes(nodes).includes(sort === 'applied' ? 'applications_applied' : 'applications_updated'), sort)
    assert.ok(!scans(nodes).includes('applications'), sort)
  }
})
