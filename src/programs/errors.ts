/** Errors that only our own pages have. They have the body of every other error, without a page of the reference. */
export const SESSION_ERRORS = {
  sign_in_required: {
    status: 401,
    type: 'authentication',
    message: 'You are not signed in, or your session has ended.',
  },
  role_required: {
    status: 403,
    type: 'permission',
    message: 'Your role does not allow this. Ask an owner of the workspace to change it.',
  },
  second_factor_required: {
    status: 403,
    type: 'permission',
    message: 'Your workspace requires a second factor. Set one up in your account to continue.',
  },
  recent_sign_in_required: {
    status: 403,
    type: 'permission',
    message: 'Sign out and sign in again: for this you must have signed in within the last 15 minutes.',
  },
  confirmation_required: {
    status: 403,
    type: 'permission',
    message:
      'Confirm that it is you: this change needs your second factor, and you proved it more than 15 minutes ago.',
  },
  credits_insufficient: {
    status: 402,
    type: 'payment_required',
    message: 'The workspace does not have enough credits for this.',
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
  too_many_streams: {
    status: 429,
    type: 'rate_limit',
    message: 'Too many browsers of yours receive live changes. Close some of them.',
  },
} as const

export type SessionErrorCode = keyof typeof SESSION_ERRORS

export class SessionError extends Error {
  readonly code: SessionErrorCode
  readonly status: 401 | 402 | 403 | 429
  readonly type: 'authentication' | 'payment_required' | 'permission' | 'rate_limit'
  readonly details = {}
  constructor(code: SessionErrorCode, message: string = SESSION_ERRORS[code].message) {
    super(message)
    this.code = code
    this.status = SESSION_ERRORS[code].status
    this.type = SESSION_ERRORS[code].type
  }
}
