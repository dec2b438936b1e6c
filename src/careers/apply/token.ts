import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import { clock } from '../../kernel/time/clock.ts'
import { type Entries, removeOf, ticketOf } from './entries.ts'

/** The form of a job, as it is known on its page. */
export interface FormTarget {
  workspace: string
  job: string
}

/** A form that was opened: a signed name and time. Nothing is stored until it is sent. */
export interface FormToken {
  /** also the challenge of the proof of work, and what makes a form acceptable only one time */
  id: string
  issuedAt: number
}

/** A form may stay open for a day; then it is renewed, and nothing that was typed is lost. */
const TOKEN_MS = 86_400_000
/** Clocks of processes may differ a little. */
const EARLY_MS = 60_000

const PURPOSE = 'application form'

const tokenText = ({ workspace, job }: FormTarget, { id, issuedAt }: FormToken) =>
  `form ${workspace} ${job} ${issuedAt} ${id}`

export function issueToken(keyring: Keyring, form: FormTarget, now: number): string {
  const token = { id: randomBytes(12).toString('base64url'), issuedAt: now }
  const signature = keyring.sign(PURPOSE, tokenText(form, token)).toString('base64url')
  return `${token.id}.${now}.${signature}`
}

/** `expired` for anything that is not a token of this form: whatever the cause, the page gets another one. */
export function readToken(keyring: Keyring, form: FormTarget, text: string, now: number): FormToken | 'expired' {
  const [, id, issued, signature] = /^([\w-]{16})\.(\d{1,16})\.([\w-]{43})$/.exec(text) ?? []
  if (!id || !issued || !signature) return 'expired'
  const token = { id, issuedAt: Number(issued) }
  const signed = keyring.verify(PURPOSE, tokenText(form, token), Buffer.from(signature, 'base64url'))
  const age = now - token.issuedAt
  return signed && age <= TOKEN_MS && age >= -EARLY_MS ? token : 'expired'
}

const uploadText = ({ workspace, job }: FormTarget, field: string, uploadId: string) =>
  `upload ${workspace} ${job} ${uploadId} ${field}`

/** Proves that an upload was reserved for this question of this form: others' uploads can neither be sent nor read. */
export const uploadTicket = (keyring: Keyring, form: FormTarget, field: string, uploadId: string): string =>
  `${uploadId}.${keyring.sign(PURPOSE, uploadText(form, field, uploadId)).toString('base64url')}`

/** The upload of a ticket. */
export function readUploadTicket(
  keyring: Keyring,
  form: FormTarget,
  field: string,
  ticket: string,
): string | undefined {
  const [uploadId = ''] = ticket.split('.', 1)
  const signature = ticket.slice(uploadId.length + 1)
  return keyring.verifyText(PURPOSE, uploadText(form, field, uploadId), signature) ? uploadId : undefined
}

/**
 * The proof of work: for each of eight puzzles a number, so that the digest of `<id>:<puzzle>:<number>` begins with 16
 * zero bits. That is about half a million digests, one to two seconds on a phone; eight puzzles vary less than one.
 */
export const PUZZLES = 8
export const PUZZLE_BITS = 16
const MAX_NUMBER = 2 ** 32

function isSolved({ id }: FormToken, work: string): boolean {
  // not more than is needed: the text is a stranger's, and may have a million commas
  const numbers = work.split(',', PUZZLES + 1)
  return (
    numbers.length === PUZZLES &&
    numbers.every(
      (text, puzzle) =>
        /^\d{1,10}$/.test(text) &&
        Number(text) < MAX_NUMBER &&
        sha256(`${id}:${puzzle}:${Number(text)}`).readUInt16BE(0) === 0,
    )
  )
}

/** Without a proof of work, a form that comes back sooner than this was not filled in by a person. */
const MIN_AGE_MS = 5_000

/** What speaks for a form: the work that was done, or the time since it was opened. */
export type FormProof = 'solved' | 'aged' | 'none'

export function judgeProof(token: FormToken, work: string, now: number): FormProof {
  if (isSolved(token, work)) return 'solved'
  return now - token.issuedAt >= MIN_AGE_MS ? 'aged' : 'none'
}

/** What is needed of a form to use it: its token, and what speaks for it. */
export interface OpenedForm {
  token: FormToken
  proof: FormProof
}

/** Reads the token and the work of a form, as far as it has arrived. */
export function readOpened(keyring: Keyring, form: FormTarget, entries: Entries, now: number): OpenedForm | 'expired' {
  const token = readToken(keyring, form, entries.first('token'), now)
  return token === 'expired' ? token : { token, proof: judgeProof(token, entries.first('work'), now) }
}

/** The uploads of tickets that a form has for these questions, unless a box removes them. */
export function readTickets(keyring: Keyring, form: FormTarget, names: readonly string[], entries: Entries) {
  return names.flatMap(name => {
    if (entries.first(removeOf(name)) !== '') return []
    const uploadId = readUploadTicket(keyring, form, name, entries.first(ticketOf(name)))
    return uploadId === undefined ? [] : [{ name, uploadId }]
  })
}

/** How long the page of thanks names the address: someone who finds it in the history of a browser later does not see it. */
const SENT_ADDRESS_MS = 600_000

const sentContext = ({ workspace, job }: FormTarget) => `sent application ${workspace} ${job}`

/** The address that a form was sent with, sealed for the page of thanks. */
export const sealSentAddress = (keyring: Keyring, form: FormTarget, address: string): string =>
  keyring.seal(Buffer.from(JSON.stringify([clock.now(), address])), sentContext(form)).toString('base64url')

/** undefined for anything that is not sealed for this form, and after some minutes. */
export function readSentAddress(keyring: Keyring, form: FormTarget, text: string): string | undefined {
  if (text === '') return undefined
  try {
    const plain = keyring.unseal(Buffer.from(text, 'base64url'), sentContext(form)).toString('utf8')
    const [at, address] = JSON.parse(plain) as [number, string]
    return clock.now() - at <= SENT_ADDRESS_MS ? address : undefined
  } catch {
    return undefined // someone changed the URL, or a key was retired
  }
}
