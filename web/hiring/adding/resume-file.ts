import { API_LIMITS } from '../../../src/contract/limits.ts'
import { ApiError } from '../../ui/api.ts'
import { type Sent, send } from '../api.ts'
import { t } from '../texts/index.ts'

/** What a browser offers to choose; the service looks at the file itself. */
export const RESUME_ENDINGS = '.pdf,.docx,.doc,.rtf,.txt'

type ReadResume = Sent<'/jobs/{job}/resumes'>
export type Contact = NonNullable<ReadResume['contact']>

export interface ReadFile {
  state: ReadResume['state'] | 'too_large' | 'failed'
  uploadId: string | undefined
  contact: Contact | undefined
}

/** Stores a résumé and reads who it is about. */
export async function readResume(job: string, file: File): Promise<ReadFile> {
  const nothing = { uploadId: undefined, contact: undefined }
  if (file.size > API_LIMITS.resumeFileBytes) return { state: 'too_large', ...nothing }
  try {
    const { state, upload_id, contact } = await send('/jobs/{job}/resumes', { job }, file, { filename: file.name })
    return { state, uploadId: upload_id ?? undefined, contact: contact ?? undefined }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { state: 'failed', ...nothing }
  }
}

export type FileState = ReadFile['state'] | 'reading'

/** A file that is no résumé is left out: nothing of it was stored. */
export const isLeftOut = (state: FileState): boolean =>
  state === 'wrong_type' || state === 'locked' || state === 'too_large'

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`

export const stateWords = (state: FileState): string =>
  state === 'too_large' ? t.adding.state.too_large(megabytes(API_LIMITS.resumeFileBytes)) : t.adding.state[state]
