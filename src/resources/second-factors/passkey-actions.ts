import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { type Added, factorAdded, factorRemoved } from './actions.ts'
import {
  type ChallengePurpose,
  consumeChallenge,
  deletePasskey,
  insertChallenge,
  insertPasskey,
  markPasskeyUsed,
  passkeyByCredential,
  selectPasskeys,
} from './passkey-store.ts'
import { type FactorOwner, lockFactorOwner } from './store.ts'

/** Loaded with the first use: a start does not wait for it. */
const library = () => import('@simplewebauthn/server')

/** How long a person may take to find the device and unlock it. */
const CHALLENGE_SECONDS = 300
const MAX_PASSKEYS = 20
/** EdDSA, ES256 and RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257]

/** Where passkeys are valid: the host of the public URL. Browsers allow them with TLS and on localhost, not for IP addresses. */
export function passkeySite(publicUrl: string): { rpId: string; origin: string } | undefined {
  const { hostname, protocol, origin } = new URL(publicUrl)
  const isSafe = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSafe && isIP(hostname.replace(/[[\]]/g, '')) === 0 ? { rpId: hostname, origin } : undefined
}

type Site = NonNullable<ReturnType<typeof passkeySite>>

/** A challenge that was stored: it is valid once, for this purpose and person. */
async function newChallenge(db: Queryable, purpose: ChallengePurpose, user: string | null) {
  const challenge = randomBytes(32)
  await db.query(insertChallenge(hashOf(challenge.toString('base64url')), purpose, user, CHALLENGE_SECONDS))
  return new Uint8Array(challenge)
}

const hashOf = (challenge: string): string => sha256(challenge).toString('hex')

/** What the browser needs for making a passkey. */
export async function registrationOptions(
  db: Queryable,
  who: FactorOwner,
  site: Site,
  person: { email: string; name: string; product: string },
) {
  const [{ generateRegistrationOptions }, existing, challenge] = await Promise.all([
    library(),
    db.query(selectPasskeys(who)),
    newChallenge(db, 'register', who.user),
  ])
  return generateRegistrationOptions({
    rpName: person.product,
    rpID: site.rpId,
    // the handle of a member says nothing about the person
    userID: new Uint8Array(Buffer.from(who.user)),
    userName: person.email,
    userDisplayName: person.name,
    challenge,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_SECONDS * 1000,
  })
}

/** What the browser needs for signing with a passkey: one of the person, or any if it is not known who it is. */
export async function authenticationOptions(db: Queryable, site: Site, who?: FactorOwner) {
  const [{ generateAuthenticationOptions }, passkeys, challenge] = await Promise.all([
    library(),
    who ? db.query(selectPasskeys(who)) : [],
    newChallenge(db, who ? 'confirm' : 'sign_in', who?.user ?? null),
  ])
  return generateAuthenticationOptions({
    rpID: site.rpId,
    challenge,
    allowCredentials: passkeys.map(({ credential_id }) => ({ id: credential_id })),
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
  })
}

type Sent = Record<string, unknown> & { id: string; response: Record<string, unknown> }

/** What a browser sent, and the challenge that it signed. Undefined for what is not the credential of a browser. */
function readCredential(text: string): { credential: Sent; challenge: string } | undefined {
  try {
    const credential = JSON.parse(text) as Sent
    const client = Buffer.from(String(credential.response['clientDataJSON']), 'base64url').toString()
    const { challenge } = JSON.parse(client) as { challenge?: unknown }
    return typeof challenge === 'string' && typeof credential.id === 'string' ? { credential, challenge } : undefined
  } catch {
    return undefined
  }
}

/** The library throws for everything that is wrong with a credential. */
const orUndefined = <T>(check: Promise<T>): Promise<T | undefined> => check.catch(() => undefined)

/**
 * Adds a passkey that the browser made for the challenge. The session has proved it, and every other session of the
 * member ends. Undefined: it is not valid, and the challenge is used up.
 */
export async function addPasskey(
  db: Database,
  who: FactorOwner,
  site: Site,
  given: { credential: string; name: string; session: string },
): Promise<Added | undefined> {
  const sent = readCredential(given.credential)
  if (!sent || !(await db.one(consumeChallenge(hashOf(sent.challenge), 'register', who.user)))) return undefined
  const { verifyRegistrationResponse } = await library()
  const checked = await orUndefined(
    verifyRegistrationResponse({
      response: sent.credential as never,
      expectedChallenge: sent.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!checked?.verified) return undefined
  const { credential, credentialBackedUp } = checked.registrationInfo
  return db.transaction(async tx => {
    await tx.query(lockFactorOwner(who))
    if ((await tx.query(selectPasskeys(who))).length >= MAX_PASSKEYS)
      throw new UserError(`an account has at most ${MAX_PASSKEYS} passkeys; remove one first`)
    const added = await tx.one(
      insertPasskey(who, {
        id: randomUUID(),
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: (credential.transports ?? []).map(String).slice(0, 8),
        backedUp: credentialBackedUp,
        name: given.name,
      }),
    )
    if (!added) return undefined
    const change = { session: given.session, factor: 'passkey', change: 'passkey_added' } as const
    return { recoveryCodes: await factorAdded(tx, who, change) }
  })
}

/** Whose passkey signed the challenge. */
export interface UsedPasskey extends FactorOwner {
  passkey: string
}

/**
 * Checks a signature with a passkey: of this member, or of any. Undefined: it is not valid, and the challenge is used up.
 */
export async function usePasskey(
  db: Database,
  site: Site,
  text: string,
  who?: FactorOwner,
): Promise<UsedPasskey | undefined> {
  const sent = readCredential(text)
  const purpose = who ? 'confirm' : 'sign_in'
  if (!sent || !(await db.one(consumeChallenge(hashOf(sent.challenge), purpose, who?.user ?? null)))) return undefined
  const stored = await db.one(passkeyByCredential(sent.credential.id))
  if (!stored || (who && (stored.user_id !== who.user || stored.workspace_id !== who.workspace))) return undefined
  const handle = sent.credential.response['userHandle']
  if (typeof handle === 'string' && Buffer.from(handle, 'base64url').toString() !== stored.user_id) return undefined
  const { verifyAuthenticationResponse } = await library()
  const checked = await orUndefined(
    verifyAuthenticationResponse({
      response: sent.credential as never,
      expectedChallenge: sent.challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id,
        publicKey: new Uint8Array(stored.public_key),
        counter: stored.counter,
      },
    }),
  )
  if (!checked?.verified) return undefined
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  const used = await db.one(markPasskeyUsed(stored.workspace_id, stored.id, newCounter, credentialBackedUp))
  return used && { workspace: stored.workspace_id, user: stored.user_id, passkey: stored.id }
}

/** False: the member has no such passkey. With the last factor, the recovery codes go too. */
export function removePasskey(db: Database, who: FactorOwner, id: string, session: string): Promise<boolean> {
  return db.transaction(async tx => {
    await tx.query(lockFactorOwner(who))
    if (!isUuid(id) || !(await tx.one(deletePasskey(who, id)))) return false
    await factorRemoved(tx, who, { session, factor: 'passkey', change: 'passkey_removed' })
    return true
  })
}
