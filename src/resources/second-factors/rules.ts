/** What a session proved besides the password or the link. */
export type Factor = 'totp' | 'recovery' | 'passkey'

/** Every change that is recorded, in words for the person whose account it is. */
export const SIGN_IN_CHANGES = {
  app_added: 'An authenticator app was added',
  app_removed: 'The authenticator app was removed',
  codes_made: 'New recovery codes were created',
  code_used: 'A recovery code was used',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  reset: 'All second factors were removed',
  policy_optional: 'A second factor is optional in the workspace',
  policy_required_for_admins: 'Owners and admins of the workspace need a second factor',
  policy_required: 'Everyone in the workspace needs a second factor',
} as const

export type SignInChange = keyof typeof SIGN_IN_CHANGES
