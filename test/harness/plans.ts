import type { Queryable } from '../../src/kernel/db/database.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'

/** A node of a plan that was executed. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

let prepared = 0

/** For these values, or for all values, which a connection keeps. */
export type PlanMode = 'force_custom_plan' | 'force_generic_plan'

/** Executes a statement, with the plan for all values unless another is asked for. To be called inside a transaction. */
export async function explain(
  session: Pick<Queryable, 'query'>,
  statement: Sql,
  mode: PlanMode = 'force_generic_plan',
): Promise<PlanNode> {
  const name = `pinned_${++prepared}`
  for (const text of [`set local plan_cache_mode = ${mode}`, `prepare ${name} as ${statement.text}`])
    await session.query({ text, values: [], name: '' } as Sql)
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

export const listPlanNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listPlanNodes)]

export const buffers = (node: PlanNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks']

/** Rows that the nodes of a plan handled, those that they threw away included. */
export const rowsHandled = (plan: PlanNode): number =>
  listPlanNodes(plan).reduce(
    (sum, node) =>
      sum +
      node['Actual Loops'] *
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)),
    0,
  )
