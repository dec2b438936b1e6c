import { type Sql, sql } from '../../kernel/db/sql.ts'

/**
 * The end of a statement that reads the row `o` of the newest order of an application, as boards show and filter it. One
 * that was canceled says nothing about the candidate.
 */
export const newestOrder = (workspace: string, application: Sql): Sql => sql`
  from orders o where o.workspace_id = ${workspace} and o.application_id = ${application} and o.status <> 'canceled'
  order by o.requested_at desc, o.id desc limit 1`
