import { randomBytes } from 'node:crypto'
import { API_LIMITS } from '../../contract/limits.ts'
import { isTestWorkspace } from '../../kernel/access/workspace-kind.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { isHandle } from '../../kernel/ids/handles.ts'
import type { Services } from '../../kernel/services/services.ts'
import {
  changeEmail,
  editApplicant,
  markDetailsProved,
  subscribeApplicant,
  unsubscribeApplicant,
} from '../applicants/index.ts'
import {
  changeBelongings,
  discardSubmission,
  noteProof,
  replaceResume,
  useSubmission,
  type WaitingSubmission,
  waitingSubmissions,
  withdrawApplication,
} from '../applications/index.ts'
import { erasureById, requestErasure } from '../erasures/index.ts'
import { cancelInterviewsAhead } from '../interviews/index.ts'
import { receiveReply } from '../messages/index.ts'
import { lockSuppressionsShared } from '../suppressions/index.ts'
import {
  type OwnApplication,
  type OwnCheck,
  type OwnConsent,
  type OwnFile,
  ownsApplication,
  selectOwnApplications,
  selectOwnChecks,
  selectOwnConsents,
  selectOwnFile,
  selectOwnFiles,
  setConsentWithdrawn,
} from './data-store.ts'
import { queueMail } from './mail-actions.ts'
import { type ProvenPage, SESSION_SECONDS } from './rules.ts'
import {
  addressBefore,
  type CandidateRow,
  candidateBySession,
  deleteCandidateLinks,
  deleteCandidateSession,
  deleteCandidateSessions,
  insertCandidateSession,
  type LinkRow,
  linkByHash,
  useLink,
} from './store.ts'

const hashOf = (token: string): string => sha256(token).toString('hex')

/**
 * Someone asks for a link to the applications of an address. Nothing is looked up here: the time of the response says
 * nothing about who applied.
 */
export const requestAccess = (
  db: Database,
  request: { workspace: string; email: string; language: string; opens?: ProvenPage | undefined },
): Promise<void> =>
  db.transaction(tx =>
    queueMail(tx, {
      workspace: request.workspace,
      kind: 'access',
      address: request.email,
      language: request.language,
      opens: request.opens,
    }),
  )

/** What a mailed link is for, without using it; undefined if it was used, has expired or never was. */
export const readLink = (db: Queryable, workspace: string, token: string): Promise<LinkRow | undefined> =>
  db.one(linkByHash(workspace, hashOf(token)))

/** Uses a link to the candidate's pages. Returns the token for the cookie, of which the hash is stored. */
export async function beginCandidateSession(
  db: Database,
  workspace: string,
  linkToken: string,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  return db.transaction(async tx => {
    const link = await tx.one(useLink(workspace, hashOf(linkToken), ['confirmation', 'access', 'interview']))
    if (!link) return undefined
    const { applicant_id: applicantId, purpose } = link
    const proof = purpose === 'access' ? purpose : 'confirmation'
    await tx.query(
      insertCandidateSession({ workspace, tokenHash: hashOf(token), applicantId, proof, seconds: SESSION_SECONDS }),
    )
    await noteProof(tx, workspace, applicantId)
    return token
  })
}

/** The person of a session in this workspace, and in no other. */
export const readCandidate = (db: Queryable, workspace: string, token: string): Promise<CandidateRow | undefined> =>
  db.one(candidateBySession(workspace, hashOf(token)))

export const endCandidateSession = async (db: Queryable, workspace: string, sessionId: string): Promise<void> => {
  await db.query(deleteCandidateSession(workspace, sessionId))
}

/** A person of a session. Every action below reads and changes what belongs to this applicant alone. */
export interface Self {
  workspace: string
  applicantId: string
}

export const ownApplications = (db: Queryable, { workspace, applicantId }: Self): Promise<OwnApplication[]> =>
  db.query(selectOwnApplications(workspace, applicantId))

export const ownChecks = (db: Queryable, { workspace, applicantId }: Self): Promise<OwnCheck[]> =>
  db.query(selectOwnChecks(workspace, applicantId))

export const ownFiles = (db: Queryable, { workspace, applicantId }: Self): Promise<OwnFile[]> =>
  db.query(selectOwnFiles(workspace, applicantId))

/** A malformed handle is like one of someone else: undefined. */
export const ownApplication = async (
  db: Queryable,
  { workspace, applicantId }: Self,
  id: string,
): Promise<OwnApplication | undefined> =>
  isHandle('application', id) ? db.one(ownsApplication(workspace, applicantId, id)) : undefined

/** A short-lived address of a file that the person sent. */
export async function ownFileUrl(
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  { workspace, applicantId }: Self,
  kind: string,
  id: string,
): Promise<string | undefined> {
  if (kind === 'resume' ? !isHandle('resume', id) : !['file', 'pending'].includes(kind) || !isUuid(id)) return undefined
  const file = await db.one(selectOwnFile(workspace, applicantId, kind, id))
  if (!file) return undefined
  return blobs.signedGet(file.blob_key, {
    expiresInSeconds: API_LIMITS.downloadUrlSeconds,
    filename: file.filename,
    contentType: file.mime,
  })
}

/** Interviews of a person whose processing was stopped were canceled then. */
function unlessStopped(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'applicant_suppressed') throw error
}

/**
 * Withdraws, and cancels the interviews that are ahead; false if it was withdrawn before or has been decided, undefined if
 * the person has no such application.
 */
export async function withdrawOwn(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  self: Self,
  id: string,
  reason: string | null,
): Promise<boolean | undefined> {
  if (!(await ownApplication(db, self, id))) return undefined
  const { workspace } = self
  try {
    await db.transaction(async tx => {
      // before the application, in the order of an erasure
      await tx.query(lockSuppressionsShared())
      await withdrawApplication(tx, workspace, id, { reason })
      await cancelInterviewsAhead(tx, keyring, { workspace, applicationId: id }).catch(unlessStopped)
    })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_application_state') return false
    throw error
  }
}

/**
 * Stores what the person writes to the company about an application. undefined: it is not theirs; false: their processing
 * was stopped.
 */
export async function writeToCompany(
  services: Pick<Services, 'db' | 'keyring'>,
  self: Self,
  applicationId: string,
  text: { body: string; formId: string },
): Promise<boolean | undefined> {
  const { db } = services
  if (!(await ownApplication(db, self, applicationId))) return undefined
  const { workspace, applicantId } = self
  try {
    await db.transaction(tx => receiveReply(tx, services, { workspace, applicationId, applicantId }, text))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'applicant_suppressed') return false
    throw error
  }
}

/** Replaces the résumé of an open application with an upload; false if the application is not open. */
export const replaceOwnResume = (
  { db, blobs }: Pick<Services, 'db' | 'blobs'>,
  self: Self,
  applicationId: string,
  uploadId: string,
): Promise<boolean> => db.transaction(tx => replaceResume(tx, blobs, { ...self, applicationId }, uploadId))

export type ContactDetails = Record<
  'first_name' | 'last_name' | 'phone' | 'location' | 'linkedin_url' | 'portfolio_url',
  string | null
>

/**
 * Corrects contact details. The LinkedIn URL of someone who is not to be stored identifies no one, and only this person
 * sees it: whatever their page shows says nothing about who was erased. Nothing is changed for a person whose processing
 * has just been stopped; their session has ended with it.
 */
export async function correctDetails(
  db: Database,
  { workspace, applicantId }: Self,
  details: ContactDetails,
): Promise<void> {
  try {
    await db.transaction(async tx => {
      await editApplicant(tx, workspace, applicantId, details, null, { isOwn: true })
      await tx.query(markDetailsProved(workspace, applicantId))
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'applicant_suppressed')) throw error
  }
}

/** Forms that were sent with the person's address and wait for their choice. */
export const ownSubmissions = (db: Queryable, { workspace, applicantId }: Self): Promise<WaitingSubmission[]> =>
  db.query(waitingSubmissions(workspace, applicantId))

/** Uses or discards a form that waits; false if there is none, or processing of the person has just been stopped. */
export async function settleSubmission(
  db: Database,
  { workspace, applicantId }: Self,
  id: string,
  choice: 'use' | 'discard',
): Promise<boolean> {
  if (!isUuid(id)) return false
  const settle = choice === 'use' ? useSubmission : discardSubmission
  try {
    return await db.transaction(tx => settle(tx, workspace, applicantId, id))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'applicant_suppressed') return false
    throw error
  }
}

/** Mails a link to the new address; nothing changes before it is opened. */
export const requestEmailChange = (db: Database, self: Self, address: string, language: string): Promise<void> =>
  db.transaction(tx =>
    queueMail(tx, {
      workspace: self.workspace,
      kind: 'email_change',
      address,
      applicantId: self.applicantId,
      language,
    }),
  )

/**
 * Uses a link of an email change. Links that went to the previous address end with it; so do sessions, since the
 * person who opened one may have had that mailbox alone. The previous address is notified, in case it was someone else.
 * undefined: the link cannot be used.
 */
export const confirmEmailChange = (
  db: Database,
  workspace: string,
  linkToken: string,
  language: string,
): Promise<'changed' | 'unavailable' | undefined> =>
  db.transaction(async tx => {
    const link = await tx.one(useLink(workspace, hashOf(linkToken), ['email_change']))
    if (!link) return undefined
    const { applicant_id: applicantId } = link
    const before = await tx.one(addressBefore(workspace, applicantId))
    const outcome = await changeEmail(tx, workspace, applicantId, present(link.new_address, 'the new address'))
    if (outcome !== 'changed' && outcome !== 'unchanged') return 'unavailable'
    await tx.query(deleteCandidateLinks(workspace, applicantId))
    await tx.query(deleteCandidateSessions(workspace, applicantId))
    if (outcome === 'changed' && before?.email) {
      await queueMail(tx, { workspace, kind: 'email_changed', address: before.email, applicantId, language })
    }
    return 'changed'
  })

export const ownConsents = (db: Queryable, self: Self): Promise<OwnConsent[]> =>
  db.query(selectOwnConsents(self.workspace, self.applicantId))

/**
 * The person withdraws a consent, which is as easy as giving it. It stays stored, with the time: what was done until then
 * was allowed. False: it was not given, or was withdrawn before.
 */
export async function withdrawConsent(db: Database, self: Self, application: string, field: string): Promise<boolean> {
  if (!(await ownApplication(db, self, application))) return false
  const change = { workspace: self.workspace, id: application, originKeyId: null }
  const changed = await db.transaction(tx =>
    changeBelongings(
      tx,
      change,
      'consents',
      async () => (await tx.one(setConsentWithdrawn(self.workspace, application, field))) !== undefined,
    ),
  )
  return changed === true
}

export const setSubscription = (db: Database, self: Self, subscribed: boolean): Promise<void> =>
  db.transaction(async tx => {
    if (subscribed) await subscribeApplicant(tx, self.workspace, self.applicantId)
    else await unsubscribeApplicant(tx, self.workspace, self.applicantId, 'product')
  })

/** When partners must have deleted their copies; undefined: the address belongs to several people. */
export interface BegunErasure {
  deleteBy: string
}

/**
 * The person asks to be erased. It reaches this workspace, whose owner they talk to, and asks the others, like a request
 * of the workspace itself; in a test workspace it stays there. Sessions end because the person is suppressed from now on.
 */
export async function requestOwnErasure(
  { db, config }: Pick<Services, 'db' | 'config'>,
  self: Self & { email: string },
): Promise<BegunErasure | undefined> {
  const isWide = config.ERASURE_REACH === 'installation' && !(await isTestWorkspace(db, self.workspace))
  const reach = isWide ? 'installation' : self.workspace
  try {
    const { id } = await requestErasure(db, { email: self.email, requestedBy: 'candidate', reach, onlyNamed: true })
    return { deleteBy: (await db.only(erasureById(id))).delete_by }
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
