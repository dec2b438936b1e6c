import { useEffect, useRef, useState } from 'preact/hooks'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Files that are dropped anywhere on the page, while this is drawn and no dialog is open; whether some are over it now.
 * Without it the browser would leave the page and show the file.
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const isMine = (event: DragEvent) => hasFiles(event) && document.querySelector('dialog[open]') === null
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (isMine(event)) setOver(true)
    }
    const leave = (event: DragEvent) => {
      // into an element of the page it goes on
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (isMine(event) && files.length > 0) latest.current(files)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
