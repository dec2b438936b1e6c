import { createHash } from 'node:crypto'
import type { AppInstalls } from '../../contract/app-installs.ts'
import { ALL_SCOPES, isAppScope, isScope, ROLE_SCOPES, type Role, SCOPES, type Scope } from '../../contract/scopes.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'

/** How long a code can be exchanged. */
export const CODE_SECONDS = 60
/** How long the key from before a scope upgrade works. */
export const UPGRADE_OVERLAP_HOURS = 24
/** When the publisher must have deleted what it copied, after the end of an installation. */
export const DELETION_DAYS = 30
export const MAX_INSTALLATIONS = 50
/** The daily budget for personal data that the consent page proposes. */
export const DEFAULT_BUDGET = 500

/**
 * What an installation can be granted: what connected apps can be, and what vendors need. Webhook endpoints and the management of
 * installations belong to no key of an app.
 */
export const INSTALLABLE_SCOPES: readonly Scope[] = ALL_SCOPES.filter(scope => isAppScope(scope) || SCOPES[scope].own)

export const unknownScopes = (names: readonly string[]): string[] =>
  names.filter(name => !isScope(name) || !INSTALLABLE_SCOPES.includes(name))

/** Some texts of the database are scopes of an older version. */
export const knownScopes = (names: readonly string[]): Scope[] => names.filter(isScope)

/** The smallest role that covers the scopes: what the app user is listed with, and what its key is cut to. */
export const roleFor = (scopes: readonly Scope[]): Role =>
  (['viewer', 'member'] as const).find(role => scopes.every(scope => ROLE_SCOPES[role].includes(scope))) ?? 'admin'

export const isUnpaid = (scope: Scope, hasPlan: boolean): boolean => !hasPlan && SCOPES[scope].paid === true

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
export const isDomain = (text: string): boolean => DOMAIN.test(text)

/** RFC 7636: a verifier is 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
/** SHA-256 as base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

export const isVerifierOf = (challenge: string, verifier: string): boolean =>
  VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge

export const hashCode = (code: string): string => sha256(code).toString('hex')

export type AppStatus = 'draft' | 'in_review' | 'approved' | 'suspended'

/** Whether a member with this role may install apps. */
export const mayInstall = (role: Role, rule: AppInstalls): boolean =>
  rule === 'off' ? false : role === 'owner' || (role === 'admin' && rule === 'admins')
