import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { reserveUpload } from '../../src/resources/uploads/index.ts'
import { nextInstant } from '../harness/next-instant.ts'
import { sharedTestService, startTestService, type TestResponse, type TestService } from '../harness/service.ts'

/** A workspace with a job, its stages and a full key: what tests of applications start from. */
export interface World {
  service: TestService
  workspace: string
  userId: string
  key: IssuedKey
  job: Job
}

export interface Job {
  id: string
  /** Applied, Screen, Interview, Hired (final), Rejected (final) */
  stages: string[]
}

export async function startWorld(settings: Record<string, string> = {}): Promise<World> {
  // workers are run by hand: what they do in the background would show in the events of a test
  const service = await startTestService({ ROLES: 'api', ...settings })
  return { service, ...(await newTenant(service)) }
}

/** The same in the service that files share; see `sharedTestService` for what a test leaves alone there. */
export async function sharedWorld(): Promise<World> {
  const service = await sharedTestService()
  return { service, ...(await newTenant(service)) }
}

export async function newTenant(service: TestService) {
  const { id: workspace, userEmail, userId } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  return { workspace, userId, key, job: await newJob(service, workspace) }
}

/** The key for the next call: a new one for every so many, so that no rate limit decides how long a loop may run. */
export function endlessKeys({ service, workspace, userId }: World, callsPerKey = 150): () => Promise<IssuedKey> {
  let key: IssuedKey | undefined
  let calls = 0
  return async () => {
    if (!key || calls++ % callsPerKey === 0) {
      const user = sql<{ email: string }>`select email from users where workspace_id = ${workspace} and id = ${userId}`
      key = await service.key({ workspace, userEmail: (await service.services.db.one(user))!.email })
    }
    return key
  }
}

const STAGES = [
  ['Applied', 'applied', false],
  ['Screen', 'screen', false],
  ['Interview', 'interview', false],
  ['Hired', 'hired', true],
  ['Rejected', 'rejected', true],
] as const

export async function newJob(
  service: TestService,
  workspace: string,
  more: { status?: string; accepts?: boolean; required?: string[]; preferred?: string[]; fields?: Field[] } = {},
): Promise<Job> {
  const { db } = service.services
  const id = newHandle('job')
  await db.query(sql`
    insert into jobs (workspace_id, id, slug, status, title, source_system, accept_applications, form_is_template,
      skills_required, skills_preferred, experience_level, years_min)
    values (${workspace}, ${id}, ${id}, ${more.status ?? 'published'}, 'Engineer', 'native', ${more.accepts ?? true},
      ${more.fields === undefined}, ${JSON.stringify(more.required ?? [])}::jsonb,
      ${JSON.stringify(more.preferred ?? [])}::jsonb, 'senior', 3)`)
  const stages = STAGES.map(() => newHandle('pipeline_stage'))
  const rows = STAGES.map(([name, type, is_terminal], position) => ({
    id: stages[position],
    name,
    position,
    type,
    is_terminal,
  }))
  await db.query(sql`
    insert into pipeline_stages (workspace_id, id, job_id, name, position, type, is_terminal)
    select ${workspace}, id, ${id}, name, position, type, is_terminal
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as stage (id text, name text, position int, type text, is_terminal bool)`)
  for (const [i, field] of (more.fields ?? []).entries()) {
    await db.query(sql`
      insert into form_fields (workspace_id, id, job_id, position, label, type, required, options, max_length,
        candidate_field, deleted_at)
      values (${workspace}, ${field.id}, ${id}, ${i}, ${field.id}, ${field.type}, ${field.required ?? false},
        ${JSON.stringify(field.options ?? [])}::jsonb, ${field.maxLength ?? null}, ${field.asks ?? null},
        ${field.deleted ? new Date(0).toISOString() : null}::timestamptz)`)
  }
  return { id, stages }
}

export interface Field {
  id: string
  type: string
  required?: boolean
  options?: string[]
  maxLength?: number
  asks?: 'name' | 'email' | 'phone' | 'linkedin' | 'resume'
  deleted?: boolean
}

let people = 0

export const body = (job: Job, more: Record<string, unknown> = {}, candidate: Record<string, unknown> = {}) => ({
  job_id: job.id,
  candidate: { first_name: 'Ada', last_name: 'Byron', email: `ada${++people}@example.org`, ...candidate },
  source: { system: 'acme_ats' },
  ...more,
})

/** An application created over HTTP, later than everything before it. */
export async function apply(
  world: Pick<World, 'service' | 'key' | 'job'>,
  more: Record<string, unknown> = {},
  candidate: Record<string, unknown> = {},
): Promise<TestResponse['body']> {
  await nextInstant(world.service.services.db)
  const response = await world.service.post('/applications', world.key, body(world.job, more, candidate))
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`)
  return response.body
}

/** Reserves an upload and sends the file. */
export async function upload(
  { service, key }: Pick<World, 'service' | 'key'>,
  file: Buffer = Buffer.from('Ada Byron\nEngineer\n'),
  contentType = 'text/plain',
  filename?: string,
): Promise<string> {
  const reserved = await service.post('/uploads', key, {
    content_type: contentType,
    size_bytes: file.length,
    ...(filename ? { filename } : {}),
  })
  if (reserved.status !== 201) throw new Error(reserved.text)
  const { url, headers } = reserved.body.upload
  const put = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(file) })
  if (put.status !== 200) throw new Error(`PUT ${put.status}`)
  return reserved.body.upload_id
}

/** The same for the public form of a workspace: a résumé, or the answer to a question of type `file`. */
export async function formUpload(
  { service, workspace }: Pick<World, 'service' | 'workspace'>,
  publicForm: 'resume' | 'answer' = 'resume',
  { body = Buffer.from('Ada Byron\nEngineer\n'), contentType = 'text/plain', filename = 'ada.txt' } = {},
): Promise<string> {
  const { db, blobs } = service.services
  const { upload_id, upload } = await db.transaction(tx =>
    reserveUpload(tx, blobs, workspace, {
      contentType,
      sizeBytes: body.length,
      filename,
      originKeyId: null,
      publicForm,
    }),
  )
  const { url, headers } = upload
  const put = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })
  if (put.status !== 200) throw new Error(`PUT ${put.status}`)
  return upload_id
}

export interface FeedEvent {
  type: string
  sequence: number
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
}

/** Every event of a workspace so far, in feed order. */
export async function readEvents({ service }: Pick<World, 'service'>, workspace: string): Promise<FeedEvent[]> {
  const { db } = service.services
  while ((await sequenceBatch(db)) > 0);
  const rows = await db.query(
    sql<{ body: string }>`select body from events where workspace_id = ${workspace} order by sequence`,
  )
  return rows.map(row => JSON.parse(row.body))
}
