/** The choice is stored where the other pages of the service read it (theme.js). */
export function ThemeButton() {
  const toggle = () => {
    const root = document.documentElement
    const dark = root.dataset['theme']
      ? root.dataset['theme'] === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset['theme'] = dark ? 'light' : 'dark'
    try {
      localStorage.setItem('theme', root.dataset['theme'])
    } catch {
      // storage is disabled: the choice lasts as long as the page
    }
  }
  return (
    <button type="button" class="icon-button" aria-label="Switch between light and dark" onClick={toggle}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path d="M10 3a7 7 0 1 0 0 14z" fill="currentColor" />
        <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
      </svg>
    </button>
  )
}
