import type { Queryable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { Job } from '../applications/setup.ts'

const FIRST = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Margaret', 'Donald', 'Radia', 'Ken', 'Frances']
const LAST = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Hamilton', 'Knuth', 'Perlman', 'Allen']
const LONG_NAME = 'Maria Magdalena Wilhelmina von Hohenlohe-Waldenburg-Schillingsfürst y Fernández de Córdoba'
const SOURCES = ['careers_page', 'public_board', 'partner_api:acme_ats']

/** Rows of a statement: it ends in its time on a busy machine, too. */
const CHUNK = 1_000

/** Applications of a job, with people, scores and history: half in the first stage, a tenth of all rejected. */
export async function seedBoard(db: Queryable, workspace: string, job: Job, n: number): Promise<void> {
  const now = Date.now()
  const places = Array.from({ length: n }, (_, i) => i)
  for (let from = 0; from < n; from += CHUNK) await seedRows(db, workspace, job, now, places.slice(from, from + CHUNK))
  // as autovacuum does it: without, no count can be read from the index alone
  await db.query(sql`vacuum (analyze) applications`)
}

async function seedRows(db: Queryable, workspace: string, job: Job, now: number, places: readonly number[]) {
  const rows = places.map(i => ({
    id: newHandle('application'),
    applicant_id: newHandle('applicant'),
    full_name: i % 97 === 5 ? LONG_NAME : `${FIRST[i % FIRST.length]} ${LAST[(i * 7) % LAST.length]} ${i}`,
    stage_id: job.stages[i % 2 === 0 ? 0 : i % 3]!,
    status: i % 10 === 9 ? 'rejected' : i % 4 === 0 ? 'new' : 'in_review',
    source: SOURCES[i % SOURCES.length],
    // minutes apart
    applied_at: new Date(now - i * 600_000).toISOString(),
    score: i % 5 === 0 ? null : (i * 37) % 101,
  }))
  const json = JSON.stringify(rows)
  const given = sql`jsonb_to_recordset(${json}::jsonb) as r(id text, applicant_id text, full_name text, stage_id text,
    status text, source text, applied_at timestamptz, score integer)`
  await db.query(sql`
    insert into applicants (workspace_id, id, full_name, application_count)
    select ${workspace}, applicant_id, full_name, 1 from ${given}`)
  await db.query(sql`
    insert into applications (workspace_id, id, job_id, applicant_id, stage_id, status, source, applied_at, updated_at)
    select ${workspace}, id, ${job.id}, applicant_id, stage_id, status, source, applied_at, applied_at from ${given}`)
  await db.query(sql`
    insert into stage_transitions (workspace_id, application_id, to_stage_id, at)
    select ${workspace}, id, stage_id, applied_at from ${given}`)
  await db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
    select ${workspace}, id, score, '["Kubernetes"]', 'test' from ${given} where score is not null`)
}
