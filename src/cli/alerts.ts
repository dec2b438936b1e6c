import { describeAlert, openAlerts } from '../resources/alerts/index.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const alertVerbs: readonly Verb[] = [
  {
    name: 'alerts list',
    description: 'Lists the open alerts of all workspaces, or of one.',
    options: { workspace: { value: 'W', description: 'only of this workspace' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await db.query(openAlerts(input.option('workspace')))
        const shown = rows.map(alert => {
          const { title, text } = describeAlert(alert)
          const { details: _, ...row } = alert
          return { ...row, title, text }
        })
        const cells = shown.map(row => [
          row.level,
          row.acknowledged_at === null ? 'open' : 'acknowledged',
          row.opened_at,
          `${row.workspace_id} (${row.workspace_name})`,
          row.title,
        ])
        const head = ['LEVEL', 'STATE', 'OPENED', 'WORKSPACE', 'ALERT']
        return { json: shown, text: shown.length === 0 ? 'no open alerts' : table([head, ...cells]) }
      }),
  },
]
