import type { FieldFault, PlainErrorCode } from '../../contract/errors.ts'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { ApiError } from '../errors/api-error.ts'

/**
 * One fault of a request. Without a code of its own it is invalid_request. `reason` is for pages, which say it in the
 * reader's language; responses of the API have the message.
 */
export type InputFault = FieldFault & { code?: PlainErrorCode; reason?: string }

/** A refused input with all of its faults, also those that `errors` has no place for. */
export class RefusedInput extends ApiError {
  readonly faults: readonly InputFault[]

  constructor(found: readonly InputFault[]) {
    const { param, message, code } = found[0]!
    const errors = found.slice(0, MAX_FAULTS).map(fault => ({ param: fault.param, message: fault.message }))
    super(code ?? 'invalid_request', { param, message: param ? `${param}: ${message}` : message, errors })
    this.faults = found
  }
}

/** A request is at most 256 KB; every fault is reported, up to a number that can still be read. */
export const MAX_FAULTS = 100

/**
 * Refuses a request with all of its faults, in the order in which they were found. `code`, `param` and `message` are
 * those of the first.
 */
export function refuseInput(found: readonly InputFault[]): never {
  throw new RefusedInput(found)
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
 * Says in words what a handle of another type is; undefined where the text has no prefix of another type. The prefix is
 * public and the store is not consulted, so nothing is said about what exists.
 */
export function wrongHandle(text: string, wanted: HandleKind, place: string): string | undefined {
  if (text.startsWith(PREFIXES[wanted])) return undefined
  const kind = KINDS.find(other => text.startsWith(PREFIXES[other]))
  return kind && `${PREFIXES[kind]}… is ${kindInWords(kind)}; ${place} takes ${kindInWords(wanted)}.`
}
