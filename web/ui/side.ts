import { useLayoutEffect, useState } from 'preact/hooks'

/** In the storage of the browser, for the console and the hiring pages. */
const KEY = 'side'
const CLASS = 'side-narrow'

const root = document.documentElement

function isStoredNarrow(): boolean {
  try {
    return localStorage.getItem(KEY) === 'narrow'
  } catch {
    // storage is disabled
    return false
  }
}

// before anything is drawn: the page does not move when it is there
root.classList.toggle(CLASS, isStoredNarrow())

const listeners = new Set<(isNarrow: boolean) => void>()

/** Shows the navigation as icons alone, or with its words again. */
export function toggleSide(): void {
  const isNarrow = root.classList.toggle(CLASS)
  try {
    localStorage.setItem(KEY, isNarrow ? 'narrow' : 'wide')
  } catch {
    // the choice lasts as long as the page
  }
  for (const listener of listeners) listener(isNarrow)
}

export function useNarrowSide(): boolean {
  const [isNarrow, setNarrow] = useState(root.classList.contains(CLASS))
  useLayoutEffect(() => {
    listeners.add(setNarrow)
    return () => void listeners.delete(setNarrow)
  }, [])
  return isNarrow
}
