/**
 * The application form. It works without this script; with it files go straight to the store while the person goes on,
 * the résumé fills in blank fields, what is typed is kept on the device until it is sent, and the proof of work runs in
 * the background. All texts come from the page.
 */
const DRAFT = 'application-draft:'
const SENT = 'application-sent:'
const DRAFT_DAYS = 14
/** Uploads that are not sent are deleted after an hour. */
const UPLOAD_MINUTES = 50
/** A token is valid for a day. */
const TOKEN_MS = 20 * 3_600_000
const RETRY_MS = [1_000, 3_000, 8_000]
const SAVE_MS = 400
const HEAD_BYTES = 1024
const COUNT_MS = 600

function begin() {
  const form = document.getElementById('apply')
  if (form) new ApplicationForm(form)
}

function storage(use) {
  try {
    return use(localStorage)
  } catch {
    return undefined // switched off or full: the form works without it
  }
}

function clearDraft(name) {
  storage(store => {
    store.removeItem(DRAFT + name)
    store.setItem(SENT + name, String(Date.now()))
  })
}

/** The first bytes of a file, which say what it is. */
async function headOf(file) {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

class ApplicationForm {
  constructor(form) {
    this.form = form
    this.texts = JSON.parse(form.dataset.texts)
    this.notes = document.getElementById('apply-notes')
    this.status = document.getElementById('apply-status')
    this.button = form.querySelector('button[type=submit]')
    this.name = form.dataset.draft
    this.openedAt = Date.now()
    this.sending = false
    /** until another form takes the place of this one */
    this.life = new AbortController()
    const { signal } = this.life
    document.documentElement.classList.add('scripted')

    this.live = element('p', { class: 'visually-hidden', role: 'status' })
    form.append(this.live)
    this.conditional = [...form.querySelectorAll('[data-if]')]
    this.files = [...form.querySelectorAll('[data-file]')].map(box => new FileQuestion(this, box))
    this.counts = [...form.querySelectorAll('.count[data-most]')].map(count => new Count(this, count))
    if (form.dataset.returned === 'false') this.restore()
    this.applyConditions()
    for (const count of this.counts) count.show()

    form.addEventListener('input', event => this.changed(event))
    form.addEventListener('change', event => this.changed(event))
    form.addEventListener('submit', event => {
      event.preventDefault()
      this.send()
    })
    const onPageShow = event => {
      if (event.persisted) this.cameBack()
    }
    // another tab has sent the same form
    const onStorage = event => {
      if (event.key === SENT + this.name && event.newValue) this.note('info', this.texts.sentBefore)
    }
    addEventListener('pageshow', onPageShow, { signal })
    addEventListener('pagehide', () => this.save(), { signal })
    addEventListener('storage', onStorage, { signal })
    this.work = this.prove()
    const focused = this.notes.querySelector('[data-focus]')
    if (focused) focused.focus()
  }

  /** Texts of the page with values in them. */
  text(name, values = {}) {
    return this.texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key])
  }

  say(text) {
    // the same text twice is read out only if it changes in between
    this.live.textContent = ''
    setTimeout(() => {
      this.live.textContent = text
    }, 50)
  }

  note(kind, text, button) {
    this.notes.querySelector('[data-note]')?.remove()
    const box = element('div', { class: `notice ${kind}`, 'data-note': '', tabindex: '-1' }, element('p', {}, text))
    if (kind === 'bad') box.setAttribute('role', 'alert')
    if (button) {
      const made = element('button', { class: 'button secondary', type: 'button' }, button.text)
      made.addEventListener('click', button.run)
      box.append(made)
    }
    this.notes.prepend(box)
    return box
  }

  // Answers

  controls(name) {
    return [...this.form.elements].filter(control => control.name === name)
  }

  answers(name) {
    return this.controls(name).flatMap(control => {
      if (control.disabled) return []
      if (control.type === 'checkbox' || control.type === 'radio') return control.checked ? [control.value] : []
      return [control.value]
    })
  }

  changed(event) {
    const { target } = event
    target.closest('[data-question]')?.querySelector('.filled-mark')?.remove()
    this.applyConditions()
    clearTimeout(this.saving)
    this.saving = setTimeout(() => this.save(), SAVE_MS)
  }

  /** Shows what the answers ask for. Hidden inputs are switched off, so that they are not sent. */
  applyConditions() {
    for (const box of this.conditional) {
      const wanted = JSON.parse(box.dataset.values)
      const shown = this.answers(box.dataset.if).some(answer => wanted.includes(answer))
      if (box.hidden === !shown) continue
      box.hidden = !shown
      for (const control of box.querySelectorAll('input, select, textarea')) control.disabled = !shown
      // a part that is shown again may have questions with conditions of their own
      if (shown) for (const inner of box.querySelectorAll('[data-if]')) inner.hidden = false
    }
  }

  // Drafts

  /** Neither what is voluntary nor what is agreed to, and nothing that belongs to this visit alone. */
  isKept(control) {
    const { name, type } = control
    if (!name || type === 'file' || type === 'hidden' || type === 'submit') return false
    return !/^(consents\.|equal_opportunity\.|remove\.|homepage$)/.test(name)
  }

  save() {
    if (this.sent || this.life.signal.aborted) return
    const values = {}
    for (const control of this.form.elements) {
      if (!this.isKept(control)) continue
      const isChoice = control.type === 'checkbox' || control.type === 'radio'
      if (isChoice && !control.checked) continue
      if (control.value === '' && !isChoice) continue
      values[control.name] ??= []
      values[control.name].push(control.value)
    }
    const files = {}
    for (const file of this.files) if (file.ticket.value) files[file.name] = file.kept()
    const isEmpty = Object.keys(values).length === 0 && Object.keys(files).length === 0
    storage(store => {
      if (isEmpty) store.removeItem(DRAFT + this.name)
      else store.setItem(DRAFT + this.name, JSON.stringify({ at: Date.now(), values, files }))
    })
  }

  restore() {
    const draft = storage(store => JSON.parse(store.getItem(DRAFT + this.name)))
    if (!draft?.values || Date.now() - draft.at > DRAFT_DAYS * 86_400_000) {
      const sentAt = storage(store => Number(store.getItem(SENT + this.name)))
      if (sentAt && Date.now() - sentAt < 86_400_000) this.note('info', this.texts.sentBefore)
      return
    }
    let restored = false
    for (const control of this.form.elements) {
      const values = this.isKept(control) && draft.values[control.name]
      if (!values) continue
      if (control.type === 'checkbox' || control.type === 'radio') control.checked = values.includes(control.value)
      else control.value = values[0]
      restored ||= values.some(value => value !== '')
      const details = control.closest('details')
      if (details && control.value) details.open = true
    }
    let lost = false
    for (const file of this.files) {
      const kept = draft.files?.[file.name]
      if (!kept) continue
      restored = true
      if (Date.now() - kept.at > UPLOAD_MINUTES * 60_000) lost = true
      else file.showKept(kept)
    }
    if (!restored) return
    const text = lost ? `${this.texts.draft} ${this.texts.draftFiles}` : this.texts.draft
    this.note('info', text, { text: this.texts.startOver, run: () => this.startOver() })
  }

  startOver() {
    this.form.reset()
    for (const file of this.files) file.clear()
    storage(store => store.removeItem(DRAFT + this.name))
    clearTimeout(this.saving)
    for (const mark of this.form.querySelectorAll('.filled-mark')) mark.remove()
    for (const count of this.counts) count.show()
    this.applyConditions()
    const box = this.note('info', this.texts.startedOver)
    box.focus()
  }

  // Sending

  get token() {
    return this.form.elements.namedItem('token')
  }

  /** The proof of work for the present token. Where there are no workers the form is sent without it. */
  prove() {
    const token = this.token.value
    const [id] = token.split('.')
    return new Promise(resolve => {
      let worker
      try {
        worker = new Worker(this.form.dataset.worker)
      } catch {
        return resolve(undefined)
      }
      worker.onmessage = ({ data }) => {
        worker.terminate()
        if (this.token.value === token) this.form.elements.namedItem('work').value = data.work
        resolve(data.work)
      }
      worker.onerror = () => {
        worker.terminate()
        resolve(undefined)
      }
      worker.postMessage({ id, puzzles: Number(this.form.dataset.puzzles), bits: Number(this.form.dataset.bits) })
    })
  }

  async renewToken() {
    const { token } = await this.call(this.form.dataset.token, {})
    this.useToken(token)
  }

  useToken(token) {
    this.token.value = token
    this.form.elements.namedItem('work').value = ''
    this.openedAt = Date.now()
    this.work = this.prove()
  }

  /** A request of the script. The message of a refusal is for the person. */
  async call(url, body) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ ...body, token: this.token.value, work: this.form.elements.namedItem('work').value }),
    })
    const reply = await response.json().catch(() => ({}))
    if (response.ok) return reply
    throw Object.assign(new Error(reply.message ?? this.texts.sendFailed), {
      forPerson: reply.message !== undefined,
      expired: reply.expired === true,
      status: response.status,
    })
  }

  /** The page came back from the browser's memory, after the form was sent or another page was visited. */
  cameBack() {
    this.idle()
    if (!this.sent) return
    this.sent = false
    this.note('info', this.texts.sentBefore)
    this.renewToken().catch(() => {})
  }

  busy(text) {
    this.status.textContent = text
    this.button.setAttribute('aria-disabled', 'true')
  }

  idle() {
    this.sending = false
    this.status.textContent = ''
    this.button.removeAttribute('aria-disabled')
  }

  async send() {
    if (this.sending) return
    this.sending = true
    try {
      this.save()
      if (this.files.some(file => file.isRunning)) this.busy(this.texts.waitUpload)
      await Promise.all(this.files.map(file => file.settled()))
      this.busy(this.texts.preparing)
      if (Date.now() - this.openedAt > TOKEN_MS) await this.renewToken()
      await this.work
      this.busy(this.texts.sending)
      await this.post()
    } catch (error) {
      this.idle()
      this.note('bad', error.forPerson ? error.message : this.texts.sendFailed).focus()
    }
  }

  async post(isSecond = false) {
    const body = new FormData(this.form)
    const resume = this.files.find(file => file.isResume)
    // the pasted text was uploaded, or a file takes its place
    if (resume?.ticket.value) body.delete('resume_text')
    const response = await fetch(this.form.action, {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
    })
    if (response.redirected && response.ok) {
      this.sent = true
      clearDraft(this.name)
      location.assign(response.url)
      return
    }
    const answer = new DOMParser().parseFromString(await response.text(), 'text/html')
    const main = answer.querySelector('main')
    if (!main) throw new Error('no page')
    const expired = main.querySelector('#apply[data-expired]')
    if (expired && !isSecond) {
      this.useToken(expired.elements.namedItem('token').value)
      await this.work
      return this.post(true)
    }
    // the form with its faults, or the page of a job that was closed; everything else is a message above this form
    const isForm = main.querySelector('#apply') !== null
    if (isForm || response.status === 409) {
      this.life.abort()
      for (const file of this.files) file.stop()
      document.title = answer.title
      const area = main.querySelector('textarea[name=resume_text]')
      if (area && resume?.paste.value) {
        area.value = resume.paste.value
        area.closest('details').open = true
      }
      document.querySelector('main').replaceWith(main)
      if (isForm) return begin()
      const heading = main.querySelector('h1')
      heading.setAttribute('tabindex', '-1')
      heading.focus()
      return
    }
    const message = main.querySelector('.lead, p')?.textContent
    throw Object.assign(new Error(message ?? this.texts.sendFailed), { forPerson: message !== undefined })
  }

  // Reading of the résumé

  async read(ticket, attempt = 0) {
    const reply = await this.call(this.form.dataset.reading, { ticket }).catch(() => undefined)
    const resume = this.files.find(file => file.isResume)
    if (!reply || resume?.ticket.value !== ticket) return
    if (reply.busy && attempt < RETRY_MS.length) {
      setTimeout(() => this.read(ticket, attempt + 1), RETRY_MS[attempt])
      return
    }
    if (reply.fault) {
      resume.ticket.value = ''
      resume.file = undefined
      resume.refuse(reply.fault)
      this.save()
      return
    }
    if (reply.unreadable && !resume.isText) {
      this.say(this.texts.unreadable)
      resume.showReading(this.texts.unreadable)
      return
    }
    const labels = []
    for (const [name, value] of Object.entries(reply.fields)) {
      const [control] = this.controls(name)
      // what was typed is never replaced
      if (control?.value.trim() !== '') continue
      control.value = value
      const box = control.closest('[data-question]')
      labels.push(box.querySelector('label').firstChild.textContent.trim())
      control.after(element('span', { class: 'filled-mark' }, this.texts.filledMark))
    }
    this.say(labels.length > 0 ? this.text('filled', { fields: labels.join(', ') }) : this.texts.nothingFilled)
    resume.showReading(labels.length > 0 ? this.text('filled', { fields: labels.join(', ') }) : '')
    this.save()
  }
}

/** A file question: drop, upload with progress, cancel, replace, retry. */
class FileQuestion {
  constructor(application, box) {
    this.application = application
    this.box = box
    this.name = box.dataset.question
    this.isResume = this.name === 'resume_upload_id'
    this.input = box.querySelector('input[type=file]')
    this.drop = box.querySelector('.drop')
    this.ticket = box.querySelector(`input[type=hidden]`)
    this.paste = box.querySelector('textarea')
    this.types = JSON.parse(box.dataset.types)
    this.endings = JSON.parse(box.dataset.endings)
    this.isRunning = false
    this.run = 0
    const { texts } = application
    this.pastedName = `${texts.fileName}.txt`

    box.querySelector('[data-kept]')?.remove()
    const [hint] = this.drop.children
    hint.textContent = texts.drop
    hint.className = 'drop-text'
    this.state = element('span', { class: 'file-state' })
    this.filename = element('span', { class: 'file-name' })
    this.progress = element('progress', {
      max: '100',
      value: '0',
      'aria-label': texts.uploading.replace('{percent} %', ''),
    })
    this.again = this.button(texts.retry, () => this.upload())
    this.cancel = this.button(texts.cancel, () => this.abort())
    this.replace = this.button(texts.replace, () => this.input.click())
    this.remove = this.button(texts.remove, () => {
      this.clear()
      application.say(texts.removed)
      application.save()
      this.input.focus()
    })
    this.row = element(
      'div',
      { class: 'file', hidden: '', tabindex: '-1' },
      this.filename,
      this.state,
      this.again,
      this.cancel,
      this.replace,
      this.remove,
      this.progress,
    )
    this.drop.after(this.row)

    this.input.addEventListener('change', () => {
      if (this.input.files.length > 0) this.choose(this.input.files[0])
    })
    for (const type of ['dragenter', 'dragover'])
      this.drop.addEventListener(type, event => {
        event.preventDefault()
        this.drop.classList.add('over')
      })
    for (const type of ['dragleave', 'drop'])
      this.drop.addEventListener(type, event => {
        event.preventDefault()
        this.drop.classList.remove('over')
      })
    this.drop.addEventListener('drop', event => {
      const [file] = event.dataTransfer.files
      if (file) this.choose(file)
    })
    this.paste?.addEventListener('change', () => this.pasted())
    if (this.ticket.value)
      this.showKept({ ticket: this.ticket.value, filename: this.ticket.dataset.filename, at: Date.now() })
  }

  button(text, run) {
    const made = element('button', { class: 'button secondary', type: 'button', hidden: '' }, text)
    made.addEventListener('click', run)
    return made
  }

  show(state, buttons, opts = {}) {
    const focused = this.box.contains(document.activeElement) ? document.activeElement : undefined
    this.row.hidden = false
    this.state.textContent = state
    this.row.classList.toggle('failed', opts.failed === true)
    this.progress.hidden = opts.progress !== true
    for (const button of [this.again, this.cancel, this.replace, this.remove]) button.hidden = !buttons.includes(button)
    // the input stays for the keyboard only while there is nothing to replace
    this.drop.hidden = !opts.failed || this.file !== undefined
    // what had the focus may be gone
    if (focused?.closest('[hidden]')) this.row.focus()
  }

  kept() {
    return { ticket: this.ticket.value, filename: this.filename.textContent, at: this.at }
  }

  showKept({ ticket, filename, at }) {
    this.ticket.value = ticket
    this.filename.textContent = filename
    this.at = at
    this.isText = filename === this.pastedName
    this.show(this.application.texts.uploaded, [this.replace, this.remove])
  }

  showReading(text) {
    if (!this.row.hidden) this.state.textContent = text || this.application.texts.uploaded
  }

  clear() {
    this.stop()
    this.file = undefined
    this.ticket.value = ''
    this.input.value = ''
    this.input.disabled = false
    this.row.hidden = true
    this.drop.hidden = false
  }

  /** Nothing that is on its way has an effect from now on. */
  stop() {
    this.run++
    this.isRunning = false
    this.request?.abort()
  }

  abort() {
    this.clear()
    this.application.say(this.application.texts.canceled)
    this.input.focus()
  }

  fault(message) {
    this.show(message, [...(this.file ? [this.again] : []), this.remove], { failed: true })
    this.application.say(message)
  }

  choose(file) {
    const { texts, form } = this.application
    this.stop()
    this.ticket.value = ''
    this.filename.textContent = file.name
    this.file = undefined
    const type = this.typeOf(file)
    if (!type) return this.refuse(texts.fileType)
    if (file.size === 0) return this.refuse(texts.fileEmpty)
    if (file.size > Number(form.dataset.mostBytes)) return this.refuse(texts.fileTooLarge)
    this.file = file
    this.type = type
    this.upload()
  }

  refuse(message) {
    this.input.value = ''
    this.fault(message)
    this.drop.hidden = false
  }

  typeOf({ name, type }) {
    if (this.types.includes(type)) return type
    return this.endings[name.split('.').at(-1).toLowerCase()]
  }

  /** Text goes the same way as a file. What was chosen as a file stays. */
  pasted() {
    const text = this.paste.value.trim()
    if (this.ticket.value && !this.isText) return
    this.stop()
    this.ticket.value = ''
    if (text === '') {
      if (this.isText) this.clear()
      return
    }
    this.isText = true
    if ([...text].length > Number(this.application.form.dataset.mostPasted)) {
      this.file = undefined
      this.filename.textContent = this.pastedName
      return this.refuse(this.application.texts.pastedTooLong)
    }
    this.choose(new File([text], this.pastedName, { type: 'text/plain' }))
  }

  upload() {
    this.settling = this.uploadNow()
  }

  async uploadNow() {
    const { application, file } = this
    const { texts } = application
    const run = ++this.run
    const isCurrent = () => run === this.run
    this.isText = file.name === this.pastedName
    this.isRunning = true
    this.progress.value = 0
    this.show(application.text('uploading', { percent: 0 }), [this.cancel], { progress: true })
    application.say(application.text('uploading', { percent: 0 }))
    for (let attempt = 0; isCurrent(); attempt++) {
      try {
        const reserved = await this.reserve(file)
        if (!isCurrent()) return
        await this.put(reserved, file, isCurrent)
        if (!isCurrent()) return
        this.isRunning = false
        this.input.value = ''
        this.showKept({ ticket: reserved.ticket, filename: file.name, at: Date.now() })
        application.say(texts.uploaded)
        application.save()
        if (this.isResume) {
          this.state.textContent = `${texts.uploaded}. ${texts.reading}`
          application.read(reserved.ticket)
        }
        return
      } catch (error) {
        if (!isCurrent()) return
        if (error.forPerson || attempt >= RETRY_MS.length) {
          this.isRunning = false
          this.fault(error.forPerson ? error.message : texts.uploadFailed)
          return
        }
        await this.pause(RETRY_MS[attempt])
      }
    }
  }

  async reserve(file) {
    const head = await headOf(file)
    const body = { field: this.name, content_type: this.type, size_bytes: file.size, filename: file.name, head }
    // most often it is done before a file is chosen
    await this.application.work
    try {
      return await this.application.call(this.application.form.dataset.uploads, body)
    } catch (error) {
      if (!error.expired) throw error
      await this.application.renewToken()
      await this.application.work
      return this.application.call(this.application.form.dataset.uploads, body)
    }
  }

  /** Waits before another attempt; without a connection until there is one. */
  async pause(ms) {
    if (navigator.onLine === false) {
      this.state.textContent = this.application.texts.waiting
      await new Promise(resolve => addEventListener('online', resolve, { once: true }))
    }
    await new Promise(resolve => setTimeout(resolve, ms))
  }

  put({ url, headers }, file, isCurrent) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      this.request = request
      request.open('PUT', url)
      // the browser states the length itself
      for (const [name, value] of Object.entries(headers))
        if (!/^content-length$/i.test(name)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => {
        if (!isCurrent()) return
        const percent = Math.floor((loaded / total) * 100)
        this.progress.value = percent
        this.state.textContent = this.application.text('uploading', { percent })
      }
      request.onload = () => (request.status < 300 ? resolve() : reject(new Error(String(request.status))))
      request.onerror = () => reject(new Error('network'))
      request.onabort = () => reject(new Error('aborted'))
      request.send(file)
    })
  }

  /** Before the form is sent: the upload has ended, and is not too old to be used. A file that failed goes with the form. */
  async settled() {
    if (this.ticket.value && this.file && Date.now() - this.at > UPLOAD_MINUTES * 60_000) {
      this.ticket.value = ''
      this.upload()
    }
    await this.settling
    if (this.ticket.value || !this.file || this.input.files.length > 0 || this.isText) return
    // a file that was dropped is in no input
    const transfer = new DataTransfer()
    transfer.items.add(this.file)
    this.input.files = transfer.files
  }
}

/** How many characters are left. Read out only after a pause in typing. */
class Count {
  constructor(application, shown) {
    this.application = application
    this.shown = shown
    this.area = shown.closest('[data-question]').querySelector('textarea')
    this.spoken = element('p', { class: 'visually-hidden', role: 'status' })
    shown.after(this.spoken)
    this.area.addEventListener('input', () => {
      this.show()
      clearTimeout(this.timer)
      this.timer = setTimeout(() => {
        this.spoken.textContent = this.shown.textContent
      }, COUNT_MS)
    })
  }

  show() {
    const left = Number(this.shown.dataset.most) - [...this.area.value].length
    this.shown.textContent = this.application.text(left < 0 ? 'over' : 'left', {
      n: Math.abs(left).toLocaleString(document.documentElement.lang),
    })
    this.shown.classList.toggle('over', left < 0)
  }
}

const done = document.querySelector('[data-sent]')
if (done) clearDraft(done.dataset.sent)
begin()
