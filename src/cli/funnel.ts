import { checkFunnel, type FunnelCheck, isWrong, repairFunnel } from '../resources/analytics/actions.ts'
import type { Output, Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const funnelVerbs: readonly Verb[] = [
  {
    name: 'funnel check',
    about: 'Counts the hiring funnel anew from the history of stages, and says where what is kept differs.',
    run: input =>
      withStore(input, async ({ db }) => {
        const found = await checkFunnel(db)
        return { ...told(found, 'differ from the history'), exitCode: isWrong(found) ? 1 : 0 }
      }),
  },
  {
    name: 'funnel repair',
    about: 'Makes the counts of the hiring funnel anew where they differ. Meanwhile changes of applications wait.',
    run: input => withStore(input, async ({ db }) => told(await repairFunnel(db), 'differed, and were counted anew')),
  },
]

function told(found: FunnelCheck, wrong: string): Output {
  const { applications, differing } = found
  const lines = Object.entries(differing).flatMap(([table, rows]) =>
    rows > 0 ? [`${table}: ${rows} rows ${wrong}`] : [],
  )
  const text = isWrong(found)
    ? lines.join('\n')
    : `the counts of ${applications} applications are those of their history`
  return { json: { applications, differing }, text }
}
