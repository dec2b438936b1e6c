/**
 * Draws the PDF of a stranger. The document is sandboxed without an origin: it has no cookie, no storage and no network
 * (its policy allows no connection), and is given the bytes by its parent. pdf.js runs in this document; a worker could not
 * be loaded without an origin. Links, forms and scripts of the PDF are not drawn.
 */
import { getDocument, type PDFPageProxy, TextLayer } from 'pdfjs-dist/build/pdf.min.mjs'
import 'pdfjs-dist/build/pdf.worker.min.mjs'
import type { DataMessage, FileMessage, FrameMessage, ZoomMessage } from './messages.ts'
import './viewer.css'

/** A résumé has a few pages. Of a book, the beginning is enough. */
const MAX_PAGES = 30
/** Sharper than this is not visible, and costs memory. */
const MAX_PIXEL_RATIO = 2
/** Browsers refuse larger canvases, and a page can be as long as its author likes. */
const MAX_CANVAS_SIDE = 8_192
/** Pixels of a picture in the file; a larger one is left out. */
const MAX_IMAGE_PIXELS = 50_000_000
const RESIZE_PAUSE_MS = 150
/** In pixels: a page of paper that is narrower cannot be read. On a phone it is scrolled to the side. */
const LEGIBLE_WIDTH = 600
const ZOOM_STEP = 1.25
/** Keys of the candidate's page that work while the focus is in here. */
const KEYS = ['j', 'k', 'r']

const post = (message: FrameMessage) => parent.postMessage(message, '*')
const pages = document.getElementById('pages')!

/** Fonts that PDFs need not contain, and character maps of East Asian ones: their addresses, by file name. */
const DATA_URLS = new Map(
  Object.entries(
    import.meta.glob('../../../node_modules/pdfjs-dist/{standard_fonts/*.{pfb,ttf},cmaps/*.bcmap}', {
      query: '?url',
      import: 'default',
      eager: true,
    }),
  ).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
)

const waiting = new Map<number, (bytes: ArrayBuffer | null) => void>()

/** What pdf.js would fetch comes from the parent: this document has no connection. */
class DataFromParent {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = DATA_URLS.get(filename)
    const bytes =
      url === undefined
        ? null
        : await new Promise<ArrayBuffer | null>(resolve => {
            waiting.set(waiting.size, resolve)
            post({ type: 'need', id: waiting.size - 1, url })
          })
    if (!bytes) throw new Error(`no ${filename}`)
    return new Uint8Array(bytes)
  }
}

addEventListener('message', event => {
  const message = event.data as FileMessage | DataMessage | ZoomMessage
  if (event.source !== parent) return
  if (message.type === 'zoom') return zoom(message.steps)
  if (message.type === 'data') return waiting.get(message.id)?.(message.bytes)
  if (message.type !== 'file') return
  if (message.theme) document.documentElement.dataset['theme'] = message.theme
  show(message.bytes).catch(error =>
    post({ type: 'failed', reason: error?.name === 'PasswordException' ? 'password' : 'unreadable' }),
  )
})

addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS.includes(event.key)) return
  event.preventDefault()
  post({ type: 'key', key: event.key })
})

async function show(bytes: ArrayBuffer): Promise<void> {
  const shown = await getDocument({
    data: bytes,
    BinaryDataFactory: DataFromParent,
    // the same look on every machine
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    enableXfa: false,
    verbosity: 0,
  }).promise
  const count = Math.min(shown.numPages, MAX_PAGES)
  const drawn = await Promise.all(Array.from({ length: count }, (_, i) => shown.getPage(i + 1)))
  redraw = () => layOut(drawn)
  redraw()
  post({ type: 'shown', pages: count, total: shown.numPages })
  let pause: ReturnType<typeof setTimeout> | undefined
  let width = pages.clientWidth
  new ResizeObserver(() => {
    if (pages.clientWidth === width) return
    width = pages.clientWidth
    clearTimeout(pause)
    pause = setTimeout(redraw, RESIZE_PAUSE_MS)
  }).observe(pages)
}

let zoomed = 1
let redraw: () => void = () => {}

/** What was in the middle of the view stays there. */
function zoom(steps: number): void {
  const wanted = ZOOM_STEP ** steps
  if (wanted === zoomed) return
  zoomed = wanted
  const { scrollHeight, clientHeight } = document.documentElement
  const middle = (scrollY + clientHeight / 2) / scrollHeight
  redraw()
  scrollTo(scrollX, middle * document.documentElement.scrollHeight - clientHeight / 2)
}

let observer: IntersectionObserver | undefined

/** Each page as wide as the frame, if that can be read; drawn when it comes near. */
function layOut(drawn: readonly PDFPageProxy[]): void {
  observer?.disconnect()
  observer = new IntersectionObserver(
    (entries, self) => {
      for (const { isIntersecting, target } of entries) {
        const page = drawn[Number((target as HTMLElement).dataset['index'])]
        if (!isIntersecting || !page) continue
        self.unobserve(target)
        draw(page, target as HTMLElement).catch(() => target.classList.add('broken'))
      }
    },
    { rootMargin: '400px' },
  )
  const width = Math.max(pages.clientWidth, LEGIBLE_WIDTH) * zoomed
  const boxes = drawn.map((page, index) => {
    const box = document.createElement('section')
    box.className = 'page'
    box.dataset['index'] = String(index)
    box.setAttribute('aria-label', `Page ${index + 1} of ${drawn.length}`)
    const { width: full, height } = page.getViewport({ scale: 1 })
    box.style.width = `${width}px`
    box.style.height = `${(width * height) / full}px`
    return box
  })
  pages.replaceChildren(...boxes)
  for (const box of boxes) observer.observe(box)
}

async function draw(page: PDFPageProxy, box: HTMLElement): Promise<void> {
  const scale = box.clientWidth / page.getViewport({ scale: 1 }).width
  const ratio = Math.min(devicePixelRatio, MAX_PIXEL_RATIO, MAX_CANVAS_SIDE / box.clientHeight)
  const viewport = page.getViewport({ scale: scale * ratio })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  canvas.setAttribute('aria-hidden', 'true')
  const text = document.createElement('div')
  text.className = 'text'
  box.style.setProperty('--total-scale-factor', String(scale))
  box.append(canvas, text)
  await page.render({ canvas, viewport }).promise
  const layer = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: text,
    viewport: page.getViewport({ scale }),
  })
  await layer.render()
  box.classList.add('drawn')
}

post({ type: 'ready' })
