// Search over the whole documentation. The service looks for the words; this shows what it found while the reader types.
const opener = document.querySelector('[data-search]')

if (opener) {
  opener.setAttribute('role', 'button')
  opener.setAttribute('aria-haspopup', 'dialog')
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search the documentation')
  dialog.innerHTML = `<div class="search-box"><input type="text" role="combobox" aria-expanded="true" aria-controls="search-results" aria-autocomplete="list" aria-label="Search" placeholder="Endpoint, field, header, error, guide…" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="200"><kbd>Esc</kbd></div><ul class="search-results" id="search-results" role="listbox" aria-label="Results"></ul><p class="search-status" role="status"></p>`
  document.body.append(dialog)
  const input = dialog.querySelector('input')
  const list = dialog.querySelector('ul')
  const status = dialog.querySelector('.search-status')
  /** responses by query, so that going back in the text is immediate */
  const cache = new Map()
  let found = []
  let chosen = 0
  /** a reader who types fast asks once, for the whole word */
  const PAUSE_MS = 120
  let pause
  /** the query that the results are of: Enter must not open one of an earlier word */
  let shownFor = ''

  const lookUp = query => {
    if (!cache.has(query)) {
      const response = fetch(`/docs/search.json?q=${encodeURIComponent(query)}`).then(got => {
        if (!got.ok) throw new Error(`status ${got.status}`)
        return got.json()
      })
      cache.set(query, response)
      response.catch(() => cache.delete(query))
    }
    return cache.get(query)
  }

  const marked = (tag, className, parts) => {
    const element = document.createElement(tag)
    element.className = className
    element.append(
      ...parts.map((text, i) => {
        if (i % 2 === 0) return text
        const mark = document.createElement('mark')
        mark.textContent = text
        return mark
      }),
    )
    return element
  }

  const show = async () => {
    const query = input.value.trim()
    if (query === '') return render([], '')
    // results of the word before stay until the new ones are there
    if (found.length === 0) status.textContent = 'Searching…'
    try {
      const { results, corrected } = await lookUp(query)
      // the reader has typed on since
      if (query !== input.value.trim()) return
      const count = results.length === 1 ? '1 result' : `${results.length} results`
      const text = results.length === 0 ? 'Nothing found.' : corrected ? `${count} for “${corrected}”` : count
      render(results, text)
    } catch {
      if (query === input.value.trim()) render([], 'The search is unavailable. Try again.')
    }
  }

  const render = (results, text) => {
    found = results
    shownFor = input.value.trim()
    list.replaceChildren(
      ...results.map((result, i) => {
        const item = document.createElement('li')
        item.id = `search-${i}`
        item.setAttribute('role', 'option')
        const where = marked('span', 'where', [[result.kind, result.where].filter(Boolean).join(' · ')])
        item.append(marked('span', 'what', result.title), where, marked('span', 'excerpt', result.excerpt))
        item.addEventListener('click', () => go(result))
        item.addEventListener('pointermove', () => choose(i))
        return item
      }),
    )
    list.hidden = results.length === 0
    status.textContent = text
    choose(0)
  }

  const choose = i => {
    chosen = i
    for (const [n, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(n === i))
    if (found.length > 0) input.setAttribute('aria-activedescendant', `search-${i}`)
    else input.removeAttribute('aria-activedescendant')
    list.children[i]?.scrollIntoView({ block: 'nearest' })
  }

  const go = result => {
    dialog.close()
    location.href = result.path
  }

  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    show()
  }

  opener.addEventListener('click', event => {
    // a new tab or window gets the page of results
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    open()
  })
  opener.addEventListener('keydown', event => {
    if (event.key !== ' ') return
    event.preventDefault()
    open()
  })
  input.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(show, cache.has(input.value.trim()) ? 0 : PAUSE_MS)
  })
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter') {
      if (found[chosen] && shownFor === input.value.trim()) go(found[chosen])
      else if (input.value.trim() !== '') location.href = `/docs/search?q=${encodeURIComponent(input.value.trim())}`
    } else if (event.key === 'ArrowDown') choose(Math.min(chosen + 1, found.length - 1))
    else if (event.key === 'ArrowUp') choose(Math.max(chosen - 1, 0))
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close()
  })
  addEventListener('keydown', event => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    const isSlash = event.key === '/' && !typing && !event.metaKey && !event.ctrlKey
    const isShortcut = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    if (!(isSlash || isShortcut) || event.altKey) return
    event.preventDefault()
    open()
  })
}
