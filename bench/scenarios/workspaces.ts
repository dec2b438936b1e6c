import type { Caller } from '../../src/kernel/access/caller.ts'
import { BY_UPDATED, makePage } from '../../src/kernel/http/list.ts'
import type { Row } from '../../src/kernel/http/shape.ts'
import { workspaceById } from '../../src/resources/workspaces/index.ts'
import { workspaceShape } from '../../src/resources/workspaces/shape.ts'
import { reachableWorkspaces } from '../../src/resources/workspaces/store.ts'
import { sized } from '../datasets/size.ts'
import { workspaces } from '../datasets/workspaces.ts'
import { plainObject } from '../kit/plain-object.ts'
import { type Baseline, prepared, type Scenario, type ScenarioWorld } from '../kit/scenario.ts'

const PAGE = 25
const SIZES = sized([10_000, 100_000, 1_000_000], [300])
const USUAL = sized(100_000, 300)
/** The deepest page that cursors reach begins at 10 000 rows. */
const DEEP = sized(9_000, 200)
/** Each walks the list once for a cursor of its own. */
const WALKERS = 32

const EVERYWHERE = { workspaceScope: 'all' } as Caller
const START = { after: ['', ''], rows: 0 }
const FIRST_PAGE = prepared(reachableWorkspaces(EVERYWHERE, makePage(BY_UPDATED, {}, undefined)))
const NEXT_PAGE = prepared(reachableWorkspaces(EVERYWHERE, makePage(BY_UPDATED, {}, START)))
const ONE = prepared(workspaceById(''))

type Workspace = Row<typeof workspaceShape>

const presentWorkspace = plainObject(workspaceShape)
/** Its links name the workspace itself. */
const present = (row: Workspace) => presentWorkspace(row, row.id)

const writeCursor = (updatedAt: unknown, id: string) =>
  Buffer.from(JSON.stringify([updatedAt, id])).toString('base64url')

const list: Baseline = {
  route: '/workspaces',
  respond: async ({ run, query }) => {
    const cursor = query('cursor')
    const rows = cursor
      ? await run(NEXT_PAGE, [...JSON.parse(Buffer.from(cursor, 'base64url').toString())])
      : await run(FIRST_PAGE)
    const shown = rows.slice(0, PAGE) as Workspace[]
    const last = shown.at(-1)!
    const more = rows.length > PAGE
    return {
      object: 'list',
      data: shown.map(present),
      has_more: more,
      next_cursor: more ? writeCursor(last.updated_at, last.id) : null,
    }
  },
}

const single: Baseline = {
  route: '/workspaces/:workspace_handle',
  respond: async ({ run, params }) => present((await run(ONE, [params['workspace_handle']]))[0] as Workspace),
}

/**
 * The same reads by two services, one with `REQUEST_LOG=off`: what is stored after the response costs time of the process and
 * of PostgreSQL, which other requests then lack.
 */
const requestLog: Scenario[] = (['off', 'on'] as const).map(setting => ({
  name: `request log: single read, log ${setting}`,
  group: 'cost of the request log',
  dataset: { ...workspaces(USUAL), name: `request_log_${setting}` },
  settings: { REQUEST_LOG: setting },
  requests: reads,
  baseline: single,
  servers: ['fastify', 'service'],
  connections: [32],
}))

/** Every key reads another workspace. */
async function reads({ db, keys }: ScenarioWorld) {
  const { rows } = await db.query<{ id: string }>('select id from workspaces order by md5(id) limit $1', [keys.length])
  return keys.map((key, i) => {
    const { id } = rows[i % rows.length]!
    return { key, path: `/workspaces/${id}?workspace_id=${id}` }
  })
}

async function deepPages({ keys, get }: ScenarioWorld) {
  const walk = async (key: string) => {
    let path = '/workspaces?limit=100'
    for (let rows = 0; ; ) {
      const page = await get(path, key)
      rows += page.data.length
      const last = page.data.at(-1)
      if (rows >= DEEP) {
        const baselinePath = `/workspaces?cursor=${writeCursor(last.updated_at, last.id)}`
        return { key, path: `/workspaces?cursor=${page.next_cursor}`, baselinePath }
      }
      path = `/workspaces?limit=100&cursor=${page.next_cursor}`
    }
  }
  return Promise.all(keys.slice(0, WALKERS).map(walk))
}

const bySize: Scenario[] = SIZES.flatMap(count => {
  const common = {
    group: 'page cost by size of the table',
    dataset: workspaces(count),
    baseline: list,
    servers: ['fastify', 'service'],
    connections: [32],
  } as const
  const of = `of ${count.toLocaleString('en').replaceAll(',', ' ')}`
  return [
    {
      ...common,
      name: `list by size: first page ${of}`,
      requests: ({ keys }: ScenarioWorld) => keys.slice(0, WALKERS).map(key => ({ key, path: '/workspaces' })),
    },
    { ...common, name: `list by size: page at ${DEEP} ${of}`, requests: deepPages },
  ]
})

export const scenarios: Scenario[] = [
  {
    name: 'workspaces list of 25',
    dataset: workspaces(USUAL),
    requests: ({ keys }) => keys.map(key => ({ key, path: '/workspaces' })),
    baseline: list,
  },
  { name: 'workspace single read', dataset: workspaces(USUAL), requests: reads, baseline: single },
  ...bySize,
  ...requestLog,
  {
    name: 'memory',
    dataset: workspaces(USUAL),
    // lists and single reads in turn
    requests: async world =>
      (await reads(world)).map((read, i) => (i % 2 === 0 ? read : { key: read.key, path: '/workspaces' })),
    baseline: list,
    servers: ['service'],
    soak: 200_000,
  },
]
