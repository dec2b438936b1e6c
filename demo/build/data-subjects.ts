import { askNextHolders, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import type { Person } from '../people.ts'
import type { ApiCall } from './partner.ts'
import { daysAgo, type Replay } from './replay.ts'
import type { Workspace } from './workspaces.ts'

/**
 * Plans what people ask for: two are erased, of one all processing stops, and of one another workspace asks for the
 * erasure, which waits for the decision of this one.
 */
export function planErasures(
  replay: Replay,
  people: { erased: readonly [Person, Person]; stopped: Person; pending: Person },
  globex: Workspace,
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
  replay.plan(daysAgo(1), async () => {
    const owner = globex.users[0]!.id
    const { linkedinUrl } = people.pending
    const asked = { linkedinUrl, reason: 'erasure_request', requestedBy: owner, askedIn: globex.id, reach: globex.id }
    const { id } = await requestErasure(db, asked)
    while (await askNextHolders(db));
    await runErasure({ db, blobs, outbox }, id)
  })
}
