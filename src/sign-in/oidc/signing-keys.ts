import { generateKeyPair, type JsonWebKey, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'
import type { Services } from '../../kernel/services/services.ts'
import { insertSigningKey, lockSigningKeys, signingKeys } from './store.ts'

export interface SigningKey extends JsonWebKey {
  kid: string
}

const generate = promisify(generateKeyPair)

/** The keys that sign identity tokens: created once, stored sealed, the same in every process. */
export async function loadSigningKeys({ db, keyring }: Pick<Services, 'db' | 'keyring'>): Promise<SigningKey[]> {
  let rows = await db.query(signingKeys())
  if (rows.length === 0) {
    const made = await newSigningKey()
    rows = await db.transaction(async tx => {
      await tx.query(lockSigningKeys())
      const others = await tx.query(signingKeys())
      if (others.length > 0) return others
      await tx.query(insertSigningKey(made.kid, keyring.seal(Buffer.from(JSON.stringify(made)), contextOf(made.kid))))
      return tx.query(signingKeys())
    })
  }
  return rows.map(({ id, sealed }) => JSON.parse(keyring.unseal(sealed, contextOf(id)).toString()) as SigningKey)
}

const contextOf = (id: string) => `signing key ${id}`

export const signInSealedColumns: readonly SealedColumn[] = [
  {
    table: 'oidc_signing_keys',
    column: 'sealed',
    identifiedBy: ['id'],
    context: row => contextOf(String(row['id'])),
  },
]

async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' } as SigningKey
}
