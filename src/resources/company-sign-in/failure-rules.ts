interface FailureWords {
  /** for the person who tried to sign in: what happened and what to do */
  person: string
  /** for the owners, in the settings */
  owner: string
}

/**
 * Why a sign-in through the company's provider failed. Details that are stored with one are names of checks, codes of
 * the provider and host names; never a claim of the person.
 */
export const FAILURES = {
  flow_expired: {
    person: 'This sign-in took longer than ten minutes, or began in another browser or tab. Start again.',
    owner: 'The browser came back without a sign-in that it had begun, or after more than ten minutes.',
  },
  settings_changed: {
    person: 'The settings of your company were changed during the sign-in. Start again.',
    owner: 'The settings were changed while someone was signing in.',
  },
  signed_out: {
    person: 'You were signed out at your company during this sign-in. Start again.',
    owner: 'The provider sent that the person signed out while they were signing in here.',
  },
  provider_unavailable: {
    person: 'The sign-in service of your company did not respond. Try again in a few minutes.',
    owner:
      'The provider did not respond, or responded with an error. Check that the issuer can be reached from the server.',
  },
  address_blocked: {
    person: 'The sign-in service of your company cannot be reached from here. Tell an owner of your workspace.',
    owner:
      'A URL of the provider is not https, or leads to a private IP address. The operator can allow its host with COMPANY_SIGN_IN_ALLOW_HOSTS.',
  },
  metadata_invalid: {
    person: 'The sign-in service of your company is not set up correctly. Tell an owner of your workspace.',
    owner: 'The provider has no valid OpenID configuration for this issuer. Compare the issuer, letter by letter.',
  },
  provider_refused: {
    person:
      'The sign-in service of your company did not let you in. Try again, or ask your company for access to this app.',
    owner: 'The provider returned an error. access_denied: the person may not use the app there, or canceled.',
  },
  client_refused: {
    person: 'The sign-in service of your company is not set up correctly. Tell an owner of your workspace.',
    owner: 'The provider did not accept the code. Check the client ID, the client secret and the redirect URI.',
  },
  token_invalid: {
    person:
      'The response of your company’s sign-in service could not be trusted. Start again; if it repeats, tell an owner.',
    owner: 'The ID token failed a check.',
  },
  auth_time_missing: {
    person:
      'You had to prove again who you are, and the sign-in service of your company does not say when you did. Your session is as before. Sign in another way, or tell an owner of your workspace.',
    owner:
      'Someone had to authenticate again, and the ID token had no auth_time. Have the provider send it (Entra ID: an optional claim). Until then, only people with a second factor of their own can confirm who they are.',
  },
  not_authenticated_again: {
    person:
      'You had to prove again who you are, and the sign-in service of your company let you in without a question. Your session is as before. Sign out there, then try again.',
    owner:
      'Someone had to authenticate again, and the provider did not ask them: auth_time was before the request. It has to respect prompt=login and max_age=0.',
  },
  logout_invalid: {
    person: 'The message could not be trusted.',
    owner:
      'The provider sent that someone signed out there, and the logout token failed a check. No session was ended.',
  },
  email_missing: {
    person: 'The sign-in service of your company did not send your email address. Tell an owner of your workspace.',
    owner: 'No email claim was sent. Add the scope or claim email to the app at the provider.',
  },
  email_unverified: {
    person: 'The sign-in service of your company has not verified your email address. Verify it there and try again.',
    owner:
      'The email address was not verified (email_verified). If the provider never sends this claim and only its administrators set addresses, turn on trusted email addresses.',
  },
  domain_not_allowed: {
    person: 'Your email address at your company is not in a domain of this workspace. Tell an owner of your workspace.',
    owner: 'The email address is in none of the domains. Add its domain, or have the person use another account.',
  },
  no_account: {
    person: 'You are not a member of this workspace yet. Ask an owner or admin to add you.',
    owner:
      'Someone without a membership signed in, and members are not created. Add them in People, or turn creation on.',
  },
  no_role: {
    person: 'Your account at your company gives no access to this workspace. Ask for access there, or ask an owner.',
    owner: 'No value of the role claim has a role here, and there is no default role.',
  },
  owner_not_connected: {
    person:
      'Owners connect their account themselves: sign in another way first, then open this link again in the same browser.',
    owner:
      'An owner signed in who is not connected to an account at the provider. They sign in with a password, passkey or emailed link first, and then through the company in the same browser.',
  },
  account_mismatch: {
    person: 'Your membership is connected to another account at your company. Ask an owner to disconnect it.',
    owner:
      'A membership with this email address is connected to another account at the provider. If that is correct, disconnect it below; the next sign-in connects it again.',
  },
} as const satisfies Record<string, FailureWords>

export type FailureCode = keyof typeof FAILURES

export interface SignInFailure {
  code: FailureCode
  /** the check, the code of the provider, or the host; no personal value */
  detail?: string
  /** the member, where one is known */
  userId?: string
}

/** A failure in a few characters: its code and what it is about. */
export const describeReason = (code: string, about: unknown): string => [code, about].filter(Boolean).join(': ')
