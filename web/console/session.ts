import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SessionResponse } from '../../src/console/api-types.ts'

export const SessionContext = createContext<SessionResponse | undefined>(undefined)

/** Who is signed in. Pages are drawn only when that is known. */
export const useSession = (): SessionResponse => useContext(SessionContext)!
