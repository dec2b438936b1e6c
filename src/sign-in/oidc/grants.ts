import type Provider from 'oidc-provider'
import type { Queryable } from '../../kernel/db/database.ts'
import { workspacePlan } from '../../resources/keys/index.ts'

export const hasPlan = async (db: Queryable, workspace: string): Promise<boolean> =>
  ((await db.one(workspacePlan(workspace)))?.plan ?? null) !== null

/** Scopes that the user does not have are recorded as rejected; otherwise the provider would prompt for them again. */
export async function newGrant(
  provider: Provider,
  input: { user: string; app: string; asked: readonly string[]; can: readonly string[] },
) {
  const grant = new provider.Grant({ accountId: input.user, clientId: input.app })
  grant.addOIDCScope(input.can.join(' '))
  const refused = input.asked.filter(scope => !input.can.includes(scope))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  await grant.save()
  return grant
}
