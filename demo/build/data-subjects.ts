import { askNextHolders, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import type { Person } from '../people.ts'
import type { ApiCall } from './partner.ts'
import { daysAgo, type Replay } from './replay.ts'
import type { DemoWorkspaces } from './workspaces.ts'

/**
 * Plans what people ask for: two are erased, of one all processing stops, one was erased by the workspace last evening and
 * no partner has confirmed it yet, and of one another workspace asks for the erasure, which waits for the decision of this
 * one.
 */
export function planErasures(
  replay: Replay,
  people: { erased: readonly [Person, Person]; unconfirmed: Person; stopped: Person; pending: Person },
  { acme, globex }: Pick<DemoWorkspaces, 'acme' | 'globex'>,
  call: ApiCall,
): void {
  const { db, blobs, outbox } = replay.services
  for (const [i, reason] of (['legal_request', 'erasure_request'] as const).entries())
    replay.plan(daysAgo(20 - i * 11), async () => {
      const { linkedinUrl } = people.erased[i]!
      const { id, suppressionId } = await requestErasure(db, { linkedinUrl, reason, requestedBy: 'command_line' })
      await runErasure({ db, blobs, outbox }, id)
      const deleted_at = new Date(replay.now).toISOString()
      if (i === 0) await call('POST', `/suppressions/${suppressionId}/acknowledge`, { deleted_at })
    })
  replay.plan(daysAgo(2), () =>
    requestErasure(db, { email: people.stopped.email, reason: 'stop_processing', requestedBy: 'command_line' }),
  )
  for (const [days, { linkedinUrl }, { id: workspace, users }] of [
    [1, people.pending, globex] as const,
    [0.2, people.unconfirmed, acme] as const,
  ])
    replay.plan(daysAgo(days), async () => {
      const requestedBy = users[0]!.id
      const asked = { linkedinUrl, reason: 'erasure_request', requestedBy, askedIn: workspace, reach: workspace }
      const { id } = await requestErasure(db, asked)
      while (await askNextHolders(db));
      await runErasure({ db, blobs, outbox }, id)
    })
}
