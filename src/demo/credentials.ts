import type { Keyring } from '../kernel/crypto/signing.ts'
import type { Database } from '../kernel/db/database.ts'
import { demoKeyExists, demoSecret } from './load.ts'
import { demoSignIn } from './sign-in.ts'

/** What the demo is used with, as far as it still works; null for what was revoked or changed. */
export interface DemoCredentials {
  key: string | null
  sign_in: { email: string; password: string } | null
}

/** Derived from the installation's secret key: they can be shown again to anyone who may read that key. */
export async function demoCredentials(db: Database, keyring: Keyring): Promise<DemoCredentials> {
  const [hasKey, signIn] = await Promise.all([demoKeyExists(db, keyring), demoSignIn(db, keyring)])
  return { key: hasKey ? demoSecret(keyring) : null, sign_in: signIn ?? null }
}
