/** Errors that only the console has. They have the body of every other error, without a page of the reference. */
export const CONSOLE_ERRORS = {
  sign_in_required: {
    status: 401,
    type: 'authentication',
    message: 'You are not signed in, or your session has ended.',
  },
  role_required: {
    status: 403,
    type: 'permission',
    message: 'The console is for owners and admins of the workspace.',
  },
  csrf_token_invalid: {
    status: 403,
    type: 'permission',
    message: 'The page is out of date. Reload it and try again.',
  },
  email_domain_not_allowed: {
    status: 403,
    type: 'permission',
    message: 'Your email domain may not manage keys and connected apps of this workspace.',
  },
} as const

export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS

export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode
  readonly status: 401 | 403
  readonly type: 'authentication' | 'permission'
  readonly details = {}
  constructor(code: ConsoleErrorCode, message: string = CONSOLE_ERRORS[code].message) {
    super(message)
    this.code = code
    this.status = CONSOLE_ERRORS[code].status
    this.type = CONSOLE_ERRORS[code].type
  }
}
