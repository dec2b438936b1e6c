import { useEffect, useRef } from 'preact/hooks'
import { useShortcuts } from '../ui/keys.ts'
import { KEYS } from './key-table.ts'

/** Ctrl or ⌘ and S, also while a text is typed. The browser's own dialog would save the page as a file. */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useShortcuts([{ keys: KEYS.save, title: 'Save', run: save }])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
