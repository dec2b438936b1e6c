import { checksum, hashSecret } from '../src/kernel/access/key-format.ts'
import { generatePassword, Passwords, samePassword } from '../src/kernel/access/password.ts'
import type { Keyring } from '../src/kernel/crypto/signing.ts'
import type { Database, Queryable } from '../src/kernel/db/database.ts'
import { sql } from '../src/kernel/db/sql.ts'

// Derived from the installation's secret key: they can be shown again to anyone who may read that key.

export const DEMO_KEY_NAME = 'Demo key'
/** Who can sign in to the demo's first workspace. */
export const DEMO_OWNER = 'rosalind.acker@acme-robotics.example'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43

export function demoSecret(keyring: Keyring): string {
  let characters = ''
  for (let i = 1; characters.length < RANDOM_LENGTH; i++) {
    // 248 is the largest multiple of 62 in a byte: leaving out the rest keeps all characters equally likely
    for (const byte of keyring.sign('check', `demo key ${i}`)) if (byte < 248) characters += BASE62[byte % 62]!
  }
  const body = `svc_test_${characters.slice(0, RANDOM_LENGTH)}`
  return body + checksum(body)
}

function demoPassword(keyring: Keyring): string {
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

/** Whether the demo key is in this store and can be used. */
export async function demoKeyExists(db: Database, keyring: Keyring): Promise<boolean> {
  const row = await db.one(sql`
    select 1 from api_key_secrets s
    join api_keys k on k.workspace_id = s.workspace_id and k.id = s.key_id
    where s.secret_hash = ${hashSecret(demoSecret(keyring))}
      and (s.expires_at is null or s.expires_at > app_now())
      and (k.expires_at is null or k.expires_at > app_now())
      and k.revoked_at is null`)
  return row !== undefined
}

/** The workspace that the demo key is of. */
export async function demoWorkspace(db: Database, keyring: Keyring): Promise<string | undefined> {
  const row = await db.one(sql<{ workspace_id: string }>`
    select workspace_id from api_key_secrets where secret_hash = ${hashSecret(demoSecret(keyring))}`)
  return row?.workspace_id
}

/** What the demo is used with, as far as it still works; null for what was revoked or changed. */
export interface DemoCredentials {
  key: string | null
  sign_in: { email: string; password: string } | null
}

export async function demoCredentials(db: Database, keyring: Keyring): Promise<DemoCredentials> {
  const [hasKey, sign_in] = await Promise.all([demoKeyExists(db, keyring), demoSignIn(db, keyring)])
  return { key: hasKey ? demoSecret(keyring) : null, sign_in }
}

async function demoSignIn(db: Database, keyring: Keyring): Promise<DemoCredentials['sign_in']> {
  const row = await db.one(
    sql<{ password_hash: string | null }>`select password_hash from users where email_key = ${DEMO_OWNER}`,
  )
  if (!row?.password_hash) return null
  const password = demoPassword(keyring)
  const hash = await new Passwords(keyring).hash(DEMO_OWNER, password)
  return samePassword(hash, row.password_hash) ? { email: DEMO_OWNER, password } : null
}
