// Shows the results while someone types or chooses. Without it the form is sent as usual.
;(() => {
  const form = document.querySelector('form[data-list]')
  if (!form) return
  const parts = ['count', 'clear', 'results']
  let running
  let waiting

  // only what was chosen: an address that can be shared
  const addressOf = () => {
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (String(value).trim() !== '') query.append(name, value)
    const text = query.toString()
    return form.getAttribute('action') + (text ? `?${text}` : '')
  }

  const show = async (address, entry) => {
    running?.abort()
    clearTimeout(waiting)
    const mine = new AbortController()
    running = mine
    const results = document.getElementById('results')
    results.setAttribute('aria-busy', 'true')
    try {
      const response = await fetch(address, { signal: mine.signal, headers: { accept: 'text/html' } })
      if (!response.ok) throw new Error(String(response.status))
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      if (!page.getElementById('results')) return location.assign(address)
      for (const id of parts) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes)
      // the numbers of the options, not the one that has the focus
      for (const select of form.querySelectorAll('select')) {
        const fresh = page.getElementById(select.id)
        if (!fresh || select === document.activeElement) continue
        const { value } = select
        select.replaceChildren(...fresh.childNodes)
        select.value = value
      }
      for (const link of document.querySelectorAll('.languages a')) {
        const fresh = page.querySelector(`.languages a[hreflang="${link.hreflang}"]`)
        if (fresh) link.href = fresh.getAttribute('href')
      }
      if (entry === 'push') history.pushState(null, '', address)
      if (entry === 'replace') history.replaceState(null, '', address)
    } catch (error) {
      if (error.name === 'AbortError') return
      document.getElementById('count').textContent = form.dataset.failed
    } finally {
      if (running === mine) results.removeAttribute('aria-busy')
    }
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    show(addressOf(), 'push')
  })
  form.addEventListener('change', event => {
    if (event.target.tagName === 'SELECT') show(addressOf(), 'push')
  })
  form.addEventListener('input', event => {
    if (event.target.type !== 'search') return
    clearTimeout(waiting)
    waiting = setTimeout(() => show(addressOf(), 'replace'), 250)
  })
  addEventListener('popstate', () => {
    const query = new URLSearchParams(location.search)
    for (const field of form.elements)
      if (field.name && field.type !== 'hidden') field.value = query.get(field.name) ?? ''
    show(location.pathname + location.search)
  })
})()
