import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { assetRoutes, assetText } from '../../src/pages/assets.ts'
import { readForm } from '../../src/pages/form.ts'
import { html, prose, trusted } from '../../src/pages/html.ts'
import { notice, page } from '../../src/pages/page.ts'
import { contentPolicy, sendPage, sendRedirect } from '../../src/pages/send.ts'
import { axe, noBrowser, visit } from '../harness/browser.ts'

const opened: { close(): void }[] = []
after(() => {
  for (const server of opened) server.close()
})

/** A server that serves only pages and assets. */
async function serve(listener: RequestListener): Promise<string> {
  const assets = assetRoutes()[0]!
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/assets/')) {
      try {
        const { url: path } = request
        const rest = path.slice('/assets/'.length)
        const { signal: stopping } = new AbortController()
        await assets.handler({ request, response, address: '127.0.0.1', params: {}, path, search: '', rest, stopping })
      } catch (error) {
        response.writeHead(error instanceof ApiError ? error.status : 500).end()
      }
      return
    }
    listener(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  opened.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('page shell: html: what is put into a template is escaped, between tags and in attributes; our own markup is not', () => {
  const hostile = `"><script>alert('1')</script>&`
  const made = html`<p title="${hostile}">${hostile}${html`<b>${1}</b>`}${[null, undefined, false, ['a', trusted('<i>')]]}</p>`
  const safe = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
  assert.equal(made.text, `<p title="${safe}">${safe}<b>1</b>a<i></p>`)
  assert.equal(prose('a <b> `c<d`').text, 'a &lt;b&gt; <code>c&lt;d</code>')
})

test('page shell: page: nothing inline, headers in one place, redirects of forms named', async () => {
  const origin = await serve((_, response) =>
    sendPage(response, page({ title: 'A <title>', body: html`<h1>Hi</h1>` }), {
      formTargets: ['https://app.example'],
      headers: { 'Set-Cookie': ['a=1', 'b=2'] },
    }),
  )
  const response = await fetch(origin)
  const text = await response.text()
  assert.match(text, /<title>A &lt;title&gt; · /)
  assert.doesNotMatch(text, /<style|style="|<script(?![^>]* src=)|\son[a-z]+=/)
  const policy = response.headers.get('content-security-policy')!
  assert.equal(policy, contentPolicy(['https://app.example']))
  assert.doesNotMatch(policy, /unsafe/)
  assert.match(policy, /default-src 'none'.*form-action 'self' https:\/\/app\.example.*frame-ancestors 'none'/)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('referrer-policy'), 'same-origin')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
})

test('page shell: assets: named by their hash and cached forever; an unknown one is a 404', async () => {
  const first = assetText('probe.css', 'p { color: red }'.repeat(50))
  const second = assetText('probe.css', 'p { color: blue }'.repeat(50))
  assert.notEqual(first, second)
  const origin = await serve((_, response) => void response.writeHead(404).end())
  const response = await fetch(origin + first)
  assert.equal(await response.text(), 'p { color: red }'.repeat(50))
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.equal(response.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const plain = await fetch(origin + first, { headers: { 'accept-encoding': 'identity' }, method: 'HEAD' })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(plain.headers.get('content-length'), '800')
  for (const path of ['/assets/none.css', '/assets/../html.ts', '/assets/__proto__']) {
    assert.equal((await fetch(origin + path)).status, 404, path)
  }
})

test('page shell: forms: small and urlencoded, or refused', async () => {
  const origin = await serve(async (request, response) => {
    try {
      const form = await readForm(request)
      sendRedirect(response, `/done?name=${encodeURIComponent(form.get('name') ?? '')}`)
    } catch (error) {
      response.writeHead((error as ApiError).status).end((error as ApiError).code)
    }
  })
  const post = (body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(origin, { method: 'POST', body, headers: { 'content-type': type }, redirect: 'manual' })
  const good = await post('name=J%C3%BCrgen+M')
  assert.equal(good.status, 303)
  assert.equal(good.headers.get('location'), '/done?name=J%C3%BCrgen%20M')
  assert.equal((await post('{}', 'application/json')).status, 400)
  assert.equal((await post(`name=${'x'.repeat(40_000)}`)).status, 413)
  assert.equal((await post(`name=${'x'.repeat(300_000)}`)).status, 413)
})

const sample = page({
  title: 'Sample',
  layout: 'card',
  body: html`<h1>Sign in</h1><p class="soft">To continue.</p>${notice('bad', html`<p>That did not work.</p>`, { alert: true })}
    <form method="post"><div class="field"><label for="mail">E-mail</label><input id="mail" name="mail" type="email"></div>
    <label class="check"><input type="checkbox"> Keep me signed in</label>
    <div class="actions"><button class="button">Continue</button><a class="button secondary" href="/">Cancel</a></div></form>
    <p><span class="tag good">live</span> <span class="tag warn">soon</span> <span class="tag bad">gone</span> <span class="tag info">info</span> <span class="tag accent">new</span></p>`,
})

for (const theme of ['light', 'dark'] as const) {
  test(`page shell: the shell in ${theme}: no serious accessibility issue, nothing refused by its own policy`, {
    skip: noBrowser,
  }, async () => {
    const origin = await serve((_, response) => sendPage(response, sample))
    const { page: window, problems, close } = await visit(origin, { theme })
    await window.goto('/')
    assert.deepEqual(await axe(window), [])
    assert.deepEqual(problems, [])
    const background = () => window.evaluate('getComputedStyle(document.querySelector("main")).backgroundColor')
    const before = await background()
    await window.getByRole('button', { name: 'Switch between light and dark' }).click()
    const switched = await background()
    assert.notEqual(switched, before)
    await window.reload()
    assert.equal(await background(), switched, 'the choice lasts')
    await close()
  })
}
