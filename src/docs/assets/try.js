// Calls the API from the page with the reader's own key. The key is kept in this variable, and in the tab's storage only if
// the reader chooses so. It is sent to this origin only: the page's content security policy allows no other.
const STORED = 'docs-api-key'
const stored = () => {
  try {
    return sessionStorage.getItem(STORED) ?? ''
  } catch {
    return ''
  }
}
let key = stored()
/** Calls into which something was entered: their sample follows. The others keep the sample as it was written. */
const touched = new Set()

const keyButton = document.querySelector('[data-key]')
const dialog = document.createElement('dialog')
dialog.className = 'key'
dialog.setAttribute('aria-labelledby', 'key-title')
dialog.innerHTML = `<form method="dialog"><h2 id="key-title">Your API key</h2>
<p class="small soft">It stays in this page and is sent only to this service. Prefer a key with few scopes.</p>
<div class="field"><label for="key-input">Key</label><input id="key-input" type="password" autocomplete="off" spellcheck="false" placeholder="svc_test_…"></div>
<label class="check small"><input type="checkbox" id="key-keep"> Keep it until this tab is closed</label>
<div class="actions"><button class="button small" value="use">Use it</button><button class="button secondary small" value="forget">Forget it</button></div></form>`
document.body.append(dialog)
const keyInput = dialog.querySelector('#key-input')
const keep = dialog.querySelector('#key-keep')

/** The shell's line for the call as it is filled in: with the key and handles that were entered. */
function showCurl(block) {
  const code = block.closest('.endpoint-code')?.querySelector('figure.code code')
  if (!code) return
  const { method, path, headers, body } = requestOf(block, block.querySelector('form'), block.dataset.public === 'true')
  const quoted = text => `'${text.replaceAll("'", "'\\''")}'`
  const lines = [`curl -s${method === 'POST' ? ' -X POST' : ''} ${quoted(location.origin + path)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (body !== undefined) lines.push(`-d ${quoted(body)}`)
  code.textContent = lines.join(' \\\n  ')
}

function showKeyState() {
  if (keyButton) keyButton.textContent = key ? `Key …${key.slice(-4)}` : 'API key'
  for (const state of document.querySelectorAll('[data-key-state]'))
    state.textContent = key ? `with the key …${key.slice(-4)}` : ''
}

function askForKey() {
  keyInput.value = key
  keep.checked = stored() !== ''
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise(resolve => dialog.addEventListener('close', resolve, { once: true }))
}

dialog.addEventListener('close', () => {
  if (dialog.returnValue === 'use') key = keyInput.value.trim()
  else if (dialog.returnValue === 'forget') key = ''
  keyInput.value = ''
  try {
    if (key && keep.checked) sessionStorage.setItem(STORED, key)
    else sessionStorage.removeItem(STORED)
  } catch {}
  showKeyState()
  for (const block of touched) showCurl(block)
})

// There is something to call on this page, or there is not.
const calls = document.querySelectorAll('[data-try]')
if (keyButton && calls.length > 0) {
  keyButton.hidden = false
  keyButton.addEventListener('click', askForKey)
}

const element = (tag, className, text) => {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

for (const block of calls) {
  block.hidden = false
  const form = block.querySelector('form')
  const output = block.querySelector('.try-response')
  form.addEventListener('input', () => {
    touched.add(block)
    showCurl(block)
  })
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const isPublic = block.dataset.public === 'true'
    if (!isPublic && !key) await askForKey()
    if (!isPublic && !key) return
    // not `disabled`, which would remove the focus from the button
    const send = form.querySelector('button')
    if (send.getAttribute('aria-disabled') === 'true') return
    send.setAttribute('aria-disabled', 'true')
    output.hidden = false
    output.replaceChildren(element('p', 'small soft', 'Waiting…'))
    try {
      output.replaceChildren(...(await call(block, form, isPublic)))
    } catch (error) {
      output.replaceChildren(element('p', 'small', `No response: ${error.message}`))
    }
    send.removeAttribute('aria-disabled')
  })
}

function requestOf(block, form, isPublic) {
  let path = block.dataset.path
  const query = new URLSearchParams()
  const headers = isPublic ? {} : { Authorization: `Bearer ${key || 'YOUR_API_KEY'}` }
  let body
  for (const field of form.querySelectorAll('[data-in]')) {
    const value = field.value.trim()
    if (value === '') continue
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value))
    else if (field.dataset.in === 'query') query.set(field.name, value)
    else if (field.dataset.in === 'header') headers[field.name] = value
    else {
      body = value
      headers['Content-Type'] = 'application/json'
    }
  }
  return { method: block.dataset.method, path: query.size > 0 ? `${path}?${query}` : path, headers, body }
}

/** Calls with a key are in the request log of the console; those without one are in none. */
function requestLink(id, isPublic) {
  if (isPublic || id === '') return element('span', 'soft', id)
  const link = element('a', 'soft', id)
  link.href = `/console/requests/${id}`
  return link
}

async function call(block, form, isPublic) {
  touched.add(block)
  showCurl(block)
  const { method, path, headers, body } = requestOf(block, form, isPublic)
  const began = performance.now()
  const response = await fetch(path, {
    method,
    headers,
    body,
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = block.dataset.file === 'true' && response.ok ? '' : await response.text()
  const took = Math.round(performance.now() - began)

  const line = element('div', 'line')
  const good = response.ok
  line.append(
    element('span', `tag ${good ? 'good' : 'bad'}`, `${response.status} ${response.statusText}`),
    element('span', 'soft', `${took} ms`),
    requestLink(response.headers.get('Service-Request-Id') ?? '', isPublic),
  )
  const parts = [line]
  const shown = pretty(text)
  if (shown !== '') {
    const pre = element('pre')
    pre.tabIndex = 0
    pre.append(element('code', '', shown))
    parts.push(pre)
  } else if (block.dataset.file === 'true' && good) {
    parts.push(
      element(
        'p',
        'small',
        `A file: ${response.headers.get('Content-Type')}, ${response.headers.get('Content-Length')} bytes.`,
      ),
    )
  }
  const rest = element('details')
  const list = element('pre', '', [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'))
  list.tabIndex = 0
  rest.append(element('summary', '', 'Headers'), list)
  parts.push(rest)
  return parts
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

showKeyState()
