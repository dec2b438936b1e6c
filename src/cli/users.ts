import { JOB_ACCESS, ROLES } from '../contract/scopes.ts'
import { generatePassword, Passwords } from '../kernel/access/password.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { openMailer } from '../kernel/services/open-mailer.ts'
import { mailChange, resetFactors, selectSignInChanges } from '../resources/second-factors/index.ts'
import {
  changeJobAccess,
  changeRole,
  createUser,
  existingUser,
  listUsers,
  removeUser,
  setPassword,
} from '../resources/users/index.ts'
import { workspaceById } from '../resources/workspaces/index.ts'
import { argumentAt, requiredOption } from './read-option.ts'
import { typedPassword } from './typed-password.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

const workspace = { value: 'H', description: 'handle of the workspace', required: true } as const
const askPassword = {
  description: 'enter the password at a prompt or on standard input; otherwise one is generated and shown once',
} as const

export const userVerbs: readonly Verb[] = [
  {
    name: 'users list',
    description: 'Lists the members of a workspace.',
    options: { workspace },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listUsers(db, requiredOption(input, 'workspace'))
        const text = table([
          ['ID', 'EMAIL', 'ROLE', 'CREATED', 'LAST SIGN-IN'],
          ...rows.map(u => [u.id, u.email ?? '-', u.role, u.created_at, u.last_login_at ?? 'never']),
        ])
        return { json: rows, text }
      }),
  },
  {
    name: 'users create',
    description: 'Adds a member to a workspace, such as the first owner of a new installation.',
    options: {
      workspace,
      email: { value: 'E', description: 'email address', required: true },
      role: { value: 'R', description: ROLES.join(', '), required: true },
      'first-name': { value: 'N', description: 'first name' },
      'last-name': { value: 'N', description: 'last name' },
      'ask-password': askPassword,
      'no-password': { description: 'the member signs in with emailed links only' },
    },
    run: async input => {
      const { password, shown } = await chosenPassword(input)
      return withStore(input, async ({ db, keyring }) => {
        const user = await createUser(
          db,
          {
            workspace: requiredOption(input, 'workspace'),
            email: requiredOption(input, 'email'),
            role: requiredOption(input, 'role'),
            firstName: input.option('first-name'),
            lastName: input.option('last-name'),
            password,
          },
          new Passwords(keyring),
        )
        return withPassword(user, `created ${user.id} (${user.email}, ${user.role})`, shown)
      })
    },
  },
  {
    name: 'users set-password',
    description: 'Sets a new password and signs the member out everywhere.',
    args: ['EMAIL'],
    options: { workspace, 'ask-password': askPassword },
    run: async input => {
      const { password, shown } = await newPassword(input)
      return withStore(input, async ({ db, keyring }) => {
        const user = await setPassword(db, new Passwords(keyring), whom(input), password)
        return withPassword(user, `new password for ${user.email}; all sessions ended`, shown)
      })
    },
  },
  {
    name: 'users set-role',
    description: 'Changes the role of a member. Takes effect immediately.',
    args: ['EMAIL', 'ROLE'],
    options: { workspace },
    run: input =>
      withStore(input, async ({ db }) => {
        const user = await changeRole(db, whom(input), argumentAt(input, 1))
        return { json: user, text: `${user.email ?? user.id} is ${user.role}` }
      }),
  },
  {
    name: 'users set-job-access',
    description: `Limits a member or viewer to the jobs whose team they are on (${JOB_ACCESS.join(' or ')}). Takes effect immediately.`,
    args: ['EMAIL', 'JOBS'],
    options: { workspace },
    run: input =>
      withStore(input, async ({ db }) => {
        const access = JOB_ACCESS.find(known => known === input.args[1])
        if (!access) throw new UserError(`the access must be one of ${JOB_ACCESS.join(', ')}`)
        const user = await changeJobAccess(db, whom(input), access)
        const jobs = access === 'team' ? 'the jobs whose team they are on' : 'all jobs'
        return { json: { id: user.id, job_access: access }, text: `${user.email ?? user.id} has access to ${jobs}` }
      }),
  },
  {
    name: 'users reset-second-factor',
    description: 'Removes the second factors of a member who lost them, signs the member out and emails them.',
    args: ['EMAIL'],
    options: { workspace },
    run: input =>
      withStore(input, async ({ db }) => {
        const { workspace: of, user: named } = whom(input)
        const user = await existingUser(db, of, named)
        await resetFactors(db, { workspace: of, user: user.id }, null)
        const config = input.config()
        const { name: workspaceName } = await db.only(workspaceById(of))
        const person = { workspaceId: of, userId: user.id, email: user.email!, workspaceName }
        const mailed = await mailChange(
          { mailer: openMailer(config, db).mailer, publicUrl: config.publicUrl ?? 'http://localhost' },
          person,
          'reset',
        ).then(
          () => 'an email was sent',
          () => 'the email about it could not be sent',
        )
        const text = `${user.email} has no second factor any more and is signed out everywhere; ${mailed}`
        return { json: { id: user.id, reset: true }, text }
      }),
  },
  {
    name: 'users sign-in-changes',
    description: 'Lists the latest changes of second factors and of the policy, with who made them.',
    options: { workspace },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await db.query(selectSignInChanges(requiredOption(input, 'workspace'), null, 100))
        const text = table([
          ['AT', 'CHANGE', 'USER', 'BY'],
          ...rows.map(row => [row.at, row.change, row.user_id ?? '-', row.by_user ?? 'operator']),
        ])
        return { json: rows, text }
      }),
  },
  {
    name: 'users remove',
    description: 'Removes a member. Their sessions, connected apps and API keys stop working immediately.',
    args: ['EMAIL'],
    options: { workspace },
    run: input =>
      withStore(input, async ({ db }) => {
        const user = await removeUser(db, whom(input))
        return { json: { id: user.id, removed: true }, text: `removed ${user.email ?? user.id}` }
      }),
  },
]

const whom = (input: VerbInput) => ({ workspace: requiredOption(input, 'workspace'), user: argumentAt(input, 0) })

/** `shown` is a generated password that has to be printed. */
async function chosenPassword(input: VerbInput): Promise<{ password?: string; shown?: string }> {
  if (!input.flag('no-password')) return newPassword(input)
  if (input.flag('ask-password')) throw new UserError('--ask-password and --no-password cannot be combined')
  return {}
}

async function newPassword(input: VerbInput): Promise<{ password: string; shown?: string }> {
  if (input.flag('ask-password')) return { password: await typedPassword() }
  const password = generatePassword()
  return { password, shown: password }
}

const withPassword = <T extends object>(user: T, text: string, shown: string | undefined) =>
  shown === undefined
    ? { json: user, text }
    : { json: { ...user, password: shown }, text: `${text}\npassword: ${shown}\nStore it now. It is not shown again.` }
