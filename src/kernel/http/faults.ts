import type { FieldFault, PlainErrorCode } from '../../contract/errors.ts'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { fail } from '../errors/api-error.ts'

/** One fault of a request. Without a code of its own it is invalid_request. */
export type InputFault = FieldFault & { code?: PlainErrorCode }

/** A request is at most 256 KB; every fault is reported, up to a number that can still be read. */
export const MAX_FAULTS = 100

/**
 * Refuses a request with all of its faults, in the order in which they were found. `code`, `param` and `message` are
 * those of the first.
 */
export function refuseInput(found: readonly InputFault[]): never {
  const faults = found.slice(0, MAX_FAULTS)
  const { param, message, code } = faults[0]!
  const errors = faults.map(fault => ({ param: fault.param, message: fault.message }))
  return fail(code ?? 'invalid_request', { param, message: param ? `${param}: ${message}` : message, errors })
}

/** Refuses if there is anything to refuse. */
export function refuseIfAny(faults: readonly InputFault[]): void {
  if (faults.length > 0) refuseInput(faults)
}

/** Names come from strangers; what is echoed is short and harmless. */
export const printable = (name: string) => name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')

const KINDS = Object.keys(PREFIXES) as HandleKind[]

const withArticle = (words: string) => `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`
const kindInWords = (kind: HandleKind) => withArticle(`${kind.replaceAll('_', ' ')} handle`)

/**
 * What a handle of another type is, in words; undefined where the text has no prefix of another type. The prefix is
 * public and the store is not consulted, so nothing is said about what exists.
 */
export function wrongHandle(text: string, wanted: HandleKind, place: string): string | undefined {
  if (text.startsWith(PREFIXES[wanted])) return undefined
  const kind = KINDS.find(other => text.startsWith(PREFIXES[other]))
  return kind && `${PREFIXES[kind]}… is ${kindInWords(kind)}; ${place} takes ${kindInWords(wanted)}.`
}
