import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { addUpFunnel, checkFunnel } from '../../src/resources/analytics/index.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'

test('hiring funnel: rows that SQL writes directly are counted as their history says', async () => {
  const database = await cloneDatabase()
  const db = new Database(database.connection, { connections: 4, log: createLog('silent') })
  after(async () => {
    await db.close()
    await database.drop()
    await stopOwnServer()
  })
  const session = await db.session()
  await session.script(`
    insert into workspaces (id, name) values ('wsp_1', 'One'), ('wsp_2', 'Two');
    insert into jobs (workspace_id, id, slug, title, source_system)
      select w, w || '_job_' || j, w || j, 'Job', 'test' from unnest('{wsp_1,wsp_2}'::text[]) w, generate_series(1, 3) j;
    insert into pipeline_stages (workspace_id, id, job_id, name, type, position)
      select j.workspace_id, j.id || '_' || t.type, j.id, t.type, t.type, t.place
      from jobs j, unnest('{applied,screen,interview,offer,hired,rejected}'::text[]) with ordinality t (type, place);
    insert into applications (workspace_id, id, job_id, stage_id, status, source, applied_at, hired_at)
      select j.workspace_id, j.id || '_app_' || n, j.id,
        j.id || '_' || (array['applied','screen','interview','hired','rejected'])[1 + n % 5],
        (array['new','in_review','advanced','hired','rejected'])[1 + n % 5], (array['direct','referral'])[1 + n % 2],
        '2026-01-31T20:00Z'::timestamptz + n * interval '9 hours',
        case when n % 5 = 3 then '2026-03-01T00:00Z'::timestamptz + n * interval '1 day' end
      from jobs j, generate_series(1, 40) n;
    insert into stage_transitions (workspace_id, application_id, from_stage_id, to_stage_id, to_stage_type, at)
      select a.workspace_id, a.id, null, a.job_id || '_' || t.type, t.type, a.applied_at + t.place * interval '1 day'
      from applications a, unnest('{applied,screen,interview,hired}'::text[]) with ordinality t (type, place)
      where t.place <= 1 + right(a.id, 1)::int % 5 order by a.id, t.place;
  `)
  await session.close()
  const nothing = { application_funnel: 0, funnel_by_day: 0, funnel_by_job: 0, funnel_by_job_and_source: 0 }
  assert.deepEqual(await checkFunnel(db), { applications: 240, differing: nothing })
  while ((await addUpFunnel(db, 50)) > 0);
  assert.deepEqual((await checkFunnel(db)).differing, nothing)
  // each job and month counts every application once, a fifth of them hired (5), in whatever stage
  const hired = raw(Array.from({ length: 8 }, (_, stage) => `at_${stage}_5`).join(' + '))
  const [counted] = await db.query(sql`
    select count(*)::int as rows, sum(n)::int as n, sum(${hired})::int as hired from funnel_by_job`)
  assert.deepEqual(counted, { rows: 6, n: 240, hired: 48 })
})
