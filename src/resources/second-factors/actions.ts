import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { SealedColumn } from '../../kernel/services/sealed-columns.ts'
import { dropUserTickets, endUserAuthorizations, endUserSessions } from '../users/index.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-rules.ts'
import type { Factor, SignInChange } from './rules.ts'
import {
  authenticatorApp,
  confirmApp,
  deleteApp,
  deletePasskeys,
  deleteRecoveryCodes,
  type FactorOwner,
  factorsRow,
  forgetProved,
  insertAuthenticatorApp,
  insertChange,
  insertRecoveryCodes,
  lockFactorOwner,
  markSessionProved,
  useRecoveryCode,
  useStep,
} from './store.ts'
import { newTotpSecret, stepOfCode, typedTotp } from './totp-rules.ts'

const appContext = ({ workspace, user }: FactorOwner): string => `authenticator app ${workspace} ${user}`

export const secondFactorSealedColumns: readonly SealedColumn[] = [
  {
    table: 'authenticator_apps',
    column: 'secret_sealed',
    identifiedBy: ['workspace_id', 'user_id'],
    context: row => appContext({ workspace: String(row['workspace_id']), user: String(row['user_id']) }),
  },
]

/** The second factors of a member. */
export interface Factors {
  /** since when an authenticator app is in use */
  appSince: string | null
  passkeys: number
  recoveryCodes: number
  /** whether the next sign-in asks for one */
  any: boolean
}

export async function readFactors(db: Queryable, who: FactorOwner): Promise<Factors> {
  const row = await db.only(factorsRow(who))
  const { app_since: appSince, passkeys, recovery_codes: recoveryCodes } = row
  return { appSince, passkeys, recoveryCodes, any: appSince !== null || passkeys > 0 }
}

/** How long the secret of a setup can be read and confirmed: who finds it later must not have the codes of the app. */
const SETUP_SECONDS = 900

/** Begins the setup of an authenticator app. It protects nothing until `confirmTotp`. */
export async function beginTotp(db: Queryable, keyring: Keyring, who: FactorOwner): Promise<void> {
  await db.query(insertAuthenticatorApp(who, keyring.seal(newTotpSecret(), appContext(who))))
}

/** The secret of the app that is being set up; undefined if none is, or not since SETUP_SECONDS. */
export async function pendingTotp(db: Queryable, keyring: Keyring, who: FactorOwner): Promise<Buffer | undefined> {
  const app = await db.one(authenticatorApp(who))
  const isOpen = app && app.confirmed_at === null && app.age_seconds <= SETUP_SECONDS
  return isOpen ? keyring.unseal(app.secret_sealed, appContext(who)) : undefined
}

/** The result of adding a factor: recovery codes with the first one, which are shown once. */
export interface Added {
  recoveryCodes: string[] | undefined
}

/**
 * Adds the app that is being set up, if this is its code. The session has proved it, and every other session of the
 * member ends. Undefined: the code is wrong, or no app is being set up.
 */
export function confirmTotp(
  db: Database,
  keyring: Keyring,
  who: FactorOwner,
  text: string,
  session: string,
): Promise<Added | undefined> {
  return db.transaction(async tx => {
    await tx.query(lockFactorOwner(who))
    const secret = await pendingTotp(tx, keyring, who)
    const step = secret && stepOfCode(secret, typedTotp(text) ?? '', await db.now())
    if (step === undefined || !(await tx.one(confirmApp(who, step)))) return undefined
    return { recoveryCodes: await factorAdded(tx, who, { session, factor: 'totp', change: 'app_added' }) }
  })
}

/** What follows a new factor; returns recovery codes where the member had none. */
export async function factorAdded(
  tx: Queryable,
  who: FactorOwner,
  { session, factor, change }: { session: string; factor: Factor; change: SignInChange },
): Promise<string[] | undefined> {
  await tx.query(markSessionProved(who, session, factor))
  await tx.query(endUserSessions(who.workspace, who.user, session))
  await tx.query(insertChange(who.workspace, change, who.user, who.user))
  const { recoveryCodes } = await readFactors(tx, who)
  return recoveryCodes === 0 ? makeCodes(tx, who) : undefined
}

async function makeCodes(tx: Queryable, who: FactorOwner): Promise<string[]> {
  const codes = newRecoveryCodes()
  await tx.query(deleteRecoveryCodes(who))
  const hashes = codes.map(code => recoveryHash(who.user, code))
  await tx.query(insertRecoveryCodes(who, hashes))
  return codes
}

/** Replaces the recovery codes of a member who has a factor; undefined for others. */
export function renewRecoveryCodes(db: Database, who: FactorOwner): Promise<string[] | undefined> {
  return db.transaction(async tx => {
    await tx.query(lockFactorOwner(who))
    if (!(await readFactors(tx, who)).any) return undefined
    await tx.query(insertChange(who.workspace, 'codes_made', who.user, who.user))
    return makeCodes(tx, who)
  })
}

/** Checks a code of the app, or a recovery code, and uses it up. Undefined: it is neither. */
export async function useCode(
  db: Database,
  keyring: Keyring,
  who: FactorOwner,
  text: string,
): Promise<'totp' | 'recovery' | undefined> {
  const digits = typedTotp(text)
  if (digits === undefined) {
    return db.transaction(async tx => {
      if (!(await tx.one(useRecoveryCode(who, recoveryHash(who.user, text))))) return undefined
      await tx.query(insertChange(who.workspace, 'code_used', who.user, who.user))
      return 'recovery'
    })
  }
  const app = await db.one(authenticatorApp(who))
  if (!app || app.confirmed_at === null) return undefined
  const step = stepOfCode(keyring.unseal(app.secret_sealed, appContext(who)), digits, await db.now())
  return step !== undefined && (await db.one(useStep(who, step))) ? 'totp' : undefined
}

/** False: the member has no app. With the last factor, the recovery codes go too. */
export function removeTotp(db: Database, who: FactorOwner, session: string): Promise<boolean> {
  return db.transaction(async tx => {
    await tx.query(lockFactorOwner(who))
    const removed = await tx.one(deleteApp(who))
    if (!removed?.confirmed) return false
    await factorRemoved(tx, who, { session, factor: 'totp', change: 'app_removed' })
    return true
  })
}

/**
 * What follows the removal of a factor, which may be lost: every other session of the member ends, and what this one
 * proved with such a factor does not count. Which of several passkeys it was is not stored, so it counts for none.
 */
export async function factorRemoved(
  tx: Queryable,
  who: FactorOwner,
  { session, factor, change }: { session: string; factor: Factor; change: SignInChange },
): Promise<void> {
  await tx.query(insertChange(who.workspace, change, who.user, who.user))
  await tx.query(endUserSessions(who.workspace, who.user, session))
  const hasOther = (await readFactors(tx, who)).any
  await tx.query(forgetProved(who, hasOther ? factor : null))
  if (!hasOther) await tx.query(deleteRecoveryCodes(who))
}

/**
 * Removes everything that a member could prove, for one who lost it. The lost device may be signed in, so all sessions,
 * open links and authorizations of apps end. `by` is the owner, or null for the operator.
 */
export function resetFactors(db: Database, who: FactorOwner, by: string | null): Promise<void> {
  return db.transaction(async tx => {
    await tx.query(lockFactorOwner(who))
    if (!(await readFactors(tx, who)).any) throw new UserError('this person has no second factor')
    await tx.query(deleteApp(who))
    await tx.query(deletePasskeys(who))
    await tx.query(deleteRecoveryCodes(who))
    await tx.query(endUserSessions(who.workspace, who.user, null))
    await tx.query(dropUserTickets(who.user))
    await tx.query(endUserAuthorizations(who.workspace, who.user))
    await tx.query(insertChange(who.workspace, 'reset', who.user, by))
  })
}
