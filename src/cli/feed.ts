import { beginEpoch } from '../resources/events/index.ts'
import type { Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const feedVerbs: readonly Verb[] = [
  {
    name: 'feed new-epoch',
    description:
      'Starts a new epoch of the change feed. Run it once after you restore the database by other means than `hiring restore`, so that partners make a full copy.',
    run: input =>
      withStore(input, async ({ db }) => {
        const { epoch } = await db.transaction(beginEpoch)
        return { json: { epoch }, text: `the change feed has a new epoch: ${epoch}` }
      }),
  },
]
