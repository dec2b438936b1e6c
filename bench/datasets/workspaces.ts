import type { Dataset } from '../kit/scenario.ts'

const remembered = new Map<number, Dataset>()

/** `count` workspaces, changed in another order than they were made in: the rows of a page lie all over the table. */
export function workspaces(count: number): Dataset {
  let dataset = remembered.get(count)
  if (!dataset) {
    dataset = {
      name: `workspaces_${count}`,
      seed: async db => {
        await db.query('select setseed(0.5)')
        await db.query(
          `insert into workspaces (id, name, plan, created_at, updated_at)
           select 'wsp_' || lpad(to_hex(i), 9, '0') || substr(md5(i::text), 1, 11), 'Workspace ' || i, 'growth',
             at, at + random() * interval '300 days'
           from generate_series(1, $1::integer) as i,
             lateral (select timestamptz '2025-01-01' + i * (interval '300 days' / $1) as at)`,
          [count],
        )
        // as in an installation that has run for a day: the runs of retention are spread over the next one
        await db.query(
          `insert into workspace_retention (workspace_id, due_at)
           select id, now() + random() * interval '1 day' from workspaces on conflict do nothing`,
        )
      },
    }
    remembered.set(count, dataset)
  }
  return dataset
}
