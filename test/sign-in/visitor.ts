/** A browser without a window: cookies by path, redirects one at a time, forms read from the HTML. */
export interface Seen {
  status: number
  url: string
  headers: Headers
  html: string
  location: string | undefined
}

interface Cookie {
  name: string
  value: string
  path: string
  attributes: string
}

export class Visitor {
  readonly origin: string
  readonly #at: () => string
  readonly cookies: Cookie[] = []
  /** every Set-Cookie that was seen */
  readonly set: string[] = []

  /** `at` says where the next request really goes, for services that are not where their public address says */
  constructor(origin: string, at: () => string = () => origin) {
    this.origin = origin
    this.#at = at
  }

  cookie(name: string): string | undefined {
    return this.cookies.find(cookie => cookie.name === name)?.value
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Seen> {
    return this.#send('GET', path, headers)
  }

  /** As a browser posts a form: with the origin of the page it is on. */
  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Seen> {
    return this.postForm(path, new URLSearchParams(fields), headers)
  }

  /** The same for a form in which a field occurs several times. */
  async postForm(path: string, fields: URLSearchParams, headers: Record<string, string> = {}): Promise<Seen> {
    const body = fields.toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin }
    return this.#send('POST', path, { ...type, ...headers }, body)
  }

  /** Presses a button of the page: its form with the hidden fields, and what was typed. */
  async submit(page: Seen, fields: Record<string, string> = {}, opts: { action?: string } = {}): Promise<Seen> {
    const forms = [...page.html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)]
    const form = opts.action ? forms.find(([, action]) => action === opts.action) : forms[0]
    if (!form) throw new Error(`no such form on ${page.url}: ${page.html.slice(0, 400)}`)
    const hidden = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const given = Object.fromEntries(hidden.map(([, name, value]) => [plainText(name!), plainText(value!)]))
    return this.post(plainText(form[1]!), { ...given, ...fields })
  }

  /** Follows redirects while they stay on this origin; the last response, or the redirect that leaves. */
  async follow(seen: Seen): Promise<Seen> {
    let at = seen
    for (let i = 0; i < 12 && at.location !== undefined; i++) {
      const next = new URL(at.location, at.url)
      if (next.origin !== this.origin) return at
      at = await this.get(next.pathname + next.search)
    }
    return at
  }

  async #send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Seen> {
    const url = new URL(path, this.origin)
    const cookie = this.cookies
      .filter(c => url.pathname === c.path || url.pathname.startsWith(c.path.endsWith('/') ? c.path : `${c.path}/`))
      .map(c => `${c.name}=${c.value}`)
      .join('; ')
    const response = await fetch(this.#at() + url.pathname + url.search, {
      method,
      redirect: 'manual',
      headers: { ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line, url)
    const html = await response.text()
    const location = response.headers.get('location') ?? undefined
    return { status: response.status, url: url.href, headers: response.headers, html, location }
  }

  #keep(line: string, url: URL): void {
    this.set.push(line)
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const path = attributes.find(a => /^path=/i.test(a))?.slice(5) ?? url.pathname.replace(/\/[^/]*$/, '/')
    const at = this.cookies.findIndex(c => c.name === name && c.path === path)
    if (at >= 0) this.cookies.splice(at, 1)
    const ended = attributes.some(a => /^max-age=0$/i.test(a) || /^expires=thu, 01 jan 1970/i.test(a))
    if (!ended && value !== '') this.cookies.push({ name, value, path, attributes: attributes.join('; ') })
  }
}

const plainText = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as string]!,
  )
