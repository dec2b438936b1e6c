import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SessionAnswer } from '../../src/console/answers.ts'

export const SessionContext = createContext<SessionAnswer | undefined>(undefined)

/** Who is signed in. Pages are drawn only when that is known. */
export const useSession = (): SessionAnswer => useContext(SessionContext)!
