import type { Log } from '../kernel/log.ts'
import type { Services } from '../kernel/services.ts'
import { hashToken, newToken } from './sessions.ts'
import {
  insertTicket,
  type MemberRow,
  type Method,
  membersByEmail,
  membersById,
  spendTicket,
  ticketByHash,
} from './store.ts'

export const LINK_SECONDS = 900
export const CHOICE_SECONDS = 600

/** Whom a ticket stands for: memberships that still exist, and how the address was proved. */
export interface Proof {
  members: MemberRow[]
  method: Method
}

type Deps = Pick<Services, 'db' | 'mailer' | 'publicUrl'> & { log: Log }

/** Mails a link to whoever has the address; to nobody if nobody does, and the answer to the request is the same. */
export async function mailLink(
  { db, mailer, publicUrl }: Deps,
  email: string,
  returnTo: string | undefined,
): Promise<void> {
  const members = await db.query(membersByEmail(email))
  const first = members[0]
  if (!first) return
  const token = newToken()
  const userIds = members.map(member => member.id)
  await db.query(
    insertTicket({ tokenHash: hashToken(token), kind: 'link', userIds, method: 'link', seconds: LINK_SECONDS }),
  )
  const link = new URL('/sign-in/link', publicUrl)
  link.searchParams.set('token', token)
  if (returnTo) link.searchParams.set('return_to', returnTo)
  await mailer.send({
    id: `sign-in-${hashToken(token).slice(0, 32)}`,
    to: { address: first.email },
    subject: 'Your link to sign in',
    text: [
      'Somebody asked to sign in with this e-mail address. If it was you, open this link within 15 minutes:',
      '',
      link.href,
      '',
      'It works once. If it was not you, do nothing: without the link nobody can sign in.',
    ].join('\n'),
  })
}

/** A proved person who still has to choose among workspaces; answers the token for their cookie. */
export async function issueChoice({ db }: Pick<Services, 'db'>, { members, method }: Proof): Promise<string> {
  const token = newToken()
  const userIds = members.map(member => member.id)
  await db.query(
    insertTicket({ tokenHash: hashToken(token), kind: 'choice', userIds, method, seconds: CHOICE_SECONDS }),
  )
  return token
}

/** What a ticket proves, without spending it. */
export async function lookAtTicket(
  { db }: Pick<Services, 'db'>,
  kind: 'link' | 'choice',
  token: string | undefined,
): Promise<Proof | undefined> {
  const row = token ? await db.one(ticketByHash(hashToken(token), kind)) : undefined
  return row && { members: await db.query(membersById(row.user_ids)), method: row.method }
}

export async function useTicket(
  { db }: Pick<Services, 'db'>,
  kind: 'link' | 'choice',
  token: string | undefined,
): Promise<Proof | undefined> {
  const row = token ? await db.one(spendTicket(hashToken(token), kind)) : undefined
  return row && { members: await db.query(membersById(row.user_ids)), method: row.method }
}
