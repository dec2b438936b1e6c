import type { Database } from '../../kernel/db/database.ts'
import { hashToken } from '../../kernel/http/browser-session.ts'
import { noteRequest } from '../../kernel/http/request-line.ts'
import type { Services } from '../../kernel/services/services.ts'
import { openCompanySignIn, recordFailure } from '../../resources/company-sign-in/index.ts'
import { page, type ShownPage } from '../area.ts'
import { waitHeader } from '../enter.ts'
import { countAttemptOf, uncountAttempt } from '../limits.ts'
import { messagePage } from '../pages.ts'
import { settingsAt } from './flow.ts'
import { type LogoutToken, LogoutTokenRefused, readLogoutToken } from './logout-token.ts'
import { logoutPath, signedOutPath } from './paths.ts'
import { CompanySignInFailed, discoverProvider } from './provider.ts'
import type { PublishedKeysCache } from './published-keys.ts'
import { recordSignedOut } from './signed-out.ts'
import { endProvidedSessions, endProvidedTickets, lockSettings, useLogoutToken } from './store.ts'

/** Longer than any token is accepted. */
const USED_SECONDS = 3_600

const SIGNED_OUT = messagePage('You are signed out', 'You are signed out here and at your company.')

/** Where the provider says that a person signed out there (back-channel logout), and where it sends them afterwards. */
export const companyLogoutPages = (keys: PublishedKeysCache) => [
  page({ path: signedOutPath('{workspace}'), session: 'none', show: () => ({ show: SIGNED_OUT }) }),
  page({
    path: logoutPath('{workspace}'),
    session: 'none',
    csrf: { none: 'a provider sends it, and signs the token in it' },
    submit: async ({ services, request, params, address, form }) => {
      const row = await settingsAt(services, params.workspace)
      if (!row?.enabled) return respond(404, 'invalid_request')
      noteRequest(request, { workspace: row.workspace_id })
      const source = { account: row.workspace_id, address }
      const wait = await countAttemptOf(services, 'company logout', source)
      if (wait) return respond(429, 'temporarily_unavailable', waitHeader(wait))
      try {
        const token = await readLogoutToken({ db: services.db, keys }, row, form.get('logout_token') ?? '')
        await endSessions(services.db, row.workspace_id, token)
        await uncountAttempt(services, 'company logout', source)
        return respond(200)
      } catch (error) {
        if (!(error instanceof LogoutTokenRefused)) throw error
        // anyone can post here, and must not be able to displace what owners look for
        if (error.signed) await recordFailure(services.db, row.workspace_id, error.failure)
        return respond(400, 'invalid_request')
      }
    },
  }),
]

const endSessions = (db: Database, workspace: string, token: LogoutToken): Promise<void> =>
  db.transaction(async tx => {
    if (!(await tx.one(useLogoutToken(workspace, hashToken(token.id), USED_SECONDS))))
      throw new LogoutTokenRefused({ code: 'logout_invalid', detail: 'jti' }, true)
    const session = token.session === undefined ? null : hashToken(token.session)
    // after sign-ins in progress; tickets first: one that is used at the same time has its session then
    await tx.query(lockSettings(workspace))
    await recordSignedOut(tx, workspace, token)
    await tx.query(endProvidedTickets(workspace, token.subject ?? null, session))
    await tx.query(endProvidedSessions(workspace, token.subject ?? null, session))
  })

const respond = (status: number, error?: string, headers: Readonly<Record<string, string>> = {}): ShownPage => ({
  json: error === undefined ? {} : { error },
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
})

/** Where a person who signed out here signs out at the provider; undefined where the workspace or the provider does not do it. */
export async function providerLogoutUrl(services: Services, workspace: string): Promise<string | undefined> {
  const row = await services.db.one(openCompanySignIn(workspace))
  if (!row?.enabled || !row.ends_provider_session) return undefined
  try {
    const { client, config } = await discoverProvider(services, row)
    if (!/^https?:\/\//.test(config.serverMetadata().end_session_endpoint ?? '')) return undefined
    const back = services.publicUrl + signedOutPath(workspace)
    // by client ID: an ID token as hint would have to be stored, with the claims of the person
    return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href
  } catch (error) {
    if (!(error instanceof CompanySignInFailed)) throw error
    return undefined
  }
}
