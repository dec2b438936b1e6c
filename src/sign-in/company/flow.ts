import { sha256 } from '../../kernel/crypto/signing.ts'
import { hashToken, newToken } from '../../kernel/http/browser-session.ts'
import type { Services } from '../../kernel/services/services.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import {
  type CompanySignInRow,
  companySignInAt,
  emailDomainOf,
  openCompanySignIn,
} from '../../resources/company-sign-in/index.ts'
import { authorizationUrl, discoverProvider, type FlowSecrets, type Prompt } from './provider.ts'
import { type FlowPurpose, insertFlow } from './store.ts'

export const FLOW_COOKIE = 'hiring_company'
export const FLOW_SECONDS = 600

/** The provider to which the domain of an address leads, whether or not the address belongs to anyone. */
export async function companyFor({ db }: Pick<Services, 'db'>, email: string): Promise<CompanySignInRow | undefined> {
  const key = emailKey(email)
  return key === undefined ? undefined : db.one(companySignInAt(emailDomainOf(key)))
}

/** The settings of the workspace that a path names. */
export const settingsAt = async (
  { db }: Pick<Services, 'db'>,
  workspace: string,
): Promise<CompanySignInRow | undefined> =>
  /^\w{1,60}$/.test(workspace) ? db.one(openCompanySignIn(workspace)) : undefined

/**
 * A URL for each workspace: a provider sends codes only to the URLs that were registered there, so a workspace cannot
 * have the codes of another one's provider sent to a provider of its own.
 */
export const buildRedirectUri = ({ publicUrl }: Pick<Services, 'publicUrl'>, workspace: string): string =>
  `${publicUrl}/sign-in/company/${workspace}/callback`

const derived = (purpose: string, token: string): string => sha256(`company ${purpose} ${token}`).toString('base64url')

/** All three from the token in the cookie, so that nothing of them is stored and all are bound to the browser. */
export const deriveFlowSecrets = (token: string): FlowSecrets => ({
  state: derived('state', token),
  nonce: derived('nonce', token),
  verifier: derived('verifier', token),
})

/** Stores the flow. Returns the token for the browser's cookie and the URL of the provider. */
export async function beginFlow(
  services: Services,
  row: CompanySignInRow,
  opts: {
    purpose: FlowPurpose
    returnTo?: string | undefined
    loginHint?: string | undefined
    prompt?: Prompt | undefined
  },
): Promise<{ token: string; url: string }> {
  const provider = await discoverProvider(services, row)
  const token = newToken()
  const redirectUri = buildRedirectUri(services, row.workspace_id)
  const { loginHint, prompt } = opts
  const asked = { loginHint, prompt, groups: row.role_claim !== null }
  const url = await authorizationUrl(provider, deriveFlowSecrets(token), redirectUri, asked)
  await services.db.query(
    insertFlow({
      tokenHash: hashToken(token),
      workspaceId: row.workspace_id,
      purpose: opts.purpose,
      version: row.version,
      returnTo: opts.returnTo ?? null,
      again: prompt === 'login',
      seconds: FLOW_SECONDS,
    }),
  )
  return { token, url }
}

const HINT = 'company login hint'

/** An email address for a URL, where proxies and histories would keep it readable. */
export const sealHint = ({ keyring }: Pick<Services, 'keyring'>, email: string): string =>
  keyring.seal(Buffer.from(email), HINT).toString('base64url')

export function openHint({ keyring }: Pick<Services, 'keyring'>, sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : keyring.unseal(Buffer.from(sealed, 'base64url'), HINT).toString()
  } catch {
    return undefined // cut off, or sealed before the key was replaced: the person types the address at the provider
  }
}
