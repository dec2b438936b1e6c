import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { addressMatcher } from '../../kernel/access/caller.ts'
import type { Services } from '../../kernel/services/services.ts'
import { isAppSecret } from '../../resources/connected-apps/index.ts'
import { describeAuthentication } from '../second-factor/policy.ts'
import { readSession } from '../sessions.ts'
import { RESUMPTION } from './urls.ts'

/**
 * The version of oidc-provider whose internals this file was written for. A test fails for any other: then compare the
 * provider's `lib/models/session.js`, `lib/shared/session.js` and `lib/models/client.js` with what is replaced here,
 * run the tests of test/sign-in, and change this line.
 */
export const WRITTEN_FOR = '9.13.3'

/**
 * Makes the provider use our session: it stores none and sets no cookie. For an app, a member of another workspace
 * counts as not signed in. An interaction that was completed by a user who has signed out since is repeated.
 *
 * The provider has no option for this, so `Session.get` is replaced, and on the session that it returns `loginAccount`,
 * `uid` and `destroyed`.
 */
export function patchSessions(provider: Provider, services: Services): void {
  const { Session } = provider
  Session.get = async context => {
    const ctx = context as KoaContextWithOIDC
    const [person, interaction] = await Promise.all([
      readSession(services, ctx.req),
      ctx.path.startsWith(RESUMPTION) ? provider.Interaction.find(ctx.path.slice(RESUMPTION.length)) : undefined,
    ])
    const completedBy = interaction?.result?.login?.accountId ?? person?.userId
    const client = interaction ? interaction.params['client_id'] : ctx.query['client_id']
    const session = new Session()
    if (person?.userId === completedBy && person && (await isInWorkspace(provider, client, person.workspaceId))) {
      session.loginAccount({
        accountId: person.userId,
        ...describeAuthentication(person),
      })
      // without a time, every `max_age` is over and no token has `auth_time`
      const at = person.authenticatedAt
      Object.assign(session, { loginTs: at === null ? undefined : Math.floor(Date.parse(at) / 1000) })
    }
    // the provider would sign in the account of the interaction, which may have signed out since
    session.loginAccount = () => {}
    // the provider would look up a session with an id in its own storage
    session.uid = ''
    Object.defineProperty(session, 'destroyed', { value: true, writable: true })
    ctx.oidc.entity('Session', session)
    return session
  }
}

async function isInWorkspace(provider: Provider, id: unknown, workspace: string): Promise<boolean> {
  const client = typeof id === 'string' ? await provider.Client.find(id) : undefined
  return client === undefined || client['workspace_id'] === workspace
}

/**
 * Compares hashes: secrets of apps are stored hashed, and the provider would compare plain texts. The secret of an installable
 * app is valid only at its IP addresses.
 */
export function patchClientSecrets(provider: Provider, { db }: Services): void {
  const prototype = provider.Client.prototype as unknown as { compareClientSecret(actual: string): Promise<boolean> }
  prototype.compareClientSecret = async function (this: { clientId: string; ip_allowlist?: string[] }, actual) {
    const { ctx } = provider.constructor as typeof Provider
    if (!addressMatcher(this.ip_allowlist ?? [])(ctx?.ip ?? '')) return false
    return isAppSecret(db, this.clientId, actual)
  }
}
