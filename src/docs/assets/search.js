// Search over endpoints, guides, errors, events and scopes. The index is loaded on the first search.
const button = document.querySelector('[data-search]')

if (button) {
  button.hidden = false
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search the documentation')
  dialog.innerHTML = `<div class="search-box"><input type="text" role="combobox" aria-expanded="true" aria-controls="search-results" aria-label="Search" placeholder="Endpoint, error, event, guide…" autocomplete="off" spellcheck="false"><kbd>Esc</kbd></div><ul class="search-results" id="search-results" role="listbox" aria-label="Results"></ul><p class="search-none" role="status" hidden></p>`
  document.body.append(dialog)
  const input = dialog.querySelector('input')
  const list = dialog.querySelector('ul')
  const none = dialog.querySelector('.search-none')
  let entries
  let found = []
  let chosen = 0

  const open = async () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    entries ??= fetch(button.dataset.index).then(response => response.json())
    await entries
    show()
  }

  // Every word must occur; words in the title count more than words in the text.
  const score = (entry, words) => {
    let sum = 0
    for (const word of words) {
      const title = entry.title.toLowerCase()
      const at = title.indexOf(word)
      if (at === 0 || title === word) sum += 12
      else if (at > 0) sum += /[a-z0-9]/.test(title[at - 1]) ? 5 : 8
      else if (entry.text.toLowerCase().includes(word)) sum += 1
      else return 0
    }
    return sum - entry.title.length / 100
  }

  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const all = await entries
    found = words.length
      ? all
          .map(entry => ({ entry, score: score(entry, words) }))
          .filter(row => row.score > 0)
          .sort((a, b) => b.score - a.score)
          .slice(0, 12)
          .map(row => row.entry)
      : all.filter(entry => entry.kind === 'Guide')
    chosen = 0
    list.replaceChildren(
      ...found.map((entry, i) => {
        const item = document.createElement('li')
        item.id = `search-${i}`
        item.setAttribute('role', 'option')
        const what = document.createElement('span')
        what.className = 'what'
        what.textContent = entry.title
        const where = document.createElement('span')
        where.className = 'where'
        where.textContent = `${entry.kind} · ${entry.text.slice(0, 90)}`
        item.append(what, where)
        item.addEventListener('click', () => go(entry))
        item.addEventListener('pointermove', () => choose(i))
        return item
      }),
    )
    none.hidden = found.length > 0
    none.textContent = found.length > 0 ? '' : 'Nothing found.'
    choose(0)
  }

  const choose = i => {
    chosen = i
    for (const [n, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(n === i))
    input.setAttribute('aria-activedescendant', found.length > 0 ? `search-${i}` : '')
    list.children[i]?.scrollIntoView({ block: 'nearest' })
  }

  const go = entry => {
    dialog.close()
    location.href = entry.path
  }

  button.addEventListener('click', open)
  input.addEventListener('input', show)
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter' && found[chosen]) go(found[chosen])
    else if (event.key === 'ArrowDown') choose(Math.min(chosen + 1, found.length - 1))
    else if (event.key === 'ArrowUp') choose(Math.max(chosen - 1, 0))
    else return
    event.preventDefault()
  })
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close()
  })
  addEventListener('keydown', event => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    const asked = (event.key === '/' && !typing) || (event.key === 'k' && (event.metaKey || event.ctrlKey))
    if (!asked || event.altKey) return
    event.preventDefault()
    open()
  })
}
