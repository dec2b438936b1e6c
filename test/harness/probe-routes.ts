import { Readable } from 'node:stream'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError, fail } from '../../src/kernel/errors/api-error.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { BY_UPDATED } from '../../src/kernel/http/list.ts'
import { booleanParam, handleParam, listParam, textParam, timeParam } from '../../src/kernel/http/params.ts'
import {
  created,
  HandlerResponse,
  type Route,
  readAll,
  readFile,
  readOne,
  readPage,
  writeOne,
} from '../../src/kernel/http/route.ts'
import {
  array,
  guarded,
  handleField,
  links,
  metered,
  neverExposed,
  nullable,
  object,
  optional,
  type Row,
  shape,
  text,
  time,
} from '../../src/kernel/http/shape.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { Type } from '../../src/kernel/schema/types.ts'

/**
 * Endpoints for tests of the machinery: they use every kind of guard, input and output on real tables, so that the
 * pipeline can be tried apart from any resource.
 */
export const probeShape = shape(
  'probe',
  'A project seen through every kind of guard.',
  {
    id: handleField('project'),
    name: text(),
    description: nullable(text()),
    secret_note: guarded('applications:internal:read', nullable(text())),
    inner: object({ open: text(), code: guarded('jobs:screening:read', text()) }),
    shut: object({ code: guarded('jobs:screening:read', text()) }),
    audio: neverExposed('consent_scope'),
    extra: optional(text()),
    updated_at: time(),
    links: links({ self: '/probes/{id}', extra: { path: '/probes/{id}/extra', when: row => row.extra !== undefined } }),
  },
  { resource: { name: 'probes', scope: 'lists:read' } },
)

type ProbeRow = Row<typeof probeShape>

const toProbe = (row: { id: string; name: string; description: string | null; updated_at: string }): ProbeRow => ({
  ...row,
  secret_note: 'note',
  inner: { open: 'yes', code: '123456' },
  shut: { code: '123456' },
})

const contactsShape = shape(
  'probe_contacts',
  'Values that cost.',
  {
    subject: object({ object: text(), id: text() }),
    emails: array(object({ value: metered('email', text()), kind: text() })),
    phones: guarded('contact:phone:read', array(object({ value: metered('phone', text()) }))),
  },
  { subject: row => row.subject },
)

const PROJECT = sql`id, name, description, updated_at`
type Project = { id: string; name: string; description: string | null; updated_at: string }

const group = 'Probes'

export const probeRoutes: readonly Route[] = [
  readPage({
    path: '/probes',
    operationId: 'listProbes',
    limited: 'keys',
    summary: 'Projects in pages.',
    group,
    scope: 'lists:read',
    query: {
      name: textParam('exact', 20),
      flag: booleanParam('any'),
      since: timeParam('any'),
      kinds: listParam('any', ['a', 'b']),
      project_id: handleParam('any', 'project'),
    },
    shape: probeShape,
    order: BY_UPDATED,
    handler: async ({ db, workspace, page }) =>
      (
        await db.query(sql<Project>`select ${PROJECT} from projects where workspace_id = ${workspace} ${page.clause}`)
      ).map(toProbe),
  }),
  readOne({
    path: '/probes/{project_handle}',
    operationId: 'getProbe',
    limited: 'keys',
    summary: 'One project.',
    group,
    scope: 'lists:read',
    params: { project_handle: 'project' },
    shape: probeShape,
    handler: async ({ db, workspace, params }) => {
      const row = await db.one(
        sql<Project>`select ${PROJECT} from projects where workspace_id = ${workspace} and id = ${params.project_handle}`,
      )
      return row && toProbe(row)
    },
  }),
  writeOne({
    path: '/probes',
    operationId: 'createProbe',
    limited: 'keys',
    tool: { effect: 'creates' },
    summary: 'Creates a project.',
    group,
    scope: 'lists:write',
    status: 201,
    errors: ['invalid_stage'],
    shape: probeShape,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 20 }),
        description: Type.Optional(Type.Union([Type.String({ maxLength: 10 }), Type.Null()])),
        size: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
        color: Type.Optional(Type.Enum(['red', 'green'])),
        tags: Type.Optional(
          Type.Array(Type.Object({ id: Type.String() }, { additionalProperties: false }), { maxItems: 3 }),
        ),
        outcome: Type.Optional(Type.Enum(['fail', 'crash', 'slow', 'secret', 'stored'])),
      },
      { additionalProperties: false },
    ),
    handler: async ({ tx, workspace, body, caller }) => {
      const id = newHandle('project')
      const row = await tx.one(sql<Project>`
        insert into projects (workspace_id, id, name, description)
        values (${workspace}, ${id}, ${body.name}, ${body.description ?? null}) returning ${PROJECT}`)
      await appendEvents(tx, [
        {
          type: 'list.created',
          workspaceId: workspace,
          id,
          updatedAt: row!.updated_at,
          values: { project_id: id },
          originKeyId: caller.keyId,
        },
      ])
      if (body.outcome === 'slow') await tx.query(sql`select pg_sleep(0.4)`)
      if (body.outcome === 'fail') fail('invalid_stage', { param: 'outcome' })
      if (body.outcome === 'stored') return new ApiError('invalid_stage', { param: 'outcome' })
      if (body.outcome === 'crash') throw new Error('a fault of our own')
      const probe = toProbe(row!)
      if (body.outcome === 'secret') {
        return new HandlerResponse({ ...probe, extra: 'shown once' }, 201, { replay: { ...probe, extra: 'not again' } })
      }
      return created(probe)
    },
  }),
  readOne({
    path: '/contacts/{applicant_handle}',
    operationId: 'getContacts',
    limited: 'keys',
    summary: 'Metered values.',
    group,
    scope: 'contact:read',
    params: { applicant_handle: 'applicant' },
    shape: contactsShape,
    handler: async ({ db, workspace, params }) => {
      const rows = await db.query(sql<{ field: string; value: string }>`
        select field, value from contact_values
        where workspace_id = ${workspace} and subject_object = 'applicant' and subject_id = ${params.applicant_handle}
        order by value`)
      if (rows.length === 0) return undefined
      const of = (field: string) => rows.filter(r => r.field === field).map(r => ({ value: r.value, kind: 'work' }))
      return {
        subject: { object: 'applicant', id: params.applicant_handle },
        emails: of('email'),
        phones: of('phone'),
      }
    },
  }),
  readFile({
    path: '/files/{applicant_handle}',
    operationId: 'downloadFile',
    limited: 'keys',
    summary: 'A file that costs a unit.',
    group,
    scope: 'resume:download',
    tier: 'download',
    params: { applicant_handle: 'applicant' },
    returns: 'The file.',
    contentTypes: ['application/pdf'],
    handler: async ({ params }) => ({
      stream: Readable.from([Buffer.from('bytes of a file')]),
      bytes: 15,
      contentType: 'application/pdf',
      filename: 'résumé.pdf',
      reads: [{ object: 'applicant', id: params.applicant_handle, field: 'resume_file' }],
    }),
  }),
  writeOne({
    path: '/probes:once',
    operationId: 'createProbeOnce',
    limited: 'keys',
    tool: { effect: 'creates' },
    summary: 'A write that needs an Idempotency-Key.',
    group,
    scope: 'lists:write',
    idempotency: 'required',
    shape: probeShape,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    handler: async ({ workspace }) =>
      toProbe({ id: workspace, name: 'once', description: null, updated_at: '2026-01-01T00:00:00.000Z' }),
  }),
  readAll({
    path: '/probes:all',
    operationId: 'listAllProbes',
    limited: 'keys',
    summary: 'A path with a colon.',
    group,
    scope: 'lists:read',
    tier: 'expensive',
    shape: probeShape,
    handler: async () => [],
  }),
]
