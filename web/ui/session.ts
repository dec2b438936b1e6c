import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** What every program of the signed-in pages knows of its session. */
export interface SignedIn {
  user: { id: string; name: string; email: string }
  workspace: { id: string; name: string; environment: 'live' | 'test'; plan: { code: string; name: string } | null }
  csrf_token: string
}

export const SessionContext = createContext<SignedIn | undefined>(undefined)

/** Who is signed in. Pages are drawn only when that is known. */
export const useSignedIn = (): SignedIn => useContext(SessionContext)!
