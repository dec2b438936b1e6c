import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { createCanvas, GlobalFonts, type Image, loadImage, type SKRSContext2D } from '@napi-rs/canvas'

/**
 * Draws the pictures of link previews, in a thread of its own: drawing and compressing one takes tens of milliseconds.
 * Texts are drawn in Noto Sans, which comes with the service. What it has no signs for is left out, so that no one sees
 * empty boxes: then the picture is made of the rest.
 */
export interface PreviewPicture {
  /** large */
  title: string
  company: string
  /** small, at the bottom */
  line: string
  /** `#rrggbb` */
  accent: string
  /** PNG, JPEG or WebP */
  logo?: Uint8Array | undefined
}

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const TEXT_WIDTH = WIDTH - 2 * MARGIN
/** a darker line at the bottom */
const EDGE = 14
const MAX_LINES = 3
const TITLE_SIZES = [84, 72, 60, 52] as const
const LOGO = { width: 420, height: 96, padding: 24 } as const

const FONT_FOLDER = dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans/package.json'))
const ranges = JSON.parse(readFileSync(join(FONT_FOLDER, 'unicode.json'), 'utf8')) as Record<string, string>
const SUBSETS = Object.keys(ranges)

for (const subset of SUBSETS) {
  for (const weight of [400, 700]) {
    GlobalFonts.registerFromPath(
      join(FONT_FOLDER, 'files', `noto-sans-${subset}-${weight}-normal.woff2`),
      `pictures-${subset}-${weight}`,
    )
  }
}

const fontOf = (size: number, weight: 400 | 700): string =>
  `${size}px ${SUBSETS.map(subset => `"pictures-${subset}-${weight}"`).join(', ')}`

/** First and last code points that the font has, from its list `U+0000-00FF,U+0131,…`. */
const covered = Object.values(ranges).flatMap(list =>
  list.split(',').map(range => {
    const [first = '', last = first] = range.replace('U+', '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
  }),
)

const isCovered = (sign: string): boolean => {
  const code = sign.codePointAt(0) ?? 0
  return covered.some(([first, last]) => code >= first && code <= last)
}

/** A text without the signs that cannot be drawn; empty where letters are among them, for the rest would be another word. */
function drawable(text: string): string {
  const signs = [...text.normalize('NFC')]
  if (signs.some(sign => /[\p{L}\p{N}]/u.test(sign) && !isCovered(sign))) return ''
  return signs
    .map(sign => (isCovered(sign) && !/\p{Cc}/u.test(sign) ? sign : ' '))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Lines of words that fit; a longer word is divided. */
function linesOf(context: SKRSContext2D, text: string, most: number): { lines: string[]; cut: boolean } {
  const lines: string[] = []
  let line = ''
  const fits = (candidate: string) => context.measureText(candidate).width <= TEXT_WIDTH
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const sign of word) {
      if (!fits(line + sign)) {
        lines.push(line)
        line = ''
      }
      line += sign
      if (lines.length > most) break
    }
    if (lines.length > most) break
  }
  if (line !== '') lines.push(line)
  return { lines: lines.slice(0, most), cut: lines.length > most }
}

function shortened(context: SKRSContext2D, text: string): string {
  let end = [...text]
  while (end.length > 0 && context.measureText(`${end.join('')}…`).width > TEXT_WIDTH) end = end.slice(0, -1)
  return `${end.join('').trimEnd()}…`
}

/** The largest size at which the title has its place, and its lines. */
function titleOf(context: SKRSContext2D, title: string): { size: number; lines: string[] } {
  for (const size of TITLE_SIZES) {
    context.font = fontOf(size, 700)
    const { lines, cut } = linesOf(context, title, MAX_LINES)
    if (!cut) return { size, lines }
    if (size === TITLE_SIZES.at(-1)) {
      return { size, lines: [...lines.slice(0, -1), shortened(context, lines.at(-1) ?? '')] }
    }
  }
  return { size: TITLE_SIZES[0], lines: [] }
}

const channels = (color: string): number[] => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

const luminance = (color: string): number => {
  const [r, g, b] = channels(color).map(value => {
    const c = value / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** White, or black where that is easier to read. */
const inkOn = (color: string): string => (1.05 / (luminance(color) + 0.05) >= 4.5 ? '#ffffff' : '#0b0e13')

/** A logo that is not a picture after all is left out. */
async function read(logo: Uint8Array | undefined): Promise<Image | undefined> {
  if (!logo) return undefined
  try {
    return await loadImage(Buffer.from(logo))
  } catch {
    return undefined
  }
}

export async function draw(picture: PreviewPicture): Promise<Buffer> {
  const canvas = createCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d')
  const ink = inkOn(picture.accent)
  context.fillStyle = picture.accent
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = 'rgba(0,0,0,0.18)'
  context.fillRect(0, HEIGHT - EDGE, WIDTH, EDGE)

  const company = drawable(picture.company)
  const title = drawable(picture.title)
  const line = drawable(picture.line)
  const logo = await read(picture.logo)
  context.fillStyle = ink
  context.textBaseline = 'alphabetic'
  if (logo && logo.width > 0 && logo.height > 0) {
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height, 4)
    const [width, height] = [logo.width * scale, logo.height * scale]
    context.fillStyle = '#ffffff'
    context.beginPath()
    context.roundRect(MARGIN, MARGIN - LOGO.padding, width + 2 * LOGO.padding, height + 2 * LOGO.padding, 16)
    context.fill()
    context.drawImage(logo, MARGIN + LOGO.padding, MARGIN, width, height)
    context.fillStyle = ink
  } else if (company !== '' && title !== '' && title !== company) {
    context.font = fontOf(40, 700)
    const fitting = context.measureText(company).width <= TEXT_WIDTH ? company : shortened(context, company)
    context.fillText(fitting, MARGIN, MARGIN + 40)
  }
  const large = title === '' ? company : title
  if (large !== '') {
    const { size, lines } = titleOf(context, large)
    context.font = fontOf(size, 700)
    const height = size * 1.2
    const bottom = HEIGHT - MARGIN - (line === '' ? 8 : 76)
    lines.forEach((text, i) => {
      context.fillText(text, MARGIN, bottom - (lines.length - 1 - i) * height)
    })
  }
  if (line !== '') {
    context.font = fontOf(36, 400)
    context.globalAlpha = 0.92
    const fitting = context.measureText(line).width <= TEXT_WIDTH ? line : shortened(context, line)
    context.fillText(fitting, MARGIN, HEIGHT - MARGIN)
    context.globalAlpha = 1
  }
  return canvas.encode('png')
}

parentPort?.on('message', async (picture: PreviewPicture) => {
  try {
    parentPort?.postMessage({ png: await draw(picture) })
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) })
  }
})
