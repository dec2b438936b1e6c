import type { Queryable } from '../../kernel/db/database.ts'
import { hashToken } from '../sessions.ts'
import { recordById } from './store.ts'

/**
 * Where the response to a form may redirect besides our own pages: browsers check every redirect that follows a form against
 * the page's policy. After signing in, a person on the way to an app is redirected to it.
 */
export async function formTargets(db: Queryable, path: string | undefined): Promise<string[]> {
  const uid = /^\/oauth\/interaction\/([\w-]+)$/.exec(path ?? '')?.[1]
  const found = uid ? await db.one(recordById('Interaction', hashToken(uid))) : undefined
  const params = found?.payload['params'] as { redirect_uri?: string } | undefined
  return params?.redirect_uri ? [targetOf(params.redirect_uri)] : []
}

/** An address as a source of the policy: its origin, or its scheme if that is one of an app's own. */
export function targetOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri)
  return origin === 'null' ? protocol : origin
}
