// The list of open positions on a page of another site:
//   <div id="jobs"><a href="…/careers/acme">Open positions</a></div>
//   <script src="…/careers/acme/embed.js" data-target="#jobs" defer></script>
// It replaces what is inside the target, or is added after the script. No cookies, no frame, nothing stored. Texts are set
// as texts and styles by a constructed sheet, so that the strictest policy of the page only has to name this origin in
// `script-src` and `connect-src`.
;(() => {
  const script = document.currentScript
  if (!script) return
  const options = script.dataset
  const source = new URL(script.src)
  const site = source.origin + source.pathname.replace(/\/embed\.js$/, '')
  const FILTERS = ['department', 'location', 'workplace', 'type']

  const STYLES = `
:host { display: block; color: inherit; font: inherit; color-scheme: inherit; }
h2 { font-size: 1.4em; margin: 0 0 .6em; }
form { display: flex; flex-wrap: wrap; gap: .8em; margin: 0 0 1em; }
label { display: grid; gap: .2em; font-size: .9em; }
select, input { font: inherit; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: .4em; padding: .45em .6em; min-height: 2.75em; max-width: 100%; box-sizing: border-box; }
option { color: CanvasText; background: Canvas; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
li:last-child { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
li a { display: block; padding: .9em .2em; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
li a strong { text-decoration: underline; text-underline-offset: .15em; }
li a:hover strong { text-decoration-thickness: 2px; }
li span { display: block; font-size: .9em; }
a:focus-visible, select:focus-visible, input:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; border-radius: .2em; }
p { margin: 1em 0 0; }
.more a { color: inherit; }
[hidden] { display: none; }`

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name)
    if (text !== undefined) made.textContent = text
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    return made
  }

  const valuesOf = {
    department: job => (job.department ? [job.department] : []),
    location: job => job.locations,
    workplace: job => (job.workplace ? [job.workplace] : []),
    type: job => (job.type ? [job.type] : []),
  }

  /** As the site sorts them: by department, those without one last, then by title. */
  const bySite = language => {
    const { compare } = new Intl.Collator(language)
    return (a, b) =>
      Number(!a.department) - Number(!b.department) ||
      compare(a.department ?? '', b.department ?? '') ||
      compare(a.title, b.title)
  }

  /** Without case and accents, as people type: `koln` finds Köln. */
  const folded = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const wordsOf = job => folded([job.title, job.department, ...job.locations, ...job.facts].filter(Boolean).join(' '))

  const isWeb = url => /^https?:\/\//.test(url)

  function render(list) {
    const { texts } = list
    const host = element('div', undefined, { lang: list.language })
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
    const section = element('section', undefined, { 'aria-label': texts.jobs })
    if (options.heading !== undefined) section.append(element('h2', options.heading || texts.jobs))

    const rows = element('ul', undefined, { role: 'list' })
    const none = element('p', list.jobs.length === 0 ? texts.none : texts.noneFound, { role: 'status' })
    // attributes such as data-department="Sales" show a part of the list
    const fixed = FILTERS.filter(name => options[name])
    const offered = list.jobs
      .filter(job => fixed.every(name => valuesOf[name](job).includes(options[name])))
      .sort(bySite(list.language))
    const most = Number(options.limit) > 0 ? Number(options.limit) : Number.POSITIVE_INFINITY
    const chosen = {}
    let searched = []

    const show = () => {
      const shown = offered.filter(
        job =>
          Object.entries(chosen).every(([name, value]) => value === '' || valuesOf[name](job).includes(value)) &&
          searched.every(word => wordsOf(job).includes(word)),
      )
      rows.replaceChildren(...shown.slice(0, most).map(row))
      rows.hidden = shown.length === 0
      none.hidden = shown.length > 0
    }
    const row = job => {
      const link = element('a', undefined, isWeb(job.url) ? { href: job.url } : {})
      if (options.newTab !== undefined) link.target = '_blank'
      link.append(element('strong', job.title, { part: 'title', ...(job.language ? { lang: job.language } : {}) }))
      const facts = [job.department, ...job.facts, job.salary].filter(Boolean).join(' · ')
      if (facts) link.append(element('span', facts, { part: 'facts' }))
      const item = element('li')
      item.append(link)
      return item
    }

    const form = element('form')
    form.addEventListener('submit', event => event.preventDefault())
    if (options.search !== undefined) {
      const label = element('label', texts.search)
      const input = element('input', undefined, { type: 'search', dir: 'auto' })
      input.addEventListener('input', () => {
        searched = folded(input.value).split(/\s+/)
        show()
      })
      label.append(input)
      form.append(label)
    }
    if (options.filters !== undefined) {
      for (const name of FILTERS.filter(filter => !fixed.includes(filter))) {
        const values = [...new Set(offered.flatMap(valuesOf[name]))].sort((a, b) => a.localeCompare(b, list.language))
        if (values.length < 2) continue
        const label = element('label', texts[name])
        const select = element('select')
        select.append(element('option', texts.any, { value: '' }))
        for (const value of values) select.append(element('option', value, { value }))
        select.addEventListener('change', () => {
          chosen[name] = select.value
          show()
        })
        label.append(select)
        form.append(label)
      }
    }
    if (form.childElementCount > 0) section.append(form)
    show()
    section.append(rows, none)
    const more = element('p', undefined, { class: 'more' })
    const all = element('a', texts.all, isWeb(list.url) ? { href: list.url } : {})
    all.setAttribute('part', 'all')
    if (options.newTab !== undefined) all.target = '_blank'
    more.append(all)
    section.append(more)
    root.append(section)
    return host
  }

  async function start() {
    const target = options.target ? document.querySelector(options.target) : null
    const query = options.lang ? `?lang=${encodeURIComponent(options.lang)}` : ''
    const response = await fetch(`${site}/jobs.json${query}`, { credentials: 'omit', referrerPolicy: 'no-referrer' })
    if (!response.ok) return
    const host = render(await response.json())
    if (target) target.replaceChildren(host)
    else script.after(host)
  }

  // what is inside the target, such as a link to the site, stays if the list cannot be read
  const begin = () => start().catch(() => {})
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
  else begin()
})()
