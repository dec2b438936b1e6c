// Runs before the page is drawn, so that a chosen theme does not flash. Without a choice the system's applies.
;(() => {
  const root = document.documentElement
  const stored = () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null // storage switched off: the choice lasts as long as the page
    }
  }
  const chosen = stored()
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen

  document.addEventListener('DOMContentLoaded', () => {
    for (const button of document.querySelectorAll('[data-theme-toggle]')) {
      button.hidden = false
      button.addEventListener('click', () => {
        const dark = root.dataset.theme
          ? root.dataset.theme === 'dark'
          : matchMedia('(prefers-color-scheme: dark)').matches
        root.dataset.theme = dark ? 'light' : 'dark'
        try {
          localStorage.setItem('theme', root.dataset.theme)
        } catch {}
      })
    }
  })
})()
