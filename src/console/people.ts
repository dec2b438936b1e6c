import { canBeLimited, ROLES, type Role } from '../contract/roles.ts'
import { JOB_ACCESS } from '../contract/scopes.ts'
import { fail, invalid } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { MailInDoubt, MailNotSent } from '../kernel/mail/mail.ts'
import { Type } from '../kernel/schema/types.ts'
import { named } from '../programs/body-rules.ts'
import { SessionError } from '../programs/errors.ts'
import { mailChange, membersWithFactor, readFactors, resetFactors } from '../resources/second-factors/index.ts'
import {
  changeJobAccess,
  changeRole,
  createUser,
  limitedUsers,
  removeUser,
  selectUsers,
  userById,
} from '../resources/users/index.ts'
import { userName } from '../resources/users/shape.ts'
import { waitInWords } from '../sign-in/describe.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import { mailInvitation } from '../sign-in/tickets.ts'
import { countAttemptOf } from './limits.ts'
import { hasOutbox } from './outbox.ts'
import { type Call, get, post } from './program.ts'

const roleField = Type.Union(ROLES.map(role => Type.Literal(role)))
const accessField = Type.Union(JOB_ACCESS.map(access => Type.Literal(access)))
const nameField = Type.String()

type Member = NonNullable<Awaited<ReturnType<typeof memberOf>>>

/**
 * Owners manage everyone; admins everyone but owners, and cannot make owners: else an admin could become one.
 * That the last owner stays is the actions' rule.
 */
export const peopleEndpoints = [
  get({
    path: '/people',
    handler: async ({ db, session }) => {
      const [users, limited, factors] = await Promise.all([
        db.query(selectUsers(session.workspaceId)),
        limitedUsers(db, session.workspaceId),
        db.query(membersWithFactor(session.workspaceId)),
      ])
      const limits = new Map(limited.map(limit => [limit.id, limit]))
      const secured = new Set(factors.map(({ user_id }) => user_id))
      const people = users.filter(({ kind }) => kind === 'person')
      return { data: people.map(user => toResponse(user, session, limits.get(user.id), secured.has(user.id))) }
    },
  }),
  post({
    path: '/people',
    sensitive: true,
    body: named(
      Type.Object(
        {
          email: Type.String({ minLength: 3, maxLength: 254 }),
          role: roleField,
          job_access: Type.Optional(accessField),
          first_name: nameField,
          last_name: nameField,
        },
        closed,
      ),
      { first_name: 'person', last_name: 'person' },
    ),
    handler: async call => {
      const { db, session, body } = call
      requireRights(session, body.role)
      if (body.job_access === 'team' && !canBeLimited(body.role))
        invalid('job_access', 'must be all: owners and admins have access to all jobs')
      await countInvitation(call, body.email)
      try {
        const user = await createUser(db, {
          workspace: session.workspaceId,
          email: body.email,
          role: body.role,
          ...(body.job_access ? { jobAccess: body.job_access } : {}),
          firstName: body.first_name,
          lastName: body.last_name,
        })
        return await invite(call, user)
      } catch (error) {
        // everything else was checked: what is refused is the address
        if (error instanceof UserError) return invalid('email', error.message)
        throw error
      }
    },
  }),
  post({
    path: '/people/{id}/invite',
    handler: async call => {
      const user = await memberOf(call)
      if (!user) return undefined
      requireRights(call.session, user.role)
      // people who have signed in request their own link; no one else needs one that opens their account
      if (user.last_login_at !== null) throw new UserError('this person has already signed in')
      await countInvitation(call, user.email!)
      return invite(call, user)
    },
  }),
  post({
    path: '/people/{id}/role',
    sensitive: true,
    body: Type.Object({ role: roleField }, closed),
    handler: async call => {
      const { db, session, body } = call
      const user = await memberOf(call)
      if (!user) return undefined
      const who = { workspace: session.workspaceId, user: user.id }
      const may = (role: string) => requireRights(session, role, body.role)
      const changed = await changeRole(db, who, body.role, may)
      return toResponse(changed, session, await limitOf(db, who), (await readFactors(db, who)).any)
    },
  }),
  post({
    path: '/people/{id}/job-access',
    sensitive: true,
    body: Type.Object({ job_access: accessField }, closed),
    handler: async call => {
      const { db, session, body } = call
      const user = await memberOf(call)
      if (!user) return undefined
      const who = { workspace: session.workspaceId, user: user.id }
      const changed = await changeJobAccess(db, who, body.job_access, role => requireRights(session, role))
      return toResponse(changed, session, await limitOf(db, who), (await readFactors(db, who)).any)
    },
  }),
  post({
    path: '/people/{id}/reset-second-factor',
    sensitive: true,
    roles: ['owner'],
    handler: async call => {
      const { services, db, session } = call
      const user = await memberOf(call)
      if (!user) return undefined
      if (user.id === session.userId) throw new UserError('your own second factor is changed in your account')
      const who = { workspace: session.workspaceId, user: user.id }
      await resetFactors(db, who, session.userId)
      if (user.email !== null) {
        const { workspaceId, workspaceName } = session
        const person = { workspaceId, userId: user.id, email: user.email, workspaceName }
        await mailChange(services, person, 'reset').catch(error =>
          services.log.warn({ err: error }, 'an email about a changed sign-in was not sent'),
        )
      }
      return toResponse(user, session, await limitOf(db, who), false)
    },
  }),
  post({
    path: '/people/{id}/remove',
    sensitive: true,
    handler: async call => {
      const { db, session } = call
      const user = await memberOf(call)
      if (!user) return undefined
      const who = { workspace: session.workspaceId, user: user.id }
      // who is removed and invited again has no second factor, and only owners reset one
      if (session.role !== 'owner' && (await readFactors(db, who)).any) {
        throw new SessionError('role_required', 'Only owners can remove people who have a second factor.')
      }
      await removeUser(db, who, role => requireRights(session, role))
      return { id: user.id }
    },
  }),
]

/** A person. The user of an app is managed with its installation. */
const memberOf = async ({ db, session, params }: Pick<Call<'id'>, 'db' | 'session' | 'params'>) => {
  const user = await db.one(userById(session.workspaceId, params.id))
  return user?.kind === 'person' ? user : undefined
}

/** undefined for people with access to all jobs. */
const limitOf = async (db: Call['db'], { workspace, user }: { workspace: string; user: string }) =>
  (await limitedUsers(db, workspace)).find(({ id }) => id === user)

function requireRights(session: UserSession, ...roles: string[]): void {
  if (session.role === 'owner' || !roles.includes('owner')) return
  throw new SessionError('role_required', 'Only owners can create, change and remove owners.')
}

/** Before anything is written: a workspace cannot be used to fill other people's mailboxes. */
async function countInvitation({ services, session }: Pick<Call, 'services' | 'session'>, email: string) {
  const wait = await countAttemptOf(services, 'invitation', { account: email, address: session.workspaceId })
  if (!wait) return
  const message = `Too many invitations were sent today. Try again in ${waitInWords(wait)}.`
  fail('rate_limit_exceeded', { message, retry_after_seconds: wait })
}

/** The membership exists whether or not the mail is sent: the link can be sent again. */
async function invite({ services, db, session }: Pick<Call, 'services' | 'db' | 'session'>, user: Member) {
  const limit = await limitOf(db, { workspace: session.workspaceId, user: user.id })
  // who was never signed in has no factor
  const person = toResponse(user, session, limit, false)
  const by = { email: session.email, workspaceName: session.workspaceName }
  try {
    const id = await mailInvitation(services, { id: user.id, email: user.email! }, by)
    return { person, mailed: true, outbox_mail_id: hasOutbox(services) ? id : null }
  } catch (error) {
    if (!(error instanceof MailNotSent || error instanceof MailInDoubt)) throw error
    services.log.warn({ err: error }, 'sending an invitation failed')
    return { person, mailed: false, outbox_mail_id: null }
  }
}

type Limit = Awaited<ReturnType<typeof limitOf>>

const toResponse = (user: Member, session: UserSession, limit: Limit, hasFactor: boolean) => ({
  id: user.id,
  name: userName(user),
  email: user.email,
  role: user.role as Role,
  /** owners and admins have it too: it applies when they become members or viewers */
  job_access: limit ? ('team' as const) : ('all' as const),
  /** on how many teams a person is who is limited to jobs; null: access to all jobs */
  jobs: limit?.limited ? limit.jobs : null,
  /** has proved the address */
  verified: user.is_verified,
  last_login_at: user.last_login_at,
  created_at: user.created_at,
  /** has an authenticator app or a passkey */
  second_factor: hasFactor,
  is_you: user.id === session.userId,
  /** an admin leaves owners alone; the last owner stays */
  can_change: session.role === 'owner' || user.role !== 'owner',
})
