import { beginEpoch } from '../resources/events/actions.ts'
import type { Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const feedVerbs: readonly Verb[] = [
  {
    name: 'feed new-epoch',
    about:
      'Run it once after you restored the store from a backup: partners then learn that they must make a full copy.',
    run: input =>
      withStore(input, async ({ db }) => {
        const { epoch } = await db.transaction(beginEpoch)
        return { json: { epoch }, text: `the change feed begins a new epoch: ${epoch}` }
      }),
  },
]
