import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { clock } from '../../src/kernel/time/clock.ts'
import type { CompanySignInInput } from '../../src/resources/company-sign-in/index.ts'
import { changeCompanySignIn } from '../../src/resources/company-sign-in/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import type { Seen, Visitor } from './visitor.ts'

export const CLIENT = { client_id: 'hiring', client_secret: 'client secret of a test' }

type Json = Record<string, unknown>

/** How one response differs from what a correct provider sends. */
export interface Hostility {
  metadata?: Json
  header?: Json
  claims?: Json
  /** signs with the bytes of the public key, as if it were a shared secret */
  hmac?: true
  /** signs with a key that is not published */
  foreignKey?: true
  userinfo?: Json
  /** runs before the response of a path */
  before?: Readonly<Record<string, () => Promise<void>>>
  /** replaces the response of a path */
  respond?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>
  /** parameters of the redirect back */
  callback?: Record<string, string>
}

/**
 * An OpenID provider whose every response can be made wrong. It checks what a client must send: secret, PKCE, redirect
 * URI, and each code once.
 */
export class FakeProvider {
  readonly issuer: string
  readonly #server: Server
  readonly #key: KeyObject
  readonly #foreign: KeyObject
  readonly #alg: 'RS256' | 'ES256' | 'EdDSA'
  readonly codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>()
  /** what the last authorization request had */
  asked = new URLSearchParams()
  hostility: Hostility = {}
  person: Json = {}
  /** paths that were requested */
  readonly requests: string[] = []
  replayable = false

  private constructor(server: Server, alg: 'RS256' | 'ES256' | 'EdDSA') {
    this.#server = server
    this.#alg = alg
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const make = () =>
      alg === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
        : alg === 'ES256'
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
          : generateKeyPairSync('ed25519').privateKey
    this.#key = make()
    this.#foreign = make()
  }

  static async start(alg: 'RS256' | 'ES256' | 'EdDSA' = 'RS256'): Promise<FakeProvider> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const provider = new FakeProvider(server, alg)
    server.on('request', (request, response) => void provider.#serve(request, response))
    return provider
  }

  get host(): string {
    return new URL(this.issuer).host
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** The provider as a correct one, with this person signed in. */
  reset(person: Json = {}): void {
    this.hostility = {}
    this.replayable = false
    this.requests.length = 0
    this.person = person
  }

  /** What the provider does when a browser arrives: it signs the person in and sends the browser back. */
  authorize(url: URL): string {
    this.asked = url.searchParams
    const code = createHash('sha256').update(`${this.codes.size} ${url.search}`).digest('hex')
    const redirectUri = url.searchParams.get('redirect_uri')!
    this.codes.set(code, {
      nonce: url.searchParams.get('nonce')!,
      challenge: url.searchParams.get('code_challenge')!,
      redirectUri,
    })
    const back = new URL(redirectUri)
    const parameters = { code, state: url.searchParams.get('state')!, iss: this.issuer, ...this.hostility.callback }
    for (const [name, value] of Object.entries(parameters)) if (value !== '') back.searchParams.set(name, value)
    return back.href
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url!, this.issuer).pathname
    this.requests.push(path)
    await this.hostility.before?.[path]?.()
    const own = this.hostility.respond?.[path]
    if (own) return own(request, response)
    const json = (body: Json, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/.well-known/openid-configuration') return void json(this.#metadata())
    if (path === '/keys') {
      const jwk = createPublicKey(this.#key).export({ format: 'jwk' })
      return void json({ keys: [{ ...jwk, kid: 'one', use: 'sig', alg: this.#alg }] })
    }
    if (path === '/userinfo') return void json({ sub: this.person['sub'], ...this.hostility.userinfo })
    if (path === '/authorize')
      return void response.writeHead(302, { location: this.authorize(new URL(request.url!, this.issuer)) }).end()
    if (path === '/token') return this.#token(request, json)
    json({ error: 'not_found' }, 404)
  }

  #metadata(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [this.#alg],
      ...this.hostility.metadata,
    }
  }

  async #token(request: IncomingMessage, json: (body: Json, status?: number) => void): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const basic = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    const [id = '', secret = ''] = basic.split(':').map(part => decodeURIComponent(part.replaceAll('+', ' ')))
    if (id !== CLIENT.client_id || secret !== CLIENT.client_secret) return json({ error: 'invalid_client' }, 400)
    const found = this.codes.get(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!found || found.challenge !== challenge || found.redirectUri !== form.get('redirect_uri'))
      return json({ error: 'invalid_grant' }, 400)
    if (!this.replayable) this.codes.delete(form.get('code')!)
    json({ access_token: 'opaque', token_type: 'Bearer', id_token: this.#idToken(found.nonce) })
  }

  #idToken(nonce: string): string {
    const now = Math.floor(clock.now() / 1_000)
    const { claims } = this.hostility
    return this.#sign({
      ...{ iss: this.issuer, aud: CLIENT.client_id, exp: now + 300, iat: now, nonce },
      ...this.person,
      ...claims,
    })
  }

  /** A token that says that someone signed out. */
  logoutToken(claims: Json): string {
    const now = Math.floor(clock.now() / 1_000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const own = { iss: this.issuer, aud: CLIENT.client_id, exp: now + 120, iat: now, jti: randomUUID(), events }
    return this.#sign({ ...own, ...claims }, 'logout+jwt')
  }

  #sign(body: Json, typ = 'JWT'): string {
    const { header, hmac, foreignKey } = this.hostility
    const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = { alg: hmac ? 'HS256' : this.#alg, kid: 'one', typ, ...header }
    const signed = `${part(head)}.${part(body)}`
    if (head.alg === 'none') return `${signed}.`
    if (hmac) {
      const secret = createPublicKey(this.#key).export({ format: 'pem', type: 'spki' })
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
    }
    const key = foreignKey ? this.#foreign : this.#key
    const signature =
      this.#alg === 'RS256'
        ? sign('sha256', Buffer.from(signed), key)
        : this.#alg === 'ES256'
          ? sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
          : sign(null, Buffer.from(signed), key)
    return `${signed}.${signature.toString('base64url')}`
  }
}

/** The settings of a workspace that uses a provider, as the operator stores them. */
export const useProvider = (service: TestService, workspace: string, input: CompanySignInInput) =>
  changeCompanySignIn(service.services.db, service.services.keyring, workspace, input, 'operator')

/** A service with a workspace whose people sign in through a fake provider. */
export async function startCompanyService(): Promise<{ service: TestService; workspace: string; fake: FakeProvider }> {
  const fake = await FakeProvider.start()
  const service = await startTestService({ ROLES: 'api', COMPANY_SIGN_IN_ALLOW_HOSTS: fake.host })
  const { id: workspace } = await service.workspace('enterprise', 'Acme')
  await useProvider(service, workspace, { issuer: fake.issuer, ...CLIENT, domains: ['acme.example'], enabled: true })
  return { service, workspace, fake }
}

/** A browser that goes to the provider and comes back. */
export async function throughProvider(
  browser: Visitor,
  provider: FakeProvider,
  workspace: string,
  query = '',
): Promise<Seen> {
  const left = await browser.submit(await browser.get(`/sign-in/company/${workspace}${query}`))
  const url = providerUrl(left)
  if (url === undefined) return left
  const back = new URL(provider.authorize(url))
  return browser.get(back.pathname + back.search)
}

/** Where a browser goes after the page that leads to the provider. */
export function providerUrl(left: Seen): URL | undefined {
  const refresh = left.headers.get('refresh')
  return refresh === null ? undefined : new URL(refresh.replace('0; url=', ''))
}
