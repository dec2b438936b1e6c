import { generatePassword, Passwords, samePassword } from '../kernel/access/password.ts'
import type { Keyring } from '../kernel/crypto/signing.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { sql } from '../kernel/db/sql.ts'

/** Who can sign in to the demo's first workspace. */
export const DEMO_OWNER = 'rosalind.acker@acme-robotics.example'

/** Derived from the installation's secret key, so that it can be shown again. */
export function demoPassword(keyring: Keyring): string {
  let block = 0
  let bytes: number[] = []
  return generatePassword(below => {
    for (;;) {
      if (bytes.length === 0) bytes = [...keyring.sign('check', `demo password ${++block}`)]
      const byte = bytes.shift()!
      // leaving out the rest above the largest multiple keeps all choices equally likely
      if (byte < 256 - (256 % below)) return byte % below
    }
  })
}

export async function giveOwnerPassword(tx: Queryable, keyring: Keyring): Promise<void> {
  const hash = await new Passwords(keyring).hash(DEMO_OWNER, demoPassword(keyring))
  await tx.query(sql`update users set password_hash = ${hash} where email_key = ${DEMO_OWNER}`)
}

/** What the demo's owner signs in with, unless the password was changed. */
export async function demoSignIn(
  db: Queryable,
  keyring: Keyring,
): Promise<{ email: string; password: string } | undefined> {
  const row = await db.one(
    sql<{ password_hash: string | null }>`select password_hash from users where email_key = ${DEMO_OWNER}`,
  )
  if (!row?.password_hash) return undefined
  const password = demoPassword(keyring)
  const hash = await new Passwords(keyring).hash(DEMO_OWNER, password)
  return samePassword(hash, row.password_hash) ? { email: DEMO_OWNER, password } : undefined
}
