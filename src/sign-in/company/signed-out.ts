import type { Queryable } from '../../kernel/db/database.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import { FLOW_SECONDS } from './flow.ts'
import type { LogoutToken } from './logout-token.ts'
import { insertSignedOut, signedOutSince } from './store.ts'

/**
 * A logout token can arrive after the provider issued the code of a sign-in, and before that sign-in has a session to end.
 * So what a token names is stored, and compared in the transaction that writes the session: both take the lock of the
 * settings, so either the logout sees the session or the sign-in sees the logout. Stored for longer than a person may stay at
 * the provider, with the requests to it that follow.
 */
const SIGNED_OUT_SECONDS = FLOW_SECONDS + 300

type Whom = Pick<LogoutToken, 'subject' | 'session'>

const key = (kind: string, ...values: string[]): string => `${kind}:${hashToken(JSON.stringify(values))}`

/** The same matches as those of sessions (`endProvidedSessions`). */
const keysOfLogout = ({ subject, session }: Whom): string[] => {
  if (subject === undefined) return session === undefined ? [] : [key('sid', session)]
  return session === undefined ? [key('sub', subject)] : [key('both', subject, session), key('unnamed', subject)]
}

const keysOfSignIn = (subject: string, session: string | undefined): string[] => [
  key('sub', subject),
  ...(session === undefined ? [key('unnamed', subject)] : [key('sid', session), key('both', subject, session)]),
]

export const recordSignedOut = (tx: Queryable, workspace: string, whom: Whom): Promise<unknown> =>
  tx.query(insertSignedOut(workspace, keysOfLogout(whom), SIGNED_OUT_SECONDS))

/** Whether the person was signed out at the provider after they had been sent there for this sign-in. */
export const wasSignedOut = async (
  tx: Queryable,
  workspace: string,
  { subject, session }: { subject: string; session: string | undefined },
  began: number,
): Promise<boolean> =>
  (await tx.one(signedOutSince(workspace, keysOfSignIn(subject, session), began, SIGNED_OUT_SECONDS))) !== undefined
