import type { ErasureReason } from '../../src/console/api-types.ts'
import { amount } from './ui/numbers.ts'

export const REASON_WORDS: Readonly<Record<ErasureReason, string>> = {
  erasure_request: 'Requested by the person',
  legal_request: 'Legal request',
  stop_processing: 'Stop processing',
}

/** Actors that are not members. */
const ACTORS: Readonly<Record<string, string>> = {
  command_line: 'the operator',
  candidate: 'the person',
  another_workspace: 'another workspace',
  former_member: 'a former member',
}

export const actorWords = (by: string | null): string => (by === null ? 'not recorded' : (ACTORS[by] ?? by))

const RECORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  person: ['identity', 'identities'],
  resume: ['résumé', 'résumés'],
}

/** `2 applications` */
export function recordWords(object: string, n: number): string {
  const plain = object.replaceAll('_', ' ')
  const [one, many] = RECORDS[object] ?? [plain, `${plain}s`]
  return amount(n, one, many)
}
