import type { HiringSessionResponse } from '../../src/hiring/api-types.ts'
import { useSignedIn } from '../ui/session.ts'

/** Who is signed in. Pages are drawn only when that is known. */
export const useSession = (): HiringSessionResponse => useSignedIn() as HiringSessionResponse

/** Whether the role of the reader has a scope of the API. */
export const useMay = (): ((scope: string) => boolean) => {
  const { scopes } = useSession()
  return scope => scopes.includes(scope)
}
