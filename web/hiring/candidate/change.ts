import { ApiError } from '../../ui/api.ts'
import { type Body, type Sent, send } from '../api.ts'
import type { Seen } from './conflict.ts'

export type ApplicationChange = Body<'/applications/changes'>['changes'][number]
export type ChangeResult = Sent<'/applications/changes'>['results'][number]
export type Changed = Extract<ChangeResult, { ok: true }>

export const isSame = (a: Seen, b: Seen): boolean => a.stage_id === b.stage_id && a.status === b.status

/** Changes an application that still is what the reader saw; otherwise it is a conflict, and nothing is changed. */
export async function changeOne(
  id: string,
  seen: Seen,
  change: Omit<ApplicationChange, 'id' | 'expected'>,
): Promise<Changed> {
  const expected = { stage_id: seen.stage_id, status: seen.status }
  const { results } = await send('/applications/changes', { changes: [{ id, ...change, expected }] })
  const [result] = results
  if (result?.ok) return result
  const { code, message } = result ?? { code: 'not_found', message: 'The application was deleted.' }
  throw new ApiError(409, { code, message })
}
