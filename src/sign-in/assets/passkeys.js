// Forms with `data-passkey`: the button asks the browser for a passkey, and then sends what it signed with the form.
// Without WebAuthn the forms stay hidden; everything else on the page works without scripts.
;(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return

  const toBytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0))
  const toText = buffer =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=+$/, '')
  const withBytes = list => (list ?? []).map(one => ({ ...one, id: toBytes(one.id) }))

  async function ask(options, create) {
    const publicKey = {
      ...options,
      challenge: toBytes(options.challenge),
      ...(create
        ? {
            user: { ...options.user, id: toBytes(options.user.id) },
            excludeCredentials: withBytes(options.excludeCredentials),
          }
        : { allowCredentials: withBytes(options.allowCredentials) }),
    }
    const made = await (create ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }))
    const { response } = made
    const parts = create
      ? { attestationObject: toText(response.attestationObject), transports: response.getTransports?.() ?? [] }
      : {
          authenticatorData: toText(response.authenticatorData),
          signature: toText(response.signature),
          ...(response.userHandle ? { userHandle: toText(response.userHandle) } : {}),
        }
    return JSON.stringify({
      id: made.id,
      rawId: toText(made.rawId),
      type: made.type,
      authenticatorAttachment: made.authenticatorAttachment ?? undefined,
      clientExtensionResults: made.getClientExtensionResults(),
      response: { clientDataJSON: toText(response.clientDataJSON), ...parts },
    })
  }

  const WORDS = {
    NotAllowedError:
      'No passkey was used: the request was canceled, timed out, or there is none for this account here.',
    InvalidStateError: 'This device has a passkey for this account already.',
    NotSupportedError: 'This device cannot make a passkey that this service accepts.',
    SecurityError: 'Passkeys work only at the address of this service.',
  }

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false
    const note = form.querySelector('[data-note]')
    const button = form.querySelector('button')
    const say = text => {
      note.textContent = text
      note.hidden = text === ''
    }
    form.addEventListener('submit', async event => {
      event.preventDefault()
      say('')
      button.disabled = true
      try {
        const body = new URLSearchParams(new FormData(form))
        body.delete('credential')
        const response = await fetch(form.dataset.options, { method: 'POST', body })
        const options = await response.json().catch(() => ({}))
        if (!response.ok) throw new Error(options.message ?? 'This did not work. Reload the page and try again.')
        form.elements.credential.value = await ask(options, form.dataset.passkey === 'create')
        form.submit()
      } catch (error) {
        say(WORDS[error.name] ?? error.message)
        button.disabled = false
        button.focus()
      }
    })
  }
})()
