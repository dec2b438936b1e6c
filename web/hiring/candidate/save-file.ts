/** How long a browser may take to begin the download before its address is given up. */
const RELEASE_MS = 30_000

/** Saves bytes that are here already, under a name; always as a download, whatever they contain. */
export function saveFile(bytes: ArrayBuffer, filename: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}
