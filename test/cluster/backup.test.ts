import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { checkCluster } from '../../src/cli/check-cluster.ts'
import { openTarget } from '../../src/kernel/backup/target.ts'
import { openFolderBlobs } from '../../src/kernel/blobs/folder.ts'
import { distribute } from '../../src/kernel/citus/cluster.ts'
import { moveWorkspace, readPlacement } from '../../src/kernel/citus/moves.ts'
import { waitForPrepared } from '../../src/kernel/citus/nodes.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { backUp } from '../../src/resources/backups/index.ts'
import { connect, digests, run } from '../backup/setup.ts'
import { type Installation, startInstallation } from '../faults/cluster.ts'
import { Load } from '../faults/load.ts'
import { createClusterDatabase, onNode, startCitus, withoutCitus } from '../harness/citus.ts'
import { cloneDatabase, stopOwnServer, type TestDatabase } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'

// One cluster and one store for all tests, which follow each other.
const opts = { skip: withoutCitus }
const SHARDS = 4
const BACKUPS = 2
const BACKUP_KEY = 'cd'.repeat(32)

const citus = withoutCitus ? (undefined as never) : await startCitus(2, { fast: true })
const open = (url: string) => new Database({ connectionString: url }, { connections: 6, log: createLog('silent') })
const opened: Database[] = []
after(async () => {
  for (const db of opened) await db.close()
  await stopOwnServer()
})

async function prepare(): Promise<{ first: Installation; second: Installation }> {
  const db = open(citus.url)
  await migrate(db)
  await distribute(db, { shards: SHARDS, onProgress: () => {} })
  await db.close()
  const first = await startInstallation({ url: citus.url })
  const { port } = await readPlacement(first.db, first.workspace)
  let second = await first.another()
  while ((await readPlacement(first.db, second.workspace)).port === port) second = await first.another()
  for (const { workspace } of [first, second])
    for (const id of Object.values(projects))
      await first.db.query(sql`insert into projects (workspace_id, id, name) values (${workspace}, ${id}, '0')`)
  return { first, second }
}
/** In each workspace; the writers of the first test change their names. */
const projects = { atomic: newHandle('project'), chained: newHandle('project') }
/** two workspaces on different nodes */
const { first, second } = withoutCitus ? (undefined as never) : await prepare()
const homes = withoutCitus ? [] : [first, second]

const setName = (workspace: string, id: string, name: number): Sql => sql`
  update projects set name = ${String(name)} where workspace_id = ${workspace} and id = ${id}`
const nameOf = (workspace: string, id: string) => sql<{ name: string }>`
  select name from projects where workspace_id = ${workspace} and id = ${id}`
const setSlot = (workspace: string, column: 'first_name' | 'last_name', value: number): Sql =>
  column === 'first_name'
    ? sql`update users set first_name = ${String(value)} where workspace_id = ${workspace}`
    : sql`update users set last_name = ${String(value)} where workspace_id = ${workspace}`

/** Writes without a pause until it is stopped. */
class Writer {
  count = 0
  #stopped = false
  readonly #ended: Promise<void>

  constructor(write: (n: number) => Promise<unknown>) {
    this.#ended = this.#run(write)
    this.#ended.catch(() => {}) // thrown by `stop`
  }

  async #run(write: (n: number) => Promise<unknown>): Promise<void> {
    while (!this.#stopped) {
      await write(this.count + 1)
      this.count++
    }
  }

  stop(): Promise<void> {
    this.#stopped = true
    return this.#ended
  }
}

const EVENTS = ['application.created', 'application.stage_changed', 'job.published', 'job.updated'] as const

/** What a store says about a workspace: records and events of which none is without the other. */
async function pairsIn(
  db: Database,
  workspace: string,
): Promise<Record<(typeof EVENTS)[number], [string[], string[]]>> {
  const bodies = await db.query(sql<{ type: string; body: string }>`
    select type, body from events where workspace_id = ${workspace}`)
  const emitted = Map.groupBy(
    bodies.map(row => ({ type: row.type, id: JSON.parse(row.body).data.object.id as string })),
    event => event.type,
  )
  const ids = async (statement: Sql<{ id: string }>) => (await db.query(statement)).map(row => row.id).sort()
  const changed = {
    'application.created': await ids(sql`select id from applications where workspace_id = ${workspace}`),
    'application.stage_changed': await ids(sql`
      select application_id as id from stage_transitions where workspace_id = ${workspace} and from_stage_id is not null`),
    'job.published': await ids(sql`select id from jobs where workspace_id = ${workspace}`),
    'job.updated': await ids(sql`select id from jobs where workspace_id = ${workspace} and title like 'Fitter%'`),
  }
  const pairs = EVENTS.map(type => [type, [changed[type], (emitted.get(type) ?? []).map(event => event.id).sort()]])
  return Object.fromEntries(pairs)
}

const connectCoordinator = (database: string) =>
  connect({ host: '127.0.0.1', port: citus.nodes[0]!.port, user: 'postgres', password: '', database })

/** The shard of projects that has a workspace, and the node that it is on. */
async function projectsOf(workspace: string): Promise<{ shard: string; port: number }> {
  const { port } = await readPlacement(first.db, workspace)
  const found = await first.db.one(sql<{ shard: string }>`
    select shard_name('projects', get_shard_id_for_distribution_column('projects', ${workspace}::text)) as shard`)
  return { shard: found!.shard, port }
}

/** Whether a backup keeps a shard from being dropped. */
const isHeld = async (port: number, shard: string): Promise<boolean> => {
  // sessions of the coordinator have another name
  const held = `select 1 from pg_locks l join pg_stat_activity a using (pid)
    where l.relation = '${shard}'::regclass and l.mode = 'AccessShareLock' and a.application_name = 'hiring'`
  return (await onNode(port, 'hiring', held)).length > 0
}

/** Restores a backup into plain PostgreSQL. */
async function restored(
  place: string,
  args: string[] = [],
): Promise<{ db: Database; database: TestDatabase; dataDir: string }> {
  const database = await cloneDatabase('template0')
  const dataDir = join(temporaryFolder(), 'data')
  await run('restore', [place, ...args], {
    ...first.settings,
    BACKUP_KEY,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
  })
  const db = open(database.url)
  opened.push(db)
  return { db, database, dataDir }
}

const openBlobs = () =>
  openFolderBlobs({
    folder: join(first.dataDir, 'files'),
    publicUrl: () => '',
    signingKeys: () => [Buffer.alloc(32)],
    now: Date.now,
  })

const place = join(temporaryFolder(), 'backups')
const settings = withoutCitus ? {} : { ...first.settings, BACKUP_KEY }

test(
  'hiring backup of a cluster under writes on several nodes: restored on plain PostgreSQL, no change is there in part, without its event, or before its cause',
  opts,
  async t => {
    const { db } = first
    await db.query(setSlot(first.workspace, 'first_name', 0))
    await db.query(setSlot(first.workspace, 'last_name', 0))
    const nodes = [await first.start('api'), await first.start('worker')]
    const loads = homes.map(home => new Load(home, () => nodes.slice(0, 1), { pauseMs: 10 }))
    await Promise.all(loads.map(load => load.start()))
    const writers = [
      // one change on two nodes and the coordinator
      new Writer(n =>
        db.transaction(async tx => {
          await tx.query(setName(first.workspace, projects.atomic, n))
          await tx.query(setName(second.workspace, projects.atomic, n))
          await tx.query(setSlot(first.workspace, 'first_name', n))
        }),
      ),
      // each change is the cause of the next one, on another server
      new Writer(async n => {
        await db.query(setName(first.workspace, projects.chained, n))
        await db.query(setName(second.workspace, projects.chained, n))
        await db.query(setSlot(first.workspace, 'last_name', n))
      }),
    ]
    const names: string[] = []
    for (let i = 0; i < BACKUPS; i++) {
      await Promise.all(loads.map(load => load.progress(10)))
      const { json } = await run('backup', [place], settings)
      names.push(json.name)
      t.diagnostic(`writes waited for ${json.writes_waited_ms} ms; ${json.rows} rows`)
    }
    const { epoch } = (await db.one(sql<{ epoch: string }>`select epoch from feed_state`))!
    for (const writer of writers) await writer.stop()
    await Promise.all(loads.map(load => load.stop()))
    t.diagnostic(`${writers.map(writer => writer.count).join(' and ')} changes on several servers`)
    assert.deepEqual(
      loads.flatMap(load => load.refusals()).filter(refusal => refusal !== '409 idempotency_in_flight'),
      [],
    )
    for (const node of nodes) await node.kill()

    for (const name of names) {
      const copy = await restored(place, [name])
      const value = async (statement: Sql<{ name: string }>) => Number((await copy.db.one(statement))!.name)
      const user = (column: Sql) =>
        sql<{ name: string }>`select ${column} as name from users where workspace_id = ${first.workspace}`
      const atomic = [
        await value(nameOf(first.workspace, projects.atomic)),
        await value(nameOf(second.workspace, projects.atomic)),
        await value(user(sql`first_name`)),
      ]
      assert.deepEqual(atomic, [atomic[0], atomic[0], atomic[0]], 'a change on several servers is whole')
      const chained = [
        await value(nameOf(first.workspace, projects.chained)),
        await value(nameOf(second.workspace, projects.chained)),
        await value(user(sql`last_name`)),
      ]
      assert.deepEqual(
        chained,
        chained.toSorted((a, b) => b - a),
        'no change is there before its cause',
      )
      assert.ok(chained[0]! - chained[2]! <= 1, String(chained))
      assert.notEqual((await copy.db.one(sql<{ epoch: string }>`select epoch from feed_state`))!.epoch, epoch)
      for (const { workspace } of homes) {
        const sequences = await copy.db.query(
          sql<{ sequence: number }>`select sequence from events where workspace_id = ${workspace} order by sequence`,
        )
        assert.deepEqual(
          sequences.map(row => row.sequence),
          sequences.map((_, i) => i + 1),
          'the feed has no gap',
        )
      }
      while ((await sequenceBatch(copy.db)) > 0);
      for (const { workspace } of homes) {
        for (const [type, [changed, emitted]] of Object.entries(await pairsIn(copy.db, workspace))) {
          assert.ok(changed.length > 0, type)
          assert.deepEqual(emitted, changed, type)
        }
        const { charged, audited } = (await copy.db.one(sql<{ charged: number; audited: number }>`
        select (select sum(used) from personal_data_usage where workspace_id = ${workspace}) as charged,
          (select sum(units) from personal_data_reads where workspace_id = ${workspace}) as audited`))!
        assert.ok(charged > 0)
        assert.equal(charged, audited, 'what was charged is what was read')
      }
    }
  },
)

test(
  'hiring backup of a cluster: every row and file is the same on plain PostgreSQL, and again when that is distributed, which then serves',
  opts,
  async () => {
    const { db, workspace } = first
    const api = await first.start('api')
    const load = new Load(first, () => [api])
    const { id: job } = await load.call('POST', '/jobs', {
      source: { system: 'acme_ats', external_id: 'with files' },
      title: 'Welder',
      content: { summary: 'Work.' },
      publish: true,
    })
    const applyAt = async (at: Load, email: string, file: string) => {
      const content = Buffer.from(file)
      const { upload_id, upload } = await at.call('POST', '/uploads', {
        content_type: 'text/plain',
        size_bytes: content.length,
      })
      assert.equal((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: content })).status, 200)
      return at.call('POST', '/applications', {
        job_id: job,
        candidate: { first_name: 'Kim', last_name: 'File', email },
        source: { system: 'acme_ats', external_id: email },
        resume_upload_id: upload_id,
      })
    }
    await applyAt(load, 'kept@people.example', 'Kim, welder')
    const { id: lost } = await applyAt(load, 'lost@people.example', 'Kim, fitter')
    await api.kill()
    const { key } = (await db.one(sql<{ key: string }>`
    select blob_key as key from resumes where workspace_id = ${workspace} and application_id = ${lost}`))!
    const blobs = await openBlobs()
    await blobs.remove(key)
    // what a cluster cannot refuse: the member is gone
    await db.query(sql`
    insert into job_team (workspace_id, job_id, user_id) values (${workspace}, ${job}, ${newHandle('user')})`)

    const cluster = await connectCoordinator('hiring')
    const expected = await digests(cluster)
    const given = await cluster.query<{ n: number }>(
      'select count(*)::integer as n from funnel_changes where id > 2 ^ 40',
    )
    assert.ok(given.rows[0]!.n > 0, 'nodes have given numbers of their own')
    await cluster.end()
    const { json } = await run('backup', [place], settings)
    assert.deepEqual(json.lost_files, [key])
    assert.deepEqual((await run('backup verify', [place], settings)).json.faults ?? [], [])
    assert.equal(
      (await db.one(sql<{ name: string }>`select last_backup_name as name from installation`))!.name,
      json.name,
    )

    const plain = await restored(place)
    const client = await connect(plain.database.connection)
    const found = await digests(client)
    const numbers = await client.query<{ n: number }>('select max(id)::float8 as n from funnel_changes')
    await client.end()
    assert.ok(numbers.rows[0]!.n < 2 ** 40)
    assert.equal(found['job_team'], '0 ')
    assert.deepEqual({ ...found, job_team: '' }, { ...expected, job_team: '' })

    const url = await createClusterDatabase(citus, 'again')
    const again = { ...settings, DATABASE_URL: url, DATA_DIR: join(temporaryFolder(), 'data') }
    await run('restore', [place], again)
    await assert.rejects(run('restore', [place], again), /empty/)
    const copy = open(url)
    opened.push(copy)
    await distribute(copy, { shards: SHARDS, onProgress: () => {} })
    const distributed = await connectCoordinator('again')
    assert.deepEqual(await digests(distributed), found)
    await distributed.end()
    const node = await first.start('api', again)
    const onCopy = new Load(first, () => [node])
    const application = await applyAt(onCopy, 'new@people.example', 'Kim, smith')
    const contact = await onCopy.call('GET', `/applicants/${application.applicant_id}/contact-info`)
    assert.ok(JSON.stringify(contact).includes('new@people.example'))
    await node.kill()
  },
)

/** A backup with something done between its snapshot and the first row that is read. */
async function interrupted(
  folder: string,
  onSnapshot: () => Promise<void>,
  limits: { silenceMs?: number } = {},
): Promise<void> {
  const config = readConfig(settings)
  const target = await openTarget(config, folder, { key: config.BACKUP_KEY, create: true })
  const blobs = await openBlobs()
  const source = { db: first.db, blobs, secretKeys: [first.settings['SECRET_KEY']!], release: '0.0.0' }
  const signal = new AbortController().signal
  try {
    await backUp(source, target, { signal, onProgress: () => {}, onSnapshot, ...limits })
  } finally {
    await target.close()
  }
}

test(
  'hiring backup of a cluster: shards that are moved and rows that are written after its snapshot change nothing in it',
  opts,
  async () => {
    const { db, workspace } = first
    const client = await connectCoordinator('hiring')
    const expected = await digests(client)
    await client.end()
    const folder = join(temporaryFolder(), 'moved')
    await interrupted(folder, async () => {
      const { shard, port } = await projectsOf(workspace)
      await moveWorkspace(db, workspace, citus.nodes.slice(1).find(node => node.port !== port)!)
      await db.query(setName(workspace, projects.atomic, -1))
      // as Citus does after a while
      const drop = `set citus.enable_manual_changes_to_shards = on; set lock_timeout = 100; drop table ${shard}`
      await assert.rejects(onNode(port, 'hiring', drop), /lock timeout/)
    })
    const { database } = await restored(folder)
    const copy = await connect(database.connection)
    const found = await digests(copy)
    await copy.end()
    assert.deepEqual({ ...found, job_team: '' }, { ...expected, job_team: '' })
  },
)

test(
  'hiring backup of a cluster: waits for the end of a transaction that has written on two nodes, and has all of it',
  opts,
  async () => {
    const { shard, port } = await projectsOf(second.workspace)
    const session = await first.db.session()
    await session.script('begin')
    for (const { workspace } of homes) await session.query(setName(workspace, projects.atomic, 55))
    let ended = false
    const folder = join(temporaryFolder(), 'open')
    const made = interrupted(folder, async () => assert.ok(ended, 'no snapshot before its end'))
    await until('a try', () => isHeld(port, shard))
    ended = true
    await session.script('commit')
    await session.close()
    await made
    const copy = await restored(folder)
    for (const { workspace } of homes) assert.equal((await copy.db.one(nameOf(workspace, projects.atomic)))!.name, '55')
  },
)

test(
  'hiring backup of a cluster: waits for a change between its two phases, which is on one node and not on another; doctor and what else waits for it name both',
  opts,
  async () => {
    const { workspace } = second
    const { shard, port } = await projectsOf(workspace)
    // the transaction belongs to another coordinator, so that Citus does not decide it by itself
    const gid = 'citus_9_1_1_0'
    await onNode(
      port,
      'hiring',
      `
    set citus.enable_manual_changes_to_shards = on; begin;
    update ${shard} set name = '77' where workspace_id = '${workspace}'; prepare transaction '${gid}'`,
    )
    let decided = false
    const folder = join(temporaryFolder(), 'undecided')
    const made = interrupted(folder, async () => assert.ok(decided, 'no snapshot before that'))
    await until('a try', () => isHeld(port, shard))
    const named = new RegExp(`127.0.0.1:${port} has not ended the transaction ${gid} .*docs/citus.md`)
    await assert.rejects(waitForPrepared(first.db), named)
    const found = async (lateSeconds: number) =>
      (await checkCluster(first.db, { lateSeconds })).find(({ name }) => name === 'interrupted changes')!
    const late = await found(1)
    assert.equal(late.state, 'warning')
    assert.match(late.detail, named)
    assert.equal((await found(600)).state, 'ok')
    decided = true
    await onNode(port, 'hiring', `commit prepared '${gid}'`)
    await waitForPrepared(first.db)
    assert.equal((await found(0)).state, 'ok')
    await made
    const copy = await restored(folder)
    assert.equal((await copy.db.one(nameOf(workspace, projects.atomic)))!.name, '77')
  },
)

test(
  'hiring backup of a cluster: a node that is down, or killed in the middle, is an error that names it, and there is no backup',
  opts,
  async () => {
    const { db, workspace } = second
    const { port } = await readPlacement(db, workspace)
    const node = citus.nodes.findIndex(one => one.port === port)
    const folder = join(temporaryFolder(), 'killed')
    await assert.rejects(
      interrupted(folder, () => citus.kill(node)),
      new RegExp(`the node 127.0.0.1:${port} of the cluster failed`),
    )
    assert.equal(existsSync(join(folder, 'blobs/manifests')), false)
    await assert.rejects(run('backup', [folder], settings), new RegExp(`cannot connect to the node 127.0.0.1:${port}`))
    assert.deepEqual((await run('backup list', [folder], settings)).json.backups, [])
    await citus.start(node)
    await until('the node responds', () => db.one(nameOf(workspace, projects.atomic)).then(Boolean, () => false))
    const { json } = await run('backup', [folder], settings)
    assert.deepEqual(
      (await run('backup list', [folder], settings)).json.backups.map((backup: { name: string }) => backup.name),
      [json.name],
    )
  },
)

test(
  'hiring backup of a cluster: a node that hangs without closing its connections is an error that names it, before its snapshot and after it',
  opts,
  async () => {
    const { db, workspace } = second
    const { port } = await readPlacement(db, workspace)
    const node = citus.nodes.findIndex(one => one.port === port)
    const folder = join(temporaryFolder(), 'frozen')
    let resume = () => {}
    const freeze = async () => {
      resume = await citus.freeze(node)
    }
    try {
      await assert.rejects(
        interrupted(folder, freeze, { silenceMs: 2_000 }),
        new RegExp(`the node 127.0.0.1:${port} of the cluster failed: the server did not respond for 2 s`),
        'between its snapshot and its rows',
      )
      assert.equal(existsSync(join(folder, 'blobs/manifests')), false)
      await assert.rejects(
        run('backup', [folder], settings),
        new RegExp(`cannot connect to the node 127.0.0.1:${port}`),
        'before it',
      )
    } finally {
      resume()
    }
    await until('the node responds', () => db.one(nameOf(workspace, projects.atomic)).then(Boolean, () => false))
    await run('backup', [folder], settings)
  },
)
