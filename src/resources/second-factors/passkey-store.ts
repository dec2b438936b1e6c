import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { FactorOwner } from './store.ts'

export type ChallengePurpose = 'register' | 'sign_in' | 'confirm'

export const insertChallenge = (hash: string, purpose: ChallengePurpose, user: string | null, seconds: number) => sql`
  insert into passkey_challenges (challenge_hash, purpose, user_id, expires_at)
  values (${hash}, ${purpose}, ${user}, app_now() + ${seconds}::integer * interval '1 second')`

/** Uses a challenge by deleting it. Of two concurrent calls only one gets the row. */
export const consumeChallenge = (hash: string, purpose: ChallengePurpose, user: string | null) =>
  sql<{ purpose: string }>`
    delete from passkey_challenges
    where challenge_hash = ${hash} and purpose = ${purpose} and user_id is not distinct from ${user}
      and expires_at > app_now()
    returning purpose`

export interface PasskeyRow {
  id: string
  name: string
  backed_up: boolean
  created_at: string
  last_used_at: string | null
}

export const selectPasskeys = ({ workspace, user }: FactorOwner): Sql<PasskeyRow & { credential_id: string }> =>
  sql<PasskeyRow & { credential_id: string }>`
    select id, name, backed_up, created_at, last_used_at, credential_id from passkeys
    where workspace_id = ${workspace} and user_id = ${user} order by created_at, id`

interface StoredPasskey {
  id: string
  workspace_id: string
  user_id: string
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
}

/** Found before it is known whose it is: the signature proves that. */
export const passkeyByCredential = (credentialId: string): Sql<StoredPasskey> =>
  sql<StoredPasskey>`
    select id, workspace_id, user_id, credential_id, public_key, counter::float8 as counter, transports from passkeys
    where credential_id = ${credentialId}`

export interface NewPasskey {
  id: string
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: readonly string[]
  backedUp: boolean
  name: string
}

/** No row if the credential is stored already. */
export const insertPasskey = ({ workspace, user }: FactorOwner, p: NewPasskey) =>
  sql<{ id: string }>`
    insert into passkeys (workspace_id, id, user_id, credential_id, public_key, counter, transports, backed_up, name)
    values (${workspace}, ${p.id}::uuid, ${user}, ${p.credentialId}, ${p.publicKey}, ${p.counter}::bigint,
      ${p.transports}::text[], ${p.backedUp}, ${p.name})
    on conflict (credential_id) do nothing returning id`

/** No row if a signature with this counter or a later one was accepted already; 0 is the counter of keys without one. */
export const markPasskeyUsed = (workspace: string, id: string, counter: number, backedUp: boolean) =>
  sql<{ id: string }>`
    update passkeys set counter = ${counter}::bigint, backed_up = ${backedUp}, last_used_at = app_now()
    where workspace_id = ${workspace} and id = ${id}::uuid
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
    returning id`

export const deletePasskey = ({ workspace, user }: FactorOwner, id: string) =>
  sql<{ id: string }>`
    delete from passkeys where workspace_id = ${workspace} and user_id = ${user} and id = ${id}::uuid returning id`

export const selectPasskey = ({ workspace, user }: FactorOwner, id: string) =>
  sql<{ id: string }>`
    select id from passkeys where workspace_id = ${workspace} and user_id = ${user} and id = ${id}::uuid`
