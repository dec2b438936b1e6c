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

const samples = keyButton && import(keyButton.dataset.samples)

/** The samples of a call with what the reader entered: in place of the variables as soon as there is a key. */
async function showSamples(block) {
  const shown = block.closest('.endpoint-code')?.querySelectorAll('[data-sample]') ?? []
  const { sampleCode } = await samples
  const call = callOf(block)
  const reader = key ? { apiKey: key, baseUrl: location.origin + block.dataset.prefix } : {}
  for (const sample of shown) sample.querySelector('code').textContent = sampleCode(sample.dataset.sample, call, reader)
}

/** Samples of a guide as they were written. */
const written = new Map()
for (const sample of document.querySelectorAll('[data-fill] [data-sample]')) {
  const code = sample.querySelector('code')
  written.set(code, {
    language: sample.dataset.sample,
    text: code.textContent,
    nodes: [...code.childNodes],
    prefix: sample.closest('[data-fill]').dataset.fill,
  })
}

/** With the key and the base URL in place of the variables; without a key as they were written. */
async function fillSamples() {
  const { fillSample } = await samples
  for (const [code, { language, text, nodes, prefix }] of written) {
    const reader = key ? { apiKey: key, baseUrl: location.origin + prefix } : {}
    const filled = fillSample(language, text, reader)
    // the words that have a colour stay where nothing is filled in
    if (filled === text) code.replaceChildren(...nodes)
    else code.textContent = filled
  }
}

/** The language is chosen once for all samples of the site. */
const LANGUAGE = 'docs-language'
const languages = document.querySelectorAll('[data-language]')
/** A sample that does not have the language stays as it is. */
const chooseLanguage = value => {
  for (const input of languages) if (input.value === value) input.checked = true
}
try {
  const chosen = localStorage.getItem(LANGUAGE)
  if (chosen) chooseLanguage(chosen)
} catch {}
for (const input of languages) {
  input.addEventListener('change', () => {
    // what is above the reader changes its height: the sample that was chosen stays where it is
    const before = input.getBoundingClientRect().top
    chooseLanguage(input.value)
    scrollBy({ top: input.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem(LANGUAGE, input.value)
    } catch {}
  })
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
  for (const block of calls) showSamples(block)
  fillSamples()
})

// There is something to call or to fill in on this page, or there is not.
const calls = document.querySelectorAll('[data-try]')
if (keyButton && calls.length + written.size > 0) {
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
  form.addEventListener('input', () => showSamples(block))
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const { isPublic } = JSON.parse(block.dataset.call)
    if (!isPublic && !key) await askForKey()
    if (!isPublic && !key) return
    // not `disabled`, which would remove the focus from the button
    const button = form.querySelector('button')
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    output.hidden = false
    output.replaceChildren(element('p', 'small soft', 'Waiting…'))
    try {
      output.replaceChildren(...(await send(block)))
    } catch (error) {
      output.replaceChildren(element('p', 'small', `No response: ${error.message}`))
    }
    button.removeAttribute('aria-disabled')
  })
}

/** The call as it is filled in. A body that is not JSON yet stays the text that it is. */
function callOf(block) {
  const call = { ...JSON.parse(block.dataset.call), params: {}, query: {} }
  for (const field of block.querySelectorAll('[data-in]')) {
    const value = field.value.trim()
    if (value === '') continue
    if (field.dataset.in === 'path') call.params[field.name] = value
    else if (field.dataset.in === 'query') call.query[field.name] = typed(value, field.dataset.kind)
    else if (field.dataset.in === 'header') call.idempotencyKey = value
    else call.body = parsed(value)
  }
  return call
}

/** Calls with a key are in the request log of the console; those without one are in none. */
function requestLink(id, isPublic) {
  if (isPublic || id === '') return element('span', 'soft', id)
  const link = element('a', 'soft', id)
  link.href = `/console/requests/${id}`
  return link
}

const typed = (value, kind) =>
  kind === 'integer' && /^-?\d+$/.test(value) ? Number(value) : kind === 'boolean' ? value === 'true' : value

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function send(block) {
  showSamples(block)
  const { method, path, params, query, body, idempotencyKey, isPublic, isFile } = callOf(block)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(Object.entries(query))
  const began = performance.now()
  const response = await fetch(`${block.dataset.prefix}${filled}${search.size > 0 ? `?${search}` : ''}`, {
    method,
    headers: {
      ...(isPublic ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
    },
    // what is not JSON is sent as it was typed: the response says what is wrong with it
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = isFile && response.ok ? '' : await response.text()
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
  } else if (isFile && good) {
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
if (key) {
  for (const block of calls) showSamples(block)
  if (written.size > 0) fillSamples()
}
