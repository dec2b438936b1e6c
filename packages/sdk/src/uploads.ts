import type { Core, RequestOptions } from './core.ts'
import { ApiError, HiringError } from './errors.ts'
import type { Upload } from './generated.ts'

/** By the extension of the file name. */
const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  rtf: 'application/rtf',
  txt: 'text/plain',
}
/** What the stores respond if the slot has its file: that of this service, and S3. */
const TAKEN = new Set([409, 412])

export interface FileInput {
  /** With its extension, which also gives the type. Files of a browser have one. */
  filename?: string
  contentType?: string
}

/** Reserves a slot and sends the file to it. */
export async function sendFile(
  core: Core,
  file: Blob | Uint8Array | ArrayBuffer,
  input: FileInput,
  options: RequestOptions,
): Promise<Upload> {
  const { name, type: declared } = file as Partial<File>
  const filename = input.filename ?? name
  const type = input.contentType ?? TYPES[filename?.split('.').at(-1)?.toLowerCase() ?? ''] ?? declared?.split(';')[0]
  if (!type)
    throw new HiringError('The type of the file is not known: pass `filename` with its extension, or `contentType`.')
  const body = { content_type: type, size_bytes: 'size' in file ? file.size : file.byteLength, filename }
  const slot = await core.post<Upload>('/uploads', body, options)
  const { method, url } = slot.upload
  const headers = new Headers(slot.upload.headers)
  headers.delete('content-length') // fetch sends it, and refuses to be given it in browsers
  await core.retrying(method, '/storage', options, async () => {
    try {
      const init = { method, headers, body: file as Blob }
      return await core.fetchOnce(url, init, options, async response => response)
    } catch (error) {
      // the response to an earlier attempt was lost
      if (error instanceof ApiError && TAKEN.has(error.status)) return error
      throw error
    }
  })
  return slot
}
