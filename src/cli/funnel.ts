import { checkFunnel } from '../resources/analytics/actions.ts'
import type { Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const funnelVerb: Verb = {
  name: 'funnel check',
  about: 'Counts the hiring funnel anew from the history of stages, and says where what is kept differs.',
  run: input =>
    withStore(input, async ({ db }) => {
      const { applications, differing } = await checkFunnel(db)
      const wrong = Object.entries(differing).filter(([, rows]) => rows > 0)
      return {
        json: { applications, differing },
        text:
          wrong.length === 0
            ? `the counts of ${applications} applications are those of their history`
            : wrong.map(([table, rows]) => `${table}: ${rows} rows differ from the history`).join('\n'),
        exitCode: wrong.length === 0 ? 0 : 1,
      }
    }),
}
