import { readableTypes } from '../../src/contract/events.ts'
import { ALL_SCOPES } from '../../src/contract/scopes.ts'
import { feedEpoch, feedPage } from '../../src/resources/events/store.ts'
import { events, LOG_SIZES } from '../datasets/events.ts'
import type { Baseline, Scenario, ScenarioWorld } from '../kit/scenario.ts'

const PAGE = 100
/** A prime, so that neighbours in time read far apart. */
const STRIDE = 618_047

const types = readableTypes(new Set(ALL_SCOPES))

/** How every event ends: with its links. */
const END = '"}}'

/**
 * Events are stored as the text that is sent, so here, too, nothing is parsed only to be written again. The link of each
 * names the workspace, since the keys reach several.
 */
const feed: Baseline = {
  route: '/events',
  respond: async ({ run, query }) => {
    const after = Number(query('after'))
    const limit = Number(query('limit'))
    const workspace = query('workspace_id')!
    const named = `?workspace_id=${workspace}${END}`
    const [rows, [feed]] = await Promise.all([
      run(feedPage({ workspace, after, readable: { types, own: [], vendor: '' }, excludeKey: undefined, limit })),
      run(feedEpoch()),
    ])
    const shown = rows.slice(0, limit)
    const oldest = Number(rows[0]!.oldest_sequence)
    return `{"object":"list","data":[${shown.map(row => row.body!.slice(0, -END.length) + named).join(',')}],"has_more":${rows.length > limit},"next_cursor":null,"next_after":${shown.at(-1)!.sequence},"oldest_sequence":${oldest},"gap":${after < oldest - 1},"epoch":"${feed!.epoch}"}`
  },
}

export const scenarios: Scenario[] = LOG_SIZES.map(count => ({
  name: `reading the feed of ${count.toLocaleString('en').replaceAll(',', ' ')} events`,
  group: 'feed page cost by size of the log',
  dataset: events(count),
  servers: ['fastify', 'service'],
  requests: ({ keys, workspace }: ScenarioWorld) =>
    keys.map((key, i) => {
      const after = ((i + 1) * STRIDE) % (count - 2 * PAGE)
      return { key, path: `/events?workspace_id=${workspace}&after=${after}&limit=${PAGE}` }
    }),
  baseline: feed,
}))
