import { requestRebuild } from '../resources/candidate-search/index.ts'
import type { Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const reindexVerbs: readonly Verb[] = [
  {
    name: 'reindex',
    description: 'Has a worker rebuild what candidates are found by on the hiring pages, in every workspace.',
    run: input =>
      withStore(input, async ({ db }) => {
        const workspaces = await db.transaction(tx => requestRebuild(tx))
        return { json: { workspaces }, text: `${workspaces} workspaces wait for the worker rebuild-search` }
      }),
  },
]
