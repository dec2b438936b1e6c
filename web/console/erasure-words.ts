import { recordWord } from '../../src/contract/record-words.ts'
import { count } from '../ui/numbers.ts'
import type { Row } from './api.ts'

type ErasureReason = Row<'/erasures'>['reason']

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

/** `2 applications` */
export const recordWords = (object: string, n: number): string => `${count.format(n)} ${recordWord(object, n)}`
