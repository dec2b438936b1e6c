import { hashToken, newToken } from '../kernel/http/browser-session.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Log } from '../kernel/telemetry/log.ts'
import { shownName } from '../kernel/text/names.ts'
import type { Factor } from '../resources/second-factors/index.ts'
import {
  insertTicket,
  type MemberRow,
  type Method,
  membersByEmail,
  membersById,
  type TicketKind,
  ticketByHash,
} from './store.ts'

/** Longer than the first window of the limit `mail`. */
export const SIGN_IN_LINK_SECONDS = 900

/**
 * A proof of identity: the memberships of an email address, the method, and the password, ticket or passkey that it is
 * based on.
 */
export interface Proof {
  members: MemberRow[]
  method: Method
  by:
    | { passwordHash: string }
    | { ticket: string; kind: TicketKind }
    | { passkey: string; workspace: string; user: string }
  /** the second factor, once it was proved */
  factor?: Factor
  /** the provider's session, of a sign-in through a company */
  providerSession?: string | null
  /** a workspace whose provider a person with this proof has to use, where no membership is left */
  company?: string | undefined
}

type Deps = Pick<Services, 'db' | 'mailer' | 'publicUrl'> & { log: Log }

/**
 * Emails a link to the members with this email address. If there are none, nothing is sent and the response is the
 * same. Two spellings of one key may be two mailboxes: each exact email address gets its own link, for its own
 * memberships.
 */
export async function mailLink(deps: Deps, email: string, returnTo: string | undefined): Promise<void> {
  const members = (await deps.db.query(membersByEmail(email))).filter(member => !member.companyOnly)
  const byAddress = [...Map.groupBy(members, member => member.email)]
  const sent = await Promise.allSettled(byAddress.map(([to, group]) => mailLinkTo(deps, to, group, returnTo)))
  for (const outcome of sent) if (outcome.status === 'rejected') throw outcome.reason
}

async function mailLinkTo(
  { db, mailer, publicUrl }: Deps,
  address: string,
  members: readonly MemberRow[],
  returnTo: string | undefined,
): Promise<void> {
  const token = newToken()
  const userIds = members.map(member => member.id)
  await db.query(
    insertTicket({ tokenHash: hashToken(token), kind: 'link', userIds, method: 'link', seconds: SIGN_IN_LINK_SECONDS }),
  )
  const link = new URL('/sign-in/link', publicUrl)
  link.searchParams.set('token', token)
  if (returnTo) link.searchParams.set('return_to', returnTo)
  await mailer.send({
    id: `sign-in-${hashToken(token).slice(0, 32)}`,
    audience: { signsIn: true, userIds },
    to: { address },
    subject: 'Your sign-in link',
    text: [
      'A sign-in with this email address was requested. If it was you, open this link within 15 minutes:',
      '',
      link.href,
      '',
      'It works once. If it was not you, do nothing: no one can sign in without the link.',
    ].join('\n'),
  })
}

/** Days, not minutes: a new member may not read the first email soon. */
const INVITATION_SECONDS = 3 * 86_400

/** Emails a new member the link for their first sign-in. Returns the id of the email. */
export async function mailInvitation(
  { db, mailer, publicUrl }: Pick<Services, 'db' | 'mailer' | 'publicUrl'>,
  member: { id: string; email: string },
  by: { email: string; workspaceName: string },
): Promise<string> {
  const token = newToken()
  const hash = hashToken(token)
  const ticket = { tokenHash: hash, kind: 'link', userIds: [member.id], method: 'link' } as const
  await db.query(insertTicket({ ...ticket, seconds: INVITATION_SECONDS }))
  const link = new URL('/sign-in/link', publicUrl)
  link.searchParams.set('token', token)
  const id = `invitation-${hash.slice(0, 32)}`
  // The service is the sender, so text of other people must not look like its own.
  const workspaceName = shownName(by.workspaceName, 'workspace')
  await mailer.send({
    id,
    audience: { signsIn: true, userIds: [member.id] },
    to: { address: member.email },
    subject: workspaceName === null ? 'Invitation to a workspace' : `Invitation to the workspace ${workspaceName}`,
    text: [
      'You were added to a workspace of the Hiring Partner API. Open this link within 3 days to sign in:',
      '',
      link.href,
      '',
      ...(workspaceName === null ? [] : [`Workspace: ${workspaceName}`]),
      `Invited by: ${by.email}`,
      '',
      `The link works once. After that, sign in with a new link or a password at ${new URL('/sign-in', publicUrl)}`,
      'If you do not know who invited you, ignore this email.',
    ].join('\n'),
  })
  return id
}

/** The proof of a ticket that was not used yet. */
export async function readTicket(
  { db }: Pick<Services, 'db'>,
  kind: TicketKind,
  token: string | undefined,
): Promise<Proof | undefined> {
  const hash = hashToken(token ?? '')
  const row = await db.one(ticketByHash(hash, kind))
  if (!row) return undefined
  const all = await db.query(membersById(row.user_ids))
  // a sign-in through the provider that waits for the second factor
  const byCompany = row.method === 'company'
  const members = all.filter(member => byCompany || !member.companyOnly)
  const company = members.length === 0 ? all[0]?.workspace_id : undefined
  return { members, method: row.method, by: { ticket: hash, kind }, company, providerSession: row.provider_session }
}
