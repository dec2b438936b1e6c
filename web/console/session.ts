import type { SessionResponse } from '../../src/console/api-types/session.ts'
import { useSignedIn } from '../ui/session.ts'

/** Who is signed in. Pages are drawn only when that is known. */
export const useSession = (): SessionResponse => useSignedIn() as SessionResponse
