import { useEffect, useState } from 'preact/hooks'
import type { PoolProfile } from '../../../packages/sdk/src/generated.ts'
import { send } from '../api.ts'
import { useMay } from '../session.ts'

/** As many as one request saves. */
export const MAX_SAVED = 100

/** Which of these the workspace has already, by their ids in the pool. Only those are asked for that are new in sight. */
export function useSaved(rows: readonly PoolProfile[]): { ids: ReadonlyMap<string, string>; reload: () => void } {
  const may = useMay()('sourced_profiles:read')
  const [ids, setIds] = useState<ReadonlyMap<string, string>>(new Map())
  const [round, setRound] = useState(0)
  const shown = rows.slice(-2 * MAX_SAVED).map(({ id }) => id)
  const key = shown.join()
  useEffect(() => {
    if (!may || shown.length === 0) return
    let gone = false
    send('/sourcing/pool/saved', { pool_ids: shown }, { query: true }).then(
      ({ saved }) => {
        if (!gone) setIds(now => new Map([...now, ...saved.map(row => [row.pool_id, row.profile_id] as const)]))
      },
      () => {}, // the list is complete without it
    )
    return () => {
      gone = true
    }
  }, [key, round, may])
  return { ids, reload: () => setRound(n => n + 1) }
}
