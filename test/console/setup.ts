import type { Role } from '../../src/contract/scopes.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { beginSession, SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import type { TestResponse, TestService } from '../harness/service.ts'

/** A person who is signed in, as the pages of the console or of the hiring team call their endpoints. */
export interface Person {
  userId: string
  email: string
  /** name=value */
  cookie: string
  get(path: string): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  postFile(path: string, file: Buffer, type?: string, headers?: Record<string, string>): Promise<TestResponse>
}

let people = 0

export async function signedIn(
  service: TestService,
  workspace: string,
  who: { role?: Role; email?: string; firstName?: string; lastName?: string; program?: 'console' | 'hiring' } = {},
): Promise<Person> {
  const email = who.email ?? `person-${++people}@test.example`
  const { services, origin, call } = service
  const { role = 'owner', firstName = 'Pia', lastName } = who
  const user = await createUser(services.db, { workspace, email, role, firstName, ...(lastName ? { lastName } : {}) })
  const how = { method: 'link', address: '127.0.0.1', userAgent: 'test' } as const
  const token = await beginSession(services.db, { id: user.id, workspace_id: workspace }, how)
  const cookie = `${SESSION_COOKIE}=${token}`
  const api = `${origin}/${who.program ?? 'console'}/api`
  const get = (path: string) => call('GET', api + path, { headers: { cookie } })
  const session = await get('/session')
  const csrf = session.body?.csrf_token ?? ''
  return {
    userId: user.id,
    email,
    cookie,
    get,
    post: (path, body, headers) =>
      call('POST', api + path, {
        headers: { cookie, origin, 'x-csrf-token': csrf, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    postFile: (path, file, type = 'application/octet-stream', headers = {}) =>
      call('POST', api + path, {
        headers: { cookie, origin, 'x-csrf-token': csrf, 'content-type': type, ...headers },
        raw: file,
      }),
  }
}
