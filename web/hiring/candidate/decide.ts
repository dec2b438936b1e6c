import { ApiError } from '../../ui/api.ts'
import { readAndStay } from '../api.ts'
import { isConflict, type Seen } from './conflict.ts'

export const isSame = (a: Seen, b: Seen): boolean => a.stage_id === b.stage_id && a.status === b.status

/** How often a change is tried again that met one of another field. */
const ATTEMPTS = 3

/** A change of an application that still is what the reader saw; otherwise a conflict, and nothing is changed. */
export async function decide<T>(id: string, seen: Seen, change: (updatedAt: string) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const now = await readAndStay('/v1/applications/{application_handle}', { application_handle: id })
    if (!isSame(now, seen))
      throw new ApiError(409, { code: 'stale_resource', message: 'Someone changed this application.' })
    try {
      return await change(now.updated_at)
    } catch (error) {
      if (!(error instanceof ApiError && isConflict(error)) || attempt === ATTEMPTS) throw error
    }
  }
}
