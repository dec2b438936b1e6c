import { toQuery } from './api.ts'
import { Link } from './router.tsx'

/** A request id, wherever one is shown: leads to the call in the request log. */
export const RequestLink = ({ id }: { id: string }) => (
  <Link to={`/requests/${id}`} class="mono">
    {id}
  </Link>
)

const AROUND_MS = 60_000

/** The calls of a key in the minute before and after something happened. */
export function callsAround(keyId: string, at: string): string {
  const iso = (ms: number) => new Date(Date.parse(at) + ms).toISOString()
  return `/requests${toQuery({ key_id: keyId, created_after: iso(-AROUND_MS), created_before: iso(AROUND_MS) })}`
}
