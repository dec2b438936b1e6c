// A link into a folded part opens it.
const unfold = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true
}
addEventListener('hashchange', unfold)
unfold()

// The page that is open is in sight in the contents, also where they are longer than the window.
const contents = document.querySelector('.side-large')
const here = contents?.querySelector('[aria-current]')
if (here) contents.scrollTop = here.offsetTop - contents.clientHeight / 2
