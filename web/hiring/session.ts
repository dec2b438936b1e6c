import type { Scope } from '../../src/contract/scopes.ts'
import { useSignedIn } from '../ui/session.ts'
import type { Read } from './api.ts'

export type Session = Read<'/session'>

/** Who is signed in. Pages are drawn only when that is known. */
export const useSession = (): Session => useSignedIn() as Session

/** Whether the role of the reader has a scope of the API. */
export const useMay = (): ((scope: Scope) => boolean) => {
  const { scopes } = useSession()
  return scope => scopes.includes(scope)
}
