import {
  type ClusterStatus,
  cancelDistribution,
  clusterStatus,
  type DistributionPlan,
  distribute,
  planDistribution,
} from '../kernel/citus/cluster.ts'
import {
  isolateWorkspace,
  moveWorkspace,
  readPlacement,
  rebalanceStatus,
  startRebalance,
  stopRebalance,
  type WorkspacePlace,
} from '../kernel/citus/moves.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { anyWorkspace, requireWorkspace } from '../resources/workspaces/index.ts'
import { WORKER_REMEDY } from './check-cluster.ts'
import { typeYes, YES } from './confirm.ts'
import { argumentAt } from './read-option.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

const progressOf =
  (input: VerbInput) =>
  (line: string): void =>
    void (input.json || process.stderr.write(`${line}\n`))

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const clusterVerbs: readonly Verb[] = [
  {
    name: 'cluster distribute',
    description:
      'Distributes the tables of workspaces over the nodes of a Citus cluster, while the service runs. Requests wait for seconds at the end.',
    options: {
      shards: {
        value: 'N',
        description: 'into how many shards, which is fixed from then on (default: 32); many more than nodes',
      },
      'dry-run': { description: 'shows what would be done, and changes nothing' },
      cancel: {
        description: 'removes what an interrupted distribution left; without it the next run goes on from there',
      },
      yes: YES,
    },
    run: input => {
      const run = input.flag('cancel') ? cancelled : input.flag('dry-run') ? planned : distributed
      return withStore(input, ({ db }) => run(input, db))
    },
  },
  {
    name: 'cluster status',
    description:
      'Shows the nodes of a Citus cluster, how shards and data are spread over them, and what a rebalance does.',
    options: { workspace: { value: 'ID', description: 'shows where the data of this workspace is' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = input.option('workspace')
        if (workspace !== undefined) {
          await requireWorkspace(db, workspace)
          return placed(workspace, await readPlacement(db, workspace))
        }
        const status = await clusterStatus(db)
        const isSpread = status.distributed > 0
        const rebalance = isSpread ? await rebalanceStatus(db) : null
        const tasks = Object.entries(rebalance?.tasks ?? {}).map(([state, n]) => `, ${n} ${state}`)
        return {
          json: { ...status, rebalance },
          text: [
            nodesOf(status),
            ...(isSpread ? spreadOf(status) : ['no table is distributed: run hiring cluster distribute']),
            ...(isSpread && status.not_distributed.length > 0
              ? [`not distributed yet: ${status.not_distributed.join(', ')}; run hiring cluster distribute`]
              : []),
            ...interruptedOf(status),
            ...status.worker_faults.map(({ node, fault }) => `${node} ${fault}: ${WORKER_REMEDY}`),
            ...(rebalance ? [`last rebalance: ${rebalance.state}${tasks.join('')}`] : []),
          ].join('\n'),
        }
      }),
  },
  {
    name: 'cluster move',
    description:
      'Moves the shards of a workspace to another node of a Citus cluster, with the workspaces that share them. Reads and writes go on.',
    args: ['WORKSPACE', 'HOST:PORT'],
    run: input =>
      withStore(input, async ({ db }) => {
        const [workspace, node] = input.args as [string, string]
        await requireWorkspace(db, workspace)
        return placed(workspace, await moveWorkspace(db, workspace, readNode(node)))
      }),
  },
  {
    name: 'cluster isolate',
    description: 'Gives a workspace shards of its own in a Citus cluster, so that it can be moved alone.',
    args: ['WORKSPACE'],
    options: {
      'block-writes': {
        description: 'writes of the workspaces that share its shards wait until it is done; needs no logical decoding',
      },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = argumentAt(input, 0)
        await requireWorkspace(db, workspace)
        return placed(workspace, await isolateWorkspace(db, workspace, { blocksWrites: input.flag('block-writes') }))
      }),
  },
  {
    name: 'cluster rebalance',
    description:
      'Moves shards between the nodes of a Citus cluster until they are even, in the background. cluster status shows how far it is.',
    options: { stop: { description: 'stops it; what was moved stays there' } },
    run: input =>
      withStore(input, async ({ db }) => {
        if (input.flag('stop')) {
          await stopRebalance(db)
          return { json: { stopped: true }, text: 'stopped' }
        }
        const { started, warnings } = await startRebalance(db)
        const done = started ? 'started' : 'the shards are even: there is nothing to move'
        return { json: { started, warnings }, text: [...warnings, done].join('\n') }
      }),
  },
]

type Db = Parameters<typeof distribute>[0]

async function planned(input: VerbInput, db: Db): Promise<VerbOutput> {
  const plan = await planDistribution(db, shardsOf(input))
  const rows = plan.tables.map(({ name, rows, bytes }) => [name, String(rows), megabytes(bytes)])
  return {
    json: { dry_run: true, shards: plan.shards, tables: plan.tables, statements: plan.statements },
    text:
      rows.length === 0
        ? 'all tables of workspaces are distributed'
        : [spreadTo(plan), table([['TABLE', 'ROWS, ABOUT', 'SIZE'], ...rows]), 'at the end:', ...plan.statements].join(
            '\n',
          ),
  }
}

const spreadTo = ({ tables, shards, nodes }: DistributionPlan): string =>
  `${tables.length} tables into ${shards} shards on ${nodes.filter(node => node.has_shards).length} nodes`

async function distributed(input: VerbInput, db: Db): Promise<VerbOutput> {
  const plan = await planDistribution(db, shardsOf(input))
  // an empty store has nothing to lose: a new one is made as easily
  if (plan.tables.length > 0 && (await db.one(anyWorkspace()))) {
    const bytes = plan.tables.reduce((sum, one) => sum + one.bytes, 0)
    await typeYes(input, {
      refusal: 'no command goes back to tables that are not distributed',
      shown: `${spreadTo(plan)}, ${megabytes(bytes)}; requests wait for seconds at the end, and no command goes back (docs/citus.md)`,
      question: 'Distribute them?',
    })
  }
  const done = await distribute(db, { shards: shardsOf(input), onProgress: progressOf(input) })
  const seconds = (done.writesWaitedMs / 1_000).toFixed(1)
  return {
    json: { tables: done.tables, writes_waited_ms: Math.round(done.writesWaitedMs) },
    text:
      done.tables.length === 0
        ? 'all tables of workspaces are distributed'
        : `${done.tables.length} tables are distributed; requests waited for ${seconds} s`,
  }
}

async function cancelled(input: VerbInput, db: Db): Promise<VerbOutput> {
  const found = await cancelDistribution(db, progressOf(input))
  return {
    json: { cancelled: found },
    text: found ? 'the copies are removed; the tables are as they were' : 'there is no distribution to cancel',
  }
}

function shardsOf(input: VerbInput): number | undefined {
  const given = input.option('shards')
  if (given === undefined) return undefined
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new UserError('--shards is a number from 1 to 9999')
  return Number(given)
}

function readNode(text: string): { name: string; port: number } {
  const [, name, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (name === undefined) throw new UserError(`"${text}" is not HOST:PORT; hiring cluster status lists the nodes`)
  return { name, port: Number(port) }
}

const nodesOf = ({ nodes }: ClusterStatus): string =>
  table([
    ['NODE', 'ROLE', 'STATE', 'SHARDS', 'SIZE'],
    ...nodes.map(node => [
      `${node.name}:${node.port}`,
      node.group_id === 0 ? 'coordinator' : 'worker',
      node.is_active ? (node.has_shards ? 'active' : 'active, no shards') : 'not active',
      String(node.shards),
      megabytes(node.bytes),
    ]),
  ])

const interruptedOf = ({ distribution }: ClusterStatus): string[] =>
  distribution
    ? [
        `a distribution has copied ${distribution.copied_tables} of ${distribution.tables} tables, ${distribution.rows} rows; erasures do not complete before its end: if it was interrupted, run hiring cluster distribute again, or with --cancel`,
      ]
    : []

const spreadOf = (status: ClusterStatus): string[] => [
  `${status.distributed} tables in ${status.groups} groups of shards; the largest has ${megabytes(status.largest_group_bytes)}`,
  ...(status.skew === null
    ? []
    : [`the fullest node has ${status.skew.toFixed(2)} times the mean of the nodes for shards`]),
]

const placed = (workspace: string, place: WorkspacePlace): VerbOutput => ({
  json: { workspace_id: workspace, ...place },
  text: `${workspace} is on ${place.name}:${place.port}, shard ${place.shard_id} of jobs, ${megabytes(place.bytes)} with its colocated shards${place.is_isolated ? ', which are its own' : ''}`,
})
