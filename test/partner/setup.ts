import type { TestResponse, TestService } from '../harness/service.ts'

/** A browser on the partner's page: it keeps the cookie and sends forms as the pages do. */
export interface PartnerBrowser {
  cookie: string
  get(path: string): Promise<TestResponse>
  /** with the CSRF token of the page that was read last, unless `csrf` says another */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<TestResponse>
  signIn(key: string): Promise<TestResponse>
}

export function partnerBrowser({ call, origin }: TestService): PartnerBrowser {
  let csrf = ''
  const browser: PartnerBrowser = {
    cookie: '',
    async get(path) {
      const response = await call('GET', origin + path, { headers: { cookie: browser.cookie, accept: 'text/html' } })
      csrf = /name="csrf" value="([^"]+)"/.exec(response.text)?.[1] ?? csrf
      return response
    },
    async post(path, fields = {}, headers = {}) {
      const response = await call('POST', origin + path, {
        headers: {
          cookie: browser.cookie,
          accept: 'text/html',
          origin,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        raw: new URLSearchParams({ csrf, ...fields }).toString(),
      })
      const set = response.headers.get('set-cookie')
      if (set) browser.cookie = set.split(';')[0]!
      return response
    },
    signIn: key => browser.post('/partner/sign-in', { key }),
  }
  return browser
}
