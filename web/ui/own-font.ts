const FAMILY = '"Inter Variable"'
const KEY = 'font'

/**
 * The pages are drawn in our font where this browser has fetched it, else in the one of the system: it is no part of the
 * first load, and a page that is drawn does not change its font. It is fetched when the reader begins to work.
 */
export function drawInOwnFont(): void {
  if (wasFetched()) document.documentElement.classList.add('own-font')
  else for (const type of ['pointerdown', 'keydown']) addEventListener(type, fetchOnce)
}

function fetchOnce(): void {
  for (const type of ['pointerdown', 'keydown']) removeEventListener(type, fetchOnce)
  document.fonts.load(`13px ${FAMILY}`).then(store, () => {})
}

// a browser may refuse its storage: then the font of the system is drawn
function wasFetched(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

function store(): void {
  try {
    localStorage.setItem(KEY, 'fetched')
  } catch {}
}
