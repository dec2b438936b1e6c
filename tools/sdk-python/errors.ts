import { ERROR_CODES, ERRORS, type ErrorCode } from '../../src/contract/errors.ts'
import { docstring, indent, NOTE, namesList, pascal, quote, wrapItems } from './text.ts'

const ERROR_BASES: Readonly<Record<(typeof ERRORS)[ErrorCode]['type'], string>> = {
  invalid_request: 'InvalidRequestError',
  authentication: 'AuthenticationError',
  permission: 'PermissionDeniedError',
  payment_required: 'PaymentRequiredError',
  not_found: 'NotFoundError',
  conflict: 'ConflictError',
  rate_limit: 'RateLimitError',
  unavailable: 'UnavailableError',
  server: 'ServerError',
}

/** One class for each code; a code that is called like its type is the class of the type. */
export function errorsModule(): string {
  const codes = ERROR_CODES.filter(code => !(code in ERROR_BASES))
  const classes = codes.map(code => {
    const { status, type, retry, message, remedy } = ERRORS[code]
    return [
      `class ${errorName(code)}(${ERROR_BASES[type]}, code=${quote(code)}, retry=${quote(retry)}):`,
      indent(docstring(`${status}: ${message}`, remedy)),
    ].join('\n')
  })
  const bases = [...OTHER_ERRORS, ...Object.values(ERROR_BASES)].sort()
  const literal = `ErrorCode = Literal[\n${indent(wrapItems(ERROR_CODES.map(quote)))}\n]`
  return `${[
    `${NOTE}
"""Every error of this package: one class for each code of the API, below the class of its type."""

from typing import Literal

from ._errors import (
${indent(bases.map(name => `${name},`).join('\n'))}
)

${namesList([...bases, 'ErrorCode', ...codes.map(errorName)])}

${literal}`,
    ...classes,
  ].join('\n\n\n')}\n`
}

/** Errors that are not responses, and their base. */
const OTHER_ERRORS = [
  'ApiConnectionError',
  'ApiError',
  'ApiTimeoutError',
  'CheckpointConflictError',
  'CheckpointError',
  'ExportFailedError',
  'FeedGapError',
  'FieldFault',
  'HiringError',
  'SignatureError',
  'UnexpectedResponseError',
]

const errorName = (code: string): string => `${pascal(code.replace(/_error$/, ''))}Error`
