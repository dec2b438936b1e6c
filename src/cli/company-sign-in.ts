import { UserError } from '../kernel/errors/user-error.ts'
import { resolveName } from '../kernel/net/resolve-name.ts'
import type { Services } from '../kernel/services/services.ts'
import {
  CLAIM_ROLES,
  type CompanySignInInput,
  changeCompanySignIn,
  disconnectMember,
  readCompanyLog,
  readCompanySignIn,
  removeCompanySignIn,
  SettingFault,
} from '../resources/company-sign-in/index.ts'
import { argumentAt, listed, onOrOff } from './read-option.ts'
import { typedSecret } from './typed-password.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

/** The operator's way: any domain can be added, and a workspace whose owners cannot sign in can be opened again. */
export const companySignInVerbs: readonly Verb[] = [
  {
    name: 'company-sign-in set',
    description:
      'Shows how members of a workspace sign in through their company, and changes what is given as options.',
    args: ['ID'],
    options: {
      issuer: { value: 'URL', description: 'issuer of the OpenID provider' },
      'client-id': { value: 'C', description: 'client ID at the provider' },
      'ask-client-secret': { description: 'enter the client secret at a prompt or on standard input' },
      domains: { value: 'A,B', description: 'email domains that lead to the provider' },
      enabled: { value: 'on|off', description: 'whether people can sign in this way' },
      enforced: { value: 'on|off', description: 'whether people of the domains, except owners, sign in this way only' },
      'create-members': { value: 'on|off', description: 'whether people without a membership get one' },
      'trust-email': { value: 'on|off', description: 'whether addresses without email_verified are accepted' },
      'end-provider-session': { value: 'on|off', description: 'whether who signs out also signs out at the provider' },
      'role-claim': { value: 'N|none', description: 'claim with the roles; none: roles are managed in the workspace' },
      role: { value: 'V=R', description: `a value of the claim and its role (${CLAIM_ROLES.join(', ')})`, many: true },
      'default-role': { value: 'R|none', description: 'role of people whom no value matches; none: no access' },
    },
    run: async input => {
      const secret = input.flag('ask-client-secret') ? await typedSecret('Client secret: ') : undefined
      return withStore(input, async ({ db, keyring }) => {
        const id = argumentAt(input, 0)
        const wanted = { ...wantedOf(input), ...(secret === undefined ? {} : { client_secret: secret }) }
        const row =
          Object.keys(wanted).length === 0
            ? await readCompanySignIn(db, id)
            : await changeCompanySignIn(db, keyring, id, wanted, 'operator').catch(namingOption)
        if (!row) return { json: null, text: `${id} does not use the sign-in of a company` }
        const asks = row.enabled && (wanted.issuer !== undefined || wanted.enabled !== undefined)
        const warnings = asks ? await providerWarnings({ config: input.config(), db, keyring }, row.issuer) : []
        const { client_secret_sealed: _, ...shown } = row
        const onOff = (on: boolean) => (on ? 'on' : 'off')
        const lines = [
          ['issuer', row.issuer],
          ['client-id', row.client_id],
          ['domains', row.domains.join(',') || 'none'],
          ['enabled', onOff(row.enabled)],
          ['enforced', onOff(row.enforced)],
          ['create-members', onOff(row.creates_members)],
          ['trust-email', onOff(row.trusts_email)],
          ['end-provider-session', onOff(row.ends_provider_session)],
          ['role-claim', row.role_claim ?? 'none'],
          ...row.role_rules.map(rule => ['role', `${rule.value}=${rule.role}`]),
          ['default-role', row.default_role ?? 'none'],
        ]
        return {
          json: { ...shown, ...(warnings.length > 0 && { warnings }) },
          text: [table(lines), ...warnings].join('\n'),
        }
      })
    },
  },
  {
    name: 'company-sign-in remove',
    description: 'Removes the company sign-in of a workspace. Members use passwords and emailed links again.',
    args: ['ID'],
    run: input =>
      withStore(input, async ({ db }) => {
        const id = argumentAt(input, 0)
        if (!(await removeCompanySignIn(db, id, 'operator')))
          throw new UserError(`${id} does not use the sign-in of a company`)
        return { json: { id, removed: true }, text: `removed the company sign-in of ${id}` }
      }),
  },
  {
    name: 'company-sign-in disconnect',
    description:
      'Disconnects a member from the account at the company. The next sign-in connects them by email address.',
    args: ['ID', 'USER'],
    run: input =>
      withStore(input, async ({ db }) => {
        const [id, user] = input.args as [string, string]
        if (!(await disconnectMember(db, id, user, 'operator')))
          throw new UserError(`${user} is not connected to an account at the company`)
        return { json: { id: user, disconnected: true }, text: `disconnected ${user}` }
      }),
  },
  {
    name: 'company-sign-in log',
    description: 'Lists changes of the company sign-in of a workspace, what sign-ins changed, and failures.',
    args: ['ID'],
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await readCompanyLog(db, argumentAt(input, 0))
        const text = table([
          ['AT', 'EVENT', 'MEMBER', 'BY', 'DETAIL'],
          ...rows.map(row => [row.at, row.event, row.user_id ?? '-', byOf(row), JSON.stringify(row.detail)]),
        ])
        return { json: rows, text }
      }),
  },
]

/** The settings are stored although the provider cannot be used now: an operator may prepare them for one that is to come. */
async function providerWarnings(store: Pick<Services, 'config' | 'db' | 'keyring'>, issuer: string): Promise<string[]> {
  const { describeIssuerFault } = await import('../sign-in/company/provider.ts')
  const fault = await describeIssuerFault({ ...store, resolveName, isLocalDemo: false }, issuer)
  return fault === undefined ? [] : [`warning: the settings are stored, but the issuer ${fault}`]
}

/** Settings whose option is not their name with hyphens. */
const OPTIONS: Readonly<Record<string, string>> = {
  client_secret: 'ask-client-secret',
  creates_members: 'create-members',
  trusts_email: 'trust-email',
  ends_provider_session: 'end-provider-session',
  role_rules: 'role',
}

function namingOption(error: unknown): never {
  if (!(error instanceof SettingFault)) throw error
  throw new UserError(`--${OPTIONS[error.param] ?? error.param.replaceAll('_', '-')}: ${error.message}`)
}

/** Sign-ins and failures are no one's changes. */
const byOf = (row: { actor_id: string | null; detail: unknown }): string =>
  row.actor_id ?? ((row.detail as { by?: string }).by === 'operator' ? 'operator' : '-')

function wantedOf(input: VerbInput): CompanySignInInput {
  const set = <K extends string, V>(name: K, value: V | undefined) => (value === undefined ? {} : { [name]: value })
  const optional = (option: string) => {
    const text = input.option(option)
    return text === 'none' ? null : text
  }
  const domains = input.option('domains')
  const rules = input.options('role').map(text => {
    const at = text.lastIndexOf('=')
    if (at < 1) throw new UserError(`--role must be a value and a role, such as recruiters=member; invalid: ${text}`)
    return { value: text.slice(0, at), role: text.slice(at + 1) }
  })
  return {
    ...set('issuer', input.option('issuer')),
    ...set('client_id', input.option('client-id')),
    ...set('domains', domains === undefined ? undefined : listed(domains)),
    ...set('enabled', onOrOff(input, 'enabled')),
    ...set('enforced', onOrOff(input, 'enforced')),
    ...set('creates_members', onOrOff(input, 'create-members')),
    ...set('trusts_email', onOrOff(input, 'trust-email')),
    ...set('ends_provider_session', onOrOff(input, 'end-provider-session')),
    ...set('role_claim', optional('role-claim')),
    ...set('role_rules', rules.length === 0 ? undefined : rules),
    ...set('default_role', optional('default-role')),
  }
}
