import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openFolderBlobs } from '../../src/kernel/blobs/folder.ts'
import { clusterStatus, distribute } from '../../src/kernel/citus/cluster.ts'
import { UnfinishedDistribution } from '../../src/kernel/citus/distribution.ts'
import { isolateWorkspace, moveWorkspace, readPlacement } from '../../src/kernel/citus/moves.ts'
import { WORKSPACE_TABLES } from '../../src/kernel/citus/placement.ts'
import { Database, DatastoreUnavailable, type DbSession } from '../../src/kernel/db/database.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { type Migration, migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { erasureById, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { createClusterDatabase, onNode, startCitus, withoutCitus } from '../harness/citus.ts'
import { hiring, startHiring, temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'

// One cluster and one store for all tests, which follow each other: empty shards are most of the cost.
const SHARDS = 4
const APPLICATIONS = 300
const opts = { skip: withoutCitus }

const citus = withoutCitus ? (undefined as never) : await startCitus(2, { fast: true })
const open = (connections: number) =>
  new Database({ connectionString: citus.url }, { connections, log: createLog('silent') })
const db = withoutCitus ? (undefined as never) : open(6)
const env: Record<string, string> = withoutCitus
  ? {}
  : { DATABASE_URL: citus.url, DATA_DIR: temporaryFolder(), SECRET_KEY: '3'.repeat(64), DEMO: 'off' }
after(() => db?.close())

/** As on one server: triggers write the rows of the search and of the funnel. */
async function fill(workspace: string): Promise<void> {
  const session = await db.session()
  await session.script(`
    insert into workspaces (id, name) values ('${workspace}', 'Name');
    insert into users (workspace_id, id, role) values ('${workspace}', 'user_1', 'owner');
    insert into jobs (workspace_id, id, slug, title, source_system, description_md)
    select '${workspace}', 'job_' || n, 'slug-' || n, 'Engineer ' || n, 'test', 'C++ and Go' from generate_series(1, 5) n;
    insert into pipeline_stages (workspace_id, id, job_id, name, position, type)
    select workspace_id, 'stage_' || n || id, id, 'Stage', n, case when n = 0 then 'applied' else 'screen' end
    from jobs, generate_series(0, 1) n where workspace_id = '${workspace}';
    insert into applications (workspace_id, id, job_id, stage_id, source)
    select '${workspace}', 'app_' || n, 'job_' || n % 5 + 1, 'stage_0job_' || n % 5 + 1, 'careers'
    from generate_series(1, ${APPLICATIONS}) n;
    insert into stage_transitions (workspace_id, application_id, to_stage_id)
    select workspace_id, id, stage_id from applications where workspace_id = '${workspace}';
    insert into job_team (workspace_id, job_id, user_id) values ('${workspace}', 'job_1', 'user_1');
    insert into outbox (workspace_id, event_id, type, head, tail)
    values ('${workspace}', 'event_1', 'job.created', '{', '}');`)
  await session.close()
}

if (!withoutCitus) {
  await migrate(db)
  for (const workspace of ['ws_one', 'ws_two', 'ws_three']) await fill(workspace)
}

/** How many rows each distributed table has. */
async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of WORKSPACE_TABLES)
    found[name] = (await db.one(sql<{ n: number }>`select count(*)::integer as n from ${raw(name)}`))!.n
  return found
}

const verb = async (...args: string[]) => {
  const { code, stdout, stderr } = await hiring([...args, '--json'], env)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test(
  'hiring cluster: before the distribution status names what is missing, a dry run and a run that no one confirms change nothing, move is refused',
  opts,
  async () => {
    assert.equal((await verb('cluster', 'status')).distributed, 0)
    const plan = await verb('cluster', 'distribute', '--dry-run', '--shards', String(SHARDS))
    assert.deepEqual(
      plan.tables.map((table: { name: string }) => table.name),
      WORKSPACE_TABLES,
    )
    const unconfirmed = await hiring(['cluster', 'distribute'], env)
    assert.match(unconfirmed.stderr, /no command goes back.* There is no terminal to confirm it: use --yes/)
    assert.notEqual(unconfirmed.code, 0)
    assert.deepEqual(await traces(), [])
    assert.ok(plan.statements.some((statement: string) => /alter table job_team drop constraint/.test(statement)))
    const refused = await hiring(['cluster', 'move', 'ws_one', '127.0.0.1:1'], env)
    assert.match(refused.stderr, /are not distributed yet/)
    assert.notEqual(refused.code, 0)
    assert.equal((await clusterStatus(db)).distributed, 0)
  },
)

const LOCKED = sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCKS.distribution}`

/** Schemas and triggers that a distribution leaves. */
const traces = () =>
  db.query(sql<{ name: string }>`
  select nspname as name from pg_namespace where nspname in ('distributing', 'before_distribution')
  union all select tgname from pg_trigger where tgname = 'note_for_distribution'`)

let expected: Record<string, number>

test(
  'hiring cluster distribute: killed at any moment before the end, it leaves every row and writes go on',
  opts,
  async () => {
    expected = await counts()
    for (const moment of [/ empty shards /, / of \d+: applications, /, / are the same /]) {
      const { child, ended } = startHiring(['cluster', 'distribute', '--yes', '--shards', String(SHARDS)], env)
      await new Promise<void>(resolve => {
        child.stderr!.on('data', chunk => moment.test(String(chunk)) && resolve())
        child.once('exit', () => resolve())
      })
      child.kill('SIGKILL')
      const { code, stderr } = await ended
      assert.equal(code, null, `it was running: ${stderr}`)
      // the server ends the transaction when it looks for the next statement
      await until('the end of the session', async () => !(await db.one(LOCKED)))
      assert.deepEqual(await counts(), expected)
      assert.equal((await clusterStatus(db)).distributed, 0)
      await db.query(sql`update applications set updated_at = app_now() where workspace_id = 'ws_one' and id = 'app_1'`)
    }
    await db.query(sql`insert into schema_migrations (version, name, hash) values (900000, 'later', 'x')`)
    await assert.rejects(() => distribute(db, { onProgress: () => {} }), /the store was migrated since/)
    await db.query(sql`delete from schema_migrations where version = 900000`)
    await assert.rejects(() => distribute(db, { shards: 8, onProgress: () => {} }), /the tables have 4 shards already/)
    const { distribution } = await verb('cluster', 'status')
    assert.deepEqual(
      [distribution.tables, distribution.copied_tables],
      [WORKSPACE_TABLES.length, WORKSPACE_TABLES.length],
    )
  },
)

test(
  'hiring cluster distribute: an erasure completes only when an interrupted distribution has no copies; --cancel leaves nothing of it',
  opts,
  async () => {
    const email = 'gone@people.example'
    await db.query(sql`
      insert into applicants (workspace_id, id, full_name, email, email_key)
      values ('ws_one', 'apl_1', 'Kim Gone', ${email}, ${email})`)
    await db.query(sql`insert into unsubscribes (workspace_id, email_key, source) values ('ws_one', ${email}, 'link')`)
    const reports = sql`
      select 1 from outbox where workspace_id = 'ws_one' and type = 'data_subject.erasure_completed'`
    const folder = env['DATA_DIR']!
    const blobs = await openFolderBlobs({
      folder,
      publicUrl: () => '',
      signingKeys: () => [Buffer.alloc(32)],
      now: Date.now,
    })
    const context = { db, blobs, outbox: { remove: async () => {} } }
    const { id } = await requestErasure(db, { email, requestedBy: 'command_line' })
    await assert.rejects(() => runErasure(context, id), UnfinishedDistribution)
    const noted = sql`select 1 from distributing.changed_rows where strpos(key::text, ${email}) > 0`
    assert.notEqual((await db.query(noted)).length, 0, 'the address is noted outside the tables')
    assert.equal((await db.one(erasureById(id)))!.completed_at, null)
    assert.deepEqual(await db.query(reports), [])
    assert.match((await hiring(['doctor'], env)).stdout, /WARNING +distribution .*erasures do not complete before/)
    assert.match((await hiring(['cluster', 'status'], env)).stdout, /erasures do not complete before its end/)

    assert.deepEqual(await verb('cluster', 'distribute', '--cancel'), { cancelled: true })
    assert.deepEqual(await traces(), [])
    assert.notEqual((await runErasure(context, id)).completed_at, null)
    assert.equal((await db.query(reports)).length, 1)
    await db.query(sql`delete from outbox where workspace_id = 'ws_one' and event_id <> 'event_1'`)
    assert.deepEqual(await counts(), expected)
    assert.deepEqual(await verb('cluster', 'distribute', '--cancel'), { cancelled: false })
  },
)

let isOver = false
after(() => {
  isOver = true
})

/** Writes until it is stopped, also by a test that fails, each change until it succeeds; returns how many. */
function writing(change: (n: number) => Promise<unknown>): () => Promise<number> {
  let n = 0
  let goesOn = true
  const running = (async () => {
    for (n = 1; ; n++) {
      await change(n).catch(error => {
        if (!(error instanceof DatastoreUnavailable)) throw error
        n--
      })
      if (!goesOn || isOver) return
    }
  })()
  running.catch(() => {}) // thrown by the one who stops it
  return async () => {
    goesOn = false
    await running
    return n
  }
}

/** A value that is unique goes from a row of the first batch to one of a later batch, and back. */
const moveReference = (n: number) => {
  const [from, to] = n % 2 === 1 ? ['app_296', 'app_1'] : ['app_1', 'app_296']
  const set = (id: string, value: string | null) => sql`
    update applications set source_system = 'ats', source_external_id = ${value}
    where workspace_id = 'ws_one' and job_id = 'job_2' and id = ${id}`
  return db.transaction(async tx => {
    await tx.query(set(from!, null))
    await tx.query(set(to!, 'reference'))
  })
}

/** Columns, indexes, constraints and triggers of a schema, without parentheses: a text that is read again has fewer. */
const definitions = (schema: string) =>
  db.query(sql<{ definition: string }>`
  with t as (select oid, relname, reloptions from pg_class
    where relnamespace = ${schema}::regnamespace and relname = any(${WORKSPACE_TABLES}::text[]))
  select translate(replace(definition, ${`${schema}.`}, ''), '()', '') as definition from (
    select format('%s %s %s', relname, reloptions, count(*)) as definition from t join pg_attribute on attrelid = t.oid
      where attnum > 0 and not attisdropped group by relname, reloptions
    union all select format('%s.%s %s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity, attstattarget, pg_get_expr(adbin, adrelid))
      from t join pg_attribute a on attrelid = t.oid and attnum > 0 and not attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all select pg_get_indexdef(indexrelid) from t join pg_index on indrelid = t.oid
    union all select format('%s %s %s', relname, conname, pg_get_constraintdef(k.oid)) from t join pg_constraint k on conrelid = t.oid
    union all select pg_get_triggerdef(g.oid) from t join pg_trigger g on tgrelid = t.oid
      where not tgisinternal and tgname not in ('outbox_shared', 'note_for_distribution', 'truncate_trigger')
      and tgname not like 'citus%'
  ) as definitions order by 1`)

const sumOf = async (schema: string, table: string) =>
  (await db.one(sql<{ n: number; sum: string }>`
    select count(*)::integer as n, sum(hashtextextended(t::text, 0))::text as sum from ${raw(`${schema}.${table}`)} as t`))!

test(
  'cluster distribution of a store in use: reads and writes go on, every row and every definition is the same afterwards',
  opts,
  async () => {
    await db.query(sql`insert into lists (workspace_id, id, name) values ('ws_one', 'list_1', 'List')`)
    const count = (n: number) =>
      sql`update lists set candidate_count = ${n} where workspace_id = 'ws_one' and id = 'list_1'`
    const stops = [
      writing(n => db.query(count(n))),
      writing(n =>
        db.query(sql`insert into lists (workspace_id, id, name) values ('ws_three', ${`list_${n}`}, 'List')`),
      ),
      writing(moveReference),
    ]
    const lines: string[] = []
    let session: Promise<DbSession> | undefined
    const names = sql<{ n: number }>`select count(*)::integer as n from jobs where workspace_id = 'ws_one'`
    await assert.rejects(
      () =>
        distribute(db, {
          shards: SHARDS,
          batchRows: 100,
          onProgress: line => {
            lines.push(line)
            // a session that has the settings of the database from its beginning
            session ??= db.session()
            if (/^the tables are distributed/.test(line)) throw new Error('interrupted')
          },
        }),
      /interrupted/,
    )
    const [counted, inserted] = await Promise.all(stops.map(stop => stop()))
    const list = await db.one(sql<{ n: number }>`
      select candidate_count as n from lists where workspace_id = 'ws_one' and id = 'list_1'`)
    assert.equal(list!.n, counted)
    const made = await db.one(
      sql<{ n: number }>`select count(*)::integer as n from lists where workspace_id = 'ws_three'`,
    )
    assert.equal(made!.n, inserted)
    const place = `${WORKSPACE_TABLES.indexOf('applications') + 1} of ${WORKSPACE_TABLES.length}`
    assert.ok(lines.some(line => line.startsWith(`${place}: applications, 900 rows; `) && / \d+ % of /.test(line)))
    assert.match(lines.at(-1)!, /writes waited for \d+\.\d s/)

    for (const table of WORKSPACE_TABLES.filter(name => !['lists', 'applications'].includes(name)))
      assert.deepEqual(await sumOf('public', table), await sumOf('before_distribution', table), table)
    assert.deepEqual(await definitions('public'), await definitions('before_distribution'))
    assert.deepEqual(await (await session!).query(names), [{ n: 5 }], 'a session that was open goes on')
    await (await session!).close()

    const status = await clusterStatus(db)
    assert.deepEqual(status.not_distributed, [])
    assert.equal(status.groups, SHARDS)
    assert.deepEqual((await distribute(db, { onProgress: () => {} })).tables, [], 'a second run has nothing to copy')
    assert.deepEqual(await traces(), [], 'no copy is left on the coordinator, where an erasure would not find it')
  },
)

test(
  'cluster: in a distributed store triggers write on the node, numbers go on, keys and settings hold',
  opts,
  async () => {
    const before = (await db.one(sql<{ n: number }>`select max(number) as n from jobs`))!.n
    await fill('ws_four')
    const job = (await db.one(sql<{ n: number }>`select min(number) as n from jobs where workspace_id = 'ws_four'`))!
    assert.equal(job.n, before + 1)
    const counted = await db.one(sql<{ n: number }>`
    select count(*)::integer as n from application_funnel where workspace_id = 'ws_four'`)
    assert.equal(counted!.n, APPLICATIONS)
    const log = await db.query(sql`select 1 from event_logs where workspace_id = 'ws_four'`)
    assert.equal(log.length, 1, 'a new workspace has a log')
    const similar = await db.query(sql<{ word: string }>`select word from job_words_like('ws_four', 'enginer')`)
    assert.deepEqual(similar, [{ word: 'engineer' }])
    await assert.rejects(
      () =>
        db.query(sql`insert into applications (workspace_id, id, job_id, stage_id, source)
      values ('ws_four', 'app_x', 'job_unknown', 'stage_0job_1', 'careers')`),
      /foreign key/,
    )
    // the time comes from the coordinator
    const touched = await db.one(sql<{ later: boolean }>`
    update jobs set updated_at = app_touch(updated_at) where workspace_id = 'ws_four' and id = 'job_1'
    returning updated_at > created_at as later`)
    assert.equal(touched!.later, true)
    await db.query(sql`insert into credit_entries (workspace_id, sequence, kind, amount, balance)
    values ('ws_four', 1, 'grant', 5, 5)`)
    const remove = sql`delete from credit_entries where workspace_id = 'ws_four'`
    await assert.rejects(() => db.query(remove), /cannot be changed or deleted/)
    // connections that were opened after the distribution have the settings of the database
    const fresh = open(2)
    await fresh.transaction(async tx => {
      await tx.query(sql`set local hiring.deleting_workspace = 'on'`)
      await tx.query(remove)
    })
    await fresh.close()
  },
)

test('cluster: migrations run on a distributed store, and tables that they make are distributed', opts, async () => {
  const text = `
    alter table jobs add column planned text;
    -- a comment; with a semicolon
    create table job_plans (
      workspace_id handle not null references workspaces on delete cascade,
      job_id handle not null,
      plan text not null default 'a;b',
      primary key (workspace_id, job_id),
      foreign key (workspace_id, job_id) references jobs (workspace_id, id) on delete cascade
    );
    create index job_plans_plan on job_plans (workspace_id, plan);
    create function note_plan() returns trigger language plpgsql as $$
    begin new.plan := current_setting('plan_cache_mode'); return new; end $$;
    create trigger job_plans_noted before insert on job_plans for each row execute function note_plan();`
  const made: Migration = { version: 900_001, name: 'plans', text, hash: 'x' }
  const index: Migration = {
    version: 900_002,
    name: 'plans_index',
    text: '-- outside a transaction\ncreate index concurrently if not exists jobs_planned on jobs (workspace_id, planned);',
    hash: 'y',
  }
  const migrations = [...readMigrations(), made, index]
  const fresh = open(2)
  try {
    const workspaceTables = [...WORKSPACE_TABLES, 'job_plans', 'made_by_a_later_migration']
    const { applied } = await migrate(fresh, { migrations, workspaceTables })
    assert.deepEqual(applied, ['plans', 'plans_index'])
    await fresh.query(sql`insert into job_plans (workspace_id, job_id) values ('ws_one', 'job_1'), ('ws_two', 'job_1')`)
    const plans = await fresh.query(sql<{ plan: string }>`select plan from job_plans`)
    assert.deepEqual(plans, [{ plan: 'force_custom_plan' }, { plan: 'force_custom_plan' }], 'a trigger on a worker')
    await fresh.query(sql`update jobs set planned = 'x' where workspace_id = 'ws_one'`)
  } finally {
    await fresh.close()
  }
})

test(
  'hiring cluster: workers plan each statement of a trigger; doctor and status name one that does not, migrate and rebalance set it',
  opts,
  async () => {
    const modes = async () => {
      const shown = await db.query(sql<{ port: number; result: string }>`
        select nodeport as port, result from run_command_on_workers('show plan_cache_mode') order by 1`)
      return shown.map(({ result }) => result)
    }
    const [, , worker] = citus.nodes
    const reset = () =>
      onNode(
        worker!.port,
        'hiring',
        'begin; set local citus.enable_ddl_propagation = off; alter database hiring reset plan_cache_mode; commit',
      )
    assert.deepEqual(await modes(), ['force_custom_plan', 'force_custom_plan'])
    const [own] = await onNode(citus.nodes[0]!.port, 'hiring', 'show plan_cache_mode')
    assert.deepEqual(own, { plan_cache_mode: 'auto' }, 'not on the coordinator')
    assert.deepEqual((await verb('cluster', 'status')).worker_faults, [])

    const lacks = new RegExp(`127.0.0.1:${worker!.port} lacks plan_cache_mode = force_custom_plan`)
    for (const remedy of [['migrate'], ['cluster', 'rebalance']]) {
      await reset()
      assert.match((await hiring(['cluster', 'status'], env)).stdout, lacks)
      const { stdout } = await hiring(['doctor'], env)
      assert.match(stdout, new RegExp(`WARNING +workers .*${lacks.source}.*run hiring migrate`))
      await verb(...remedy)
      assert.deepEqual((await verb('cluster', 'status')).worker_faults, [], remedy.join(' '))
      assert.doesNotMatch((await hiring(['doctor'], env)).stdout, / lacks /)
    }
  },
)

test(
  'hiring cluster isolate, move: a workspace goes to another node while it is written; no row is lost',
  opts,
  async () => {
    const own = await isolateWorkspace(db, 'ws_two', { blocksWrites: true })
    assert.equal(own.is_isolated, true)
    await assert.rejects(() => isolateWorkspace(db, 'ws_two', { blocksWrites: true }), /shards of its own already/)
    const target = citus.nodes.slice(1).find(node => node.port !== own.port)!
    const add = sql`update lists set candidate_count = candidate_count + 1 where workspace_id = 'ws_two' and id = 'list_1'`
    await db.query(sql`insert into lists (workspace_id, id, name) values ('ws_two', 'list_1', 'List')`)
    let moving = true
    let written = 0
    const writing = (async () => {
      while (moving) {
        await db.query(add)
        written++
      }
    })()
    const moved = await moveWorkspace(db, 'ws_two', target).finally(() => {
      moving = false
    })
    await writing
    assert.equal(moved.port, target.port)
    assert.deepEqual(await readPlacement(db, 'ws_two'), moved)
    const list = await db.one(sql<{ n: number }>`
    select candidate_count as n from lists where workspace_id = 'ws_two' and id = 'list_1'`)
    assert.equal(list!.n, written)
    assert.ok(written > 0)
    const here = await hiring(['cluster', 'move', 'ws_two', `127.0.0.1:${target.port}`], env)
    assert.match(here.stderr, /ws_two is on 127\.0\.0\.1/)
    const nowhere = await hiring(['cluster', 'move', 'ws_two', 'elsewhere:5432'], env)
    assert.match(nowhere.stderr, /no active node elsewhere:5432/)
    const place = await verb('cluster', 'status', '--workspace', 'ws_two')
    assert.equal(place.port, target.port)
  },
)

test('hiring cluster rebalance: starts when nodes are uneven; status shows its end and the nodes', opts, async () => {
  // what is left of shards that were moved is removed in the background, and by this
  const client = new pg.Client({ connectionString: citus.url })
  await client.connect()
  await client.query('call citus_cleanup_orphaned_resources()')
  await client.end()
  const { started } = await verb('cluster', 'rebalance')
  const ends = Date.now() + 60_000
  let status = await verb('cluster', 'status')
  while (started && !['finished', 'failed', 'cancelled'].includes(status.rebalance.state) && Date.now() < ends) {
    await delay(300)
    status = await verb('cluster', 'status')
  }
  if (started) assert.equal(status.rebalance.state, 'finished')
  assert.equal(status.nodes.length, 3)
  const shards = status.nodes.reduce((sum: number, node: { shards: number }) => sum + node.shards, 0)
  assert.equal(shards, status.groups * status.distributed)
  assert.equal((await counts())['applications'], 4 * APPLICATIONS)
})

test(
  'hiring cluster distribute --cancel: removes the copies where Citus, or a part of them, was dropped; doctor shows them until then',
  opts,
  async () => {
    const url = await createClusterDatabase(citus, 'interrupted')
    const store = new Database({ connectionString: url }, { connections: 2, log: createLog('silent') })
    const own = { ...env, DATABASE_URL: url }
    const hasSchema = async () =>
      (await store.query(sql`select 1 from pg_namespace where nspname = 'distributing'`)).length
    try {
      await migrate(store)
      const onProgress = (line: string) => {
        if (line.startsWith('1 of ') || / are the same /.test(line)) throw new Error('interrupted')
      }
      await assert.rejects(() => distribute(store, { shards: 2, onProgress }), /interrupted/)
      await store.query(sql`drop table distributing.copied_tables`)
      await assert.rejects(() => distribute(store, { onProgress }), /no distribution that can go on: run .* --cancel/)
      await store.query(sql`drop extension citus cascade`)
      assert.match((await hiring(['doctor'], own)).stdout, /WARNING +distribution /)
      const cancelled = await hiring(['cluster', 'distribute', '--cancel'], own)
      assert.equal(cancelled.code, 0, cancelled.stderr)
      assert.match(cancelled.stderr, /the extension citus is gone: drop the databases on the workers/)
      assert.equal(await hasSchema(), 0)
      assert.doesNotMatch((await hiring(['doctor'], own)).stdout, / distribution /)
      await store.query(sql`insert into workspaces (id, name) values ('ws_one', 'One')`)
      await store.query(sql`insert into lists (workspace_id, id, name) values ('ws_one', 'list_1', 'List')`)
    } finally {
      await store.close()
    }
  },
)
