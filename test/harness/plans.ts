import type { DbSession } from '../../src/kernel/db/database.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'

/** A node of a plan that was executed. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

let prepared = 0

/** Executes a statement with the plan that a connection keeps for all values. To be called inside a transaction. */
export async function explain(session: Pick<DbSession, 'query' | 'script'>, statement: Sql): Promise<PlanNode> {
  const name = `pinned_${++prepared}`
  await session.script(`set local plan_cache_mode = force_generic_plan; prepare ${name} as ${statement.text}`)
  const values = statement.values.length === 0 ? '' : `(${statement.values.map(literal).join(',')})`
  const [row] = await session.query({
    text: `explain (analyze, buffers, format json) execute ${name} ${values}`,
    values: [],
    name: '',
  } as Sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>)
  return row!['QUERY PLAN'][0].Plan
}

const literal = (value: unknown): string =>
  Array.isArray(value)
    ? `'{${value.map(item => item ?? 'null').join(',')}}'`
    : typeof value === 'string'
      ? `'${value}'`
      : String(value)

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export const buffers = (node: PlanNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks']

/** Rows that the nodes of a plan handled, those that they threw away included. */
export const rowsHandled = (plan: PlanNode): number =>
  nodesOf(plan).reduce(
    (sum, node) =>
      sum +
      node['Actual Loops'] *
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)),
    0,
  )
