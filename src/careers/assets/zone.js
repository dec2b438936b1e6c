/** Shows the times of the page in the time zone of the browser, unless the reader has chosen one in the menu. */
const form = document.querySelector('form[data-zone]')
const menu = form?.elements.namedItem('zone')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
if (menu) {
  menu.addEventListener('change', () => form.requestSubmit())
  const isOffered = [...menu.options].some(option => option.value === own)
  if (form.dataset.zone !== 'chosen' && isOffered && menu.value !== own) {
    const url = new URL(location.href)
    url.searchParams.set('zone', own)
    location.replace(url)
  }
}
