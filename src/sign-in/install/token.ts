import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX } from '../../contract/version.ts'
import { addressMatcher } from '../../kernel/access/caller.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import type { Arrived, RawRoute } from '../../kernel/http/route-table.ts'
import type { Services } from '../../kernel/services/services.ts'
import { readForm } from '../../pages/form.ts'
import { isAppSecret } from '../../resources/connected-apps/index.ts'
import {
  exchangeCode,
  type InstallableApp,
  type Installed,
  readInstallable,
} from '../../resources/installations/index.ts'
import { INSTALL_PATH } from './request.ts'

/** An error of RFC 6749, section 5.2. */
class TokenError extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, description: string, status = 400) {
    super(description)
    this.code = code
    this.status = status
  }
}

/** The exchange of an install code for the key of the installation. */
export const installTokenRoute = (services: Services): RawRoute => ({
  path: `${INSTALL_PATH}/token`,
  methods: ['POST'],
  handler: async ({ request, response, address }: Arrived) => {
    try {
      const form = await readTokenForm(request)
      const app = await authenticateClient(services, request, form, address)
      respond(response, 200, tokenResponse(services, await exchange(services, app, form)))
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      const body = { error: error.code, error_description: error.message }
      respond(response, error.status, body, error.status === 401 ? { 'WWW-Authenticate': 'Basic realm="app"' } : {})
    }
  },
})

async function readTokenForm(request: IncomingMessage): Promise<URLSearchParams> {
  const form = await readForm(request).catch(error => {
    if (error instanceof ApiError && error.status < 500) throw new TokenError('invalid_request', error.message)
    throw error
  })
  const twice = [...new Set(form.keys())].find(name => form.getAll(name).length > 1)
  if (twice !== undefined) throw new TokenError('invalid_request', `${twice.slice(0, 40)} is given twice`)
  return form
}

/** The app, by its id and one of its secrets, in the header or the body. A suspended app has no response of its own. */
async function authenticateClient(
  { db }: Services,
  request: IncomingMessage,
  form: URLSearchParams,
  address: string,
): Promise<InstallableApp> {
  const { id, secret } = basicOf(request.headers.authorization) ?? {
    id: form.get('client_id') ?? '',
    secret: form.get('client_secret') ?? '',
  }
  const app = await readInstallable(db, id)
  const isKnown = app !== undefined && app.revoked_at === null && app.suspended_at === null
  if (!isKnown || !(await isAppSecret(db, app.id, secret)) || !addressMatcher(app.ip_allowlist)(address))
    throw new TokenError('invalid_client', 'the client is unknown, or its secret is wrong', 401)
  const named = form.get('client_id')
  if (named !== null && named !== app.id) throw new TokenError('invalid_request', 'client_id is that of another app')
  return app
}

/** RFC 6749, section 2.3.1: both parts are encoded as in a form. */
function basicOf(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s).map(decodeFormPart)
  return { id, secret }
}

function decodeFormPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return ''
  }
}

async function exchange({ db }: Services, app: InstallableApp, form: URLSearchParams): Promise<Installed> {
  if (form.get('grant_type') !== 'authorization_code')
    throw new TokenError('unsupported_grant_type', 'grant_type must be authorization_code')
  const [code, redirectUri, verifier] = ['code', 'redirect_uri', 'code_verifier'].map(name => {
    const value = form.get(name)
    if (!value) throw new TokenError('invalid_request', `${name} is missing`)
    return value
  })
  const done = await exchangeCode(db, app.id, {
    code: code ?? '',
    redirectUri: redirectUri ?? '',
    verifier: verifier ?? '',
  })
  if ('refused' in done) throw new TokenError('invalid_grant', done.refused)
  return done
}

const tokenResponse = ({ publicUrl }: Services, { installation, key }: Installed) => ({
  access_token: key.secret,
  token_type: 'Bearer',
  scope: installation.scopes.join(' '),
  installation_id: installation.id,
  workspace_id: installation.workspace_id,
  workspace_name: installation.workspace_name,
  environment: key.environment,
  api_base_url: publicUrl + API_PREFIX,
  iss: publicUrl,
})

function respond(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    .end(text)
}
