import type { Queryable } from '../../kernel/db/database.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import { recordById } from './store.ts'

/**
 * The sources besides our own pages that `form-action` must allow: browsers check every redirect after a form against
 * the policy of the page. After sign-in, a user who came from an app is redirected to it.
 */
export async function formTargets(db: Queryable, path: string | undefined): Promise<string[]> {
  const uid = /^\/oauth\/interaction\/([\w-]+)$/.exec(path ?? '')?.[1]
  const found = uid ? await db.one(recordById('Interaction', hashToken(uid))) : undefined
  const params = found?.payload['params'] as { redirect_uri?: string } | undefined
  return params?.redirect_uri ? [toFormTarget(params.redirect_uri)] : []
}

/** A redirect URI as a source of the policy: its origin, or its scheme if the app has a custom one. */
export function toFormTarget(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri)
  return origin === 'null' ? protocol : origin
}
