// The check of a webhook's signature. It computes everything here: the page's content security policy allows no request.
const form = document.querySelector('[data-signature]')

if (form) {
  form.hidden = false
  const field = name => form.querySelector(`#signature-${name}`)
  const result = document.querySelector('[data-signature-result]')
  const checker = import(form.dataset.checker)

  const element = (tag, className, ...content) => {
    const made = document.createElement(tag)
    made.className = className
    made.append(...content)
    return made
  }

  form.addEventListener('submit', async event => {
    event.preventDefault()
    // browsers compute signatures only in secure contexts
    if (!isSecureContext) {
      result.replaceChildren(element('p', 'notice warn', 'The check needs HTTPS or localhost.'))
      return
    }
    const { checkSignature } = await checker
    const { accepted, findings } = await checkSignature({
      header: field('header').value,
      body: field('body').value,
      secret: field('secret').value,
      nowSeconds: Math.floor(Date.now() / 1000),
    })
    const verdict = accepted ? 'A receiver accepts this.' : 'A receiver must reject this.'
    const list = element('ul', 'findings', ...findings.map(({ tone, text }) => element('li', tone, text)))
    result.replaceChildren(
      element('div', `notice ${accepted ? 'good' : 'bad'}`, element('p', '', element('b', '', verdict)), list),
    )
  })
  form.addEventListener('input', () => result.replaceChildren())

  form.querySelector('[data-signature-example]').addEventListener('click', async () => {
    const bytes = new TextEncoder()
    const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
    const body = '{"object":"event","id":"evt_1m8x2c4e6g8j0k2m4n6q","type":"ping"}'
    const t = Math.floor(Date.now() / 1000)
    const key = await crypto.subtle.importKey('raw', bytes.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(`${t}.${body}`)))
    field('header').value = `t=${t},v1=${[...signature].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
    field('body').value = body
    field('secret').value = secret
    result.replaceChildren()
  })
}
