import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { ApiError, invalid } from '../../kernel/errors/api-error.ts'
import { RequestAborted } from '../../kernel/http/body.ts'
import { Entries } from './entries.ts'
import { MAX_FILE_BYTES } from './questions.ts'

/** More than any form has; a form of 100 questions with the longest answers has 2 million characters. */
const FORM_LIMITS = {
  fieldNameSize: 300,
  // a longer text comes back cut, with its fault
  fieldSize: 1_000_000,
  fields: 600,
  parts: 700,
  files: 30,
  headerPairs: 20,
  headerSize: 8_192,
  // one byte more than allowed, so that a file that is too large differs from one that just fits
  fileSize: MAX_FILE_BYTES + 1,
}
const MAX_TEXT_BYTES = 2_500_000
/**
 * A film that was chosen by mistake is a fault of its question: it is skipped, not stored, so that the texts after it are
 * not lost. What follows after this many bytes is.
 */
const MAX_BYTES = 500 * 1024 * 1024

/** A file of the form, while it arrives. The stream must be read or resumed. */
export interface ArrivingFile {
  name: string
  filename: string
  contentType: string
  body: Readable
}

/** A form as far as it was read. */
export interface Received {
  entries: Entries
  /** it was larger than any form is: some of it is missing */
  isCut: boolean
  /** names of the texts whose end is missing */
  cut: ReadonlySet<string>
}

/**
 * Reads a form with files. Text is collected; each file is given to `take` while it arrives, with the text that came
 * before it. The result of `take` is awaited; the next parts wait for it as soon as buffers are full.
 */
export function receiveForm(
  request: IncomingMessage,
  take: (file: ArrivingFile, before: Entries) => Promise<void>,
): Promise<Received> {
  if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? ''))
    invalid('Content-Type', 'must be multipart/form-data')
  const values = new Map<string, string[]>()
  const open = new Set<Readable>()
  const taken: Promise<void>[] = []
  return new Promise((resolve, reject) => {
    let bytes = 0
    let text = 0
    let isCut = false
    const cut = new Set<string>()
    const end = () => resolve({ entries: new Entries(values), isCut, cut })
    const parser = parserFor(request)
    const stop = (failure: Error) => {
      request.unpipe(parser)
      request.resume()
      for (const body of open) body.destroy(failure)
      reject(failure)
    }
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BYTES) return
      isCut = true
      request.off('data', count)
      // the rest is discarded, so that the caller gets the response
      request.unpipe(parser)
      request.resume()
      for (const body of open) body.destroy(new ApiError('payload_too_large'))
      Promise.allSettled(taken).then(end)
    }
    request.on('data', count)
    request.on('error', () => stop(new RequestAborted()))
    request.on('close', () => {
      if (!request.complete) stop(new RequestAborted())
    })
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut || text + name.length + value.length > MAX_TEXT_BYTES) {
        isCut = true
        cut.add(name)
      }
      if (text + name.length + value.length > MAX_TEXT_BYTES) return
      text += name.length + value.length
      // the store's text cannot hold it
      const clean = value.replaceAll('\0', '')
      const list = values.get(name)
      if (list) list.push(clean)
      else values.set(name, [clean])
    })
    parser.on('file', (name, body, filename, _encoding, contentType) => {
      open.add(body)
      body.on('close', () => open.delete(body))
      // a stream without a listener for it would end the process
      body.on('error', () => {})
      const file = { name, body, filename: filename ?? '', contentType }
      taken.push(take(file, new Entries(values)).catch(stop))
    })
    const tooMany = () => {
      isCut = true
    }
    parser.on('fieldsLimit', tooMany).on('partsLimit', tooMany).on('filesLimit', tooMany)
    parser.on('error', () => stop(brokenForm()))
    parser.on('finish', () => {
      Promise.all(taken).then(end, reject)
    })
    request.pipe(parser)
  })
}

function parserFor(request: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits: FORM_LIMITS })
  } catch {
    throw brokenForm() // no boundary
  }
}

const brokenForm = () =>
  new ApiError('invalid_request', {
    param: 'body',
    message: 'The form is not complete.',
    errors: [{ param: 'body', message: 'is not a complete form' }],
  })
