import { checkFunnel, type FunnelCheck, hasDifferences, repairFunnel } from '../resources/analytics/index.ts'
import type { Verb, VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

export const funnelVerbs: readonly Verb[] = [
  {
    name: 'funnel check',
    description: 'Recomputes the hiring funnel from stage history and reports differences.',
    run: input =>
      withStore(input, async ({ db }) => {
        const found = await checkFunnel(db)
        return { ...summaryOf(found, 'differ from the history'), exitCode: hasDifferences(found) ? 1 : 0 }
      }),
  },
  {
    name: 'funnel repair',
    description:
      'Recomputes the hiring funnel where it differs from stage history. Changes to applications wait until it is done.',
    run: input => withStore(input, async ({ db }) => summaryOf(await repairFunnel(db), 'differed and were recomputed')),
  },
]

function summaryOf(found: FunnelCheck, wrong: string): VerbOutput {
  const { applications, differing } = found
  const lines = Object.entries(differing).flatMap(([table, rows]) =>
    rows > 0 ? [`${table}: ${rows} rows ${wrong}`] : [],
  )
  const text = hasDifferences(found)
    ? lines.join('\n')
    : `the counts of ${applications} applications match their history`
  return { json: { applications, differing }, text }
}
