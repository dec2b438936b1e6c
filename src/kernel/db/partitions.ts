import { none, raw, type Sql, sql } from './sql.ts'

/** Rows that one statement can lock and change together. `only`: all of them are of this workspace. */
export interface Partition<Row> {
  rows: readonly Row[]
  only: string | undefined
}

/** The rows of each workspace, in the order of the workspaces. */
export function partitionByWorkspace<Row extends { workspace_id: string }>(rows: readonly Row[]): Partition<Row>[] {
  const byWorkspace = Map.groupBy(rows, row => row.workspace_id)
  return [...byWorkspace].sort(([a], [b]) => (a < b ? -1 : 1)).map(([only, rows]) => ({ only, rows }))
}

/**
 * That a column is the workspace of the partition, where it has one. A statement says so for each of its tables: then it
 * reaches the one server that has the workspace.
 */
export const ofWorkspace = ({ only }: Pick<Partition<unknown>, 'only'>, column: string): Sql =>
  only === undefined ? none : sql`and ${raw(column)} = ${only}`
