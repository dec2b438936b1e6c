import type Provider from 'oidc-provider'
import type { Queryable } from '../../kernel/db/database.ts'
import { workspacePlan } from '../../resources/keys/index.ts'

export const hasPlan = async (db: Queryable, workspace: string): Promise<boolean> =>
  ((await db.one(workspacePlan(workspace)))?.plan ?? null) !== null

/** The resource that an authorization was requested for, as the provider knows it; undefined: none. */
export const readResource = (params: Readonly<Record<string, unknown>>): string | undefined => {
  const { resource } = params
  return typeof resource === 'string' ? resource : undefined
}

/** Scopes that the user does not have are recorded as rejected; otherwise the provider would prompt for them again. */
export async function newGrant(
  provider: Provider,
  input: { user: string; app: string; asked: readonly string[]; can: readonly string[]; resource: string | undefined },
) {
  const grant = new provider.Grant({ accountId: input.user, clientId: input.app })
  grant.addOIDCScope(input.can.join(' '))
  const refused = input.asked.filter(scope => !input.can.includes(scope))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  if (input.resource !== undefined) {
    grant.addResourceScope(input.resource, input.can.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(input.resource, refused.join(' '))
  }
  await grant.save()
  return grant
}
