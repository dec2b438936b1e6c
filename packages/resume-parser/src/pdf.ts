import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type PageWord, pageText } from './layout.ts'
import { Unreadable } from './unreadable.ts'

/**
 * Text of a PDF, from Mozilla's reader (the one in Firefox: maintained, and used to hostile files).
 */
const MAX_PAGES = 30
const MAX_ITEMS = 60_000

export async function pdfText(file: Buffer): Promise<string> {
  const task = getDocument({
    data: new Uint8Array(file),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  } as Parameters<typeof getDocument>[0])
  try {
    const document = await task.promise
    const pages: string[] = []
    let items = 0
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      const page = await document.getPage(number)
      const content = await page.getTextContent()
      items += content.items.length
      if (items > MAX_ITEMS) throw new Unreadable('the document has too many text items', 'too_large')
      const words = content.items.flatMap((item): PageWord[] => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [, , , height = 0, x = 0, y = 0] = item.transform as number[]
        return [{ x, right: x + item.width, y, size: Math.abs(height) || item.height || 10, text: item.str }]
      })
      pages.push(pageText(words))
      page.cleanup()
    }
    return pages.join('\n')
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const { name } = error as Error
    if (name === 'PasswordException') throw new Unreadable('the document is encrypted', 'encrypted')
    throw new Unreadable('the document is damaged')
  } finally {
    await task.destroy()
  }
}
