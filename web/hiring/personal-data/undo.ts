import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { t } from '../texts/index.ts'

/** Undoes an erasure or a stop that has not begun, and says what is true then. */
export async function undoErasure(applicant: string, name: string): Promise<void> {
  try {
    await send('/applicants/{applicant}/erase/undo', { applicant })
    toast(t.erasure.unchanged(name), 'good', undefined, applicant)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isLate = error.status === 409 || error.status === 404
    toast(isLate ? t.erasure.tooLate : error.message, 'bad', undefined, applicant)
  }
}
