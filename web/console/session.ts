import { useSignedIn } from '../ui/session.ts'
import type { Read } from './api.ts'

type SessionResponse = Read<'/session'>

/** Who is signed in. Pages are drawn only when that is known. */
export const useSession = (): SessionResponse => useSignedIn() as SessionResponse
