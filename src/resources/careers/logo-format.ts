export const LOGO_LIMITS = { bytes: 512 * 1024, pixels: 2_000 } as const

export interface LogoFormat {
  mime: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

/**
 * Type and size of a picture from its structure. Nothing is decoded, so the size must be the one that every decoder
 * finds: a file that has a second size, or bytes that decoders skip in different ways, is not a picture. Undefined for
 * everything else, such as SVG.
 */
export function readPicture(file: Buffer): LogoFormat | undefined {
  return pngOf(file) ?? webpOf(file) ?? jpegOf(file)
}

/** Why a file cannot be a logo, as the end of a sentence about it. */
export function logoFault(file: Buffer): string | undefined {
  if (file.length > LOGO_LIMITS.bytes) return `must be at most ${LOGO_LIMITS.bytes / 1024} KB`
  const picture = readPicture(file)
  if (!picture) return 'must be a PNG, JPEG or WebP picture'
  const { width, height } = picture
  if (width === 0 || height === 0) return 'has no pixels'
  if (Math.max(width, height) > LOGO_LIMITS.pixels)
    return `is ${width} × ${height} pixels; at most ${LOGO_LIMITS.pixels} × ${LOGO_LIMITS.pixels} are allowed`
  return undefined
}

/** On screens with two pixels for each point, a logo is shown this high. */
const SHARP_HEIGHT = 72
/** What Google shows with a job: pixels of each side at least, and width to height. */
const GOOGLE = { side: 112, narrowest: 0.75, widest: 2.5 } as const

/** What people should know about a logo that is accepted. */
export function logoNotes({ width, height }: Pick<LogoFormat, 'width' | 'height'>): string[] {
  const size = `${width} × ${height} pixels`
  const isForGoogle =
    Math.min(width, height) >= GOOGLE.side && width / height >= GOOGLE.narrowest && width / height <= GOOGLE.widest
  return [
    ...(height < SHARP_HEIGHT
      ? [
          `The logo has ${size}. It looks blurred on most screens: use one that is at least ${SHARP_HEIGHT} pixels high.`,
        ]
      : []),
    ...(isForGoogle
      ? []
      : [
          `Google does not show a logo of ${size} in its job search. It wants at least ${GOOGLE.side} × ${GOOGLE.side} pixels, and a width between ${GOOGLE.narrowest} and ${GOOGLE.widest} times the height.`,
        ]),
  ]
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') // signature, and the chunk that must come first

/** Chunks after the first: another head, or a frame of an animation that is larger than the picture, is refused. */
function pngOf(file: Buffer): LogoFormat | undefined {
  if (file.length < 33 || !file.subarray(0, PNG.length).equals(PNG)) return undefined
  const picture = { mime: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) } as const
  // each step goes at least twelve bytes further; what follows the end is not read by decoders
  for (let at = 33; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const kind = file.toString('latin1', at + 4, at + 8)
    if (kind === 'IEND') return picture
    if (kind === 'IHDR') return undefined
    if (kind === 'fcTL') {
      if (at + 28 > file.length) return undefined
      const [width, height, x, y] = [12, 16, 20, 24].map(from => file.readUInt32BE(at + from)) as Four
      if (x + width > picture.width || y + height > picture.height) return undefined
    }
  }
  return undefined
}

type Four = [number, number, number, number]

interface Size {
  width: number
  height: number
}

/** The size that the data of a chunk says; undefined for chunks that have none, which is wrong for those of pictures. */
function webpSize(kind: string, data: Buffer): Size | undefined {
  if (kind === 'VP8X' && data.length >= 10)
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (kind === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  return undefined
}

/** The first chunk has the size. No other may have a larger one, also none of the frames of an animation. */
function webpOf(file: Buffer): LogoFormat | undefined {
  if (file.length < 30 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  let picture: LogoFormat | undefined
  for (const { kind, data } of chunksOf(file.subarray(12))) {
    const inside = kind === 'ANMF' ? [...chunksOf(data.subarray(16))] : [{ kind, data }]
    for (const part of inside) {
      if (!['VP8X', 'VP8L', 'VP8 '].includes(part.kind)) continue
      const size = webpSize(part.kind, part.data)
      if (!size || (picture && part.kind === 'VP8X')) return undefined
      picture ??= { mime: 'image/webp', ...size }
      if (size.width > picture.width || size.height > picture.height) return undefined
    }
    // it is that of the first chunk, or of none
    if (!picture) return undefined
  }
  return picture
}

function* chunksOf(bytes: Buffer): Generator<{ kind: string; data: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    yield { kind: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) }
    at += 8 + length + (length % 2)
  }
}

/** Start of a frame: the segments that hold the size. C4, C8 and CC are tables in the same range. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const SCAN = 0xda
const END = 0xd9

/** Through all segments to the end: there is one frame. A marker may have any number of FF before it. */
function jpegOf(file: Buffer): LogoFormat | undefined {
  if (file.length < 4 || file.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  let picture: LogoFormat | undefined
  for (let at = 2; at + 2 <= file.length; ) {
    // between segments is nothing: decoders look for the next marker in different ways
    if (file[at] !== 0xff) return undefined
    while (file[at + 1] === 0xff) at++
    const marker = file[at + 1]
    if (marker === END) return picture
    // those below have no length, and those of a picture in several sizes are not understood by browsers either
    if (marker === undefined || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || marker === 0xde) return undefined
    if (at + 4 > file.length) return undefined
    const length = file.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (isFrame(marker)) {
      if (picture || length < 8 || at + 9 > file.length) return undefined
      picture = { mime: 'image/jpeg', height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
    }
    at += 2 + length
    if (marker === SCAN) {
      // the picture's data begins, and no size came before it
      if (!picture) return undefined
      at = afterScan(file, at)
    }
  }
  // cut off: browsers show what is there
  return picture
}

/** Where the next marker is: in the data FF is followed by 00, or by a mark from which decoding can start again. */
function afterScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]
    if (next !== 0 && next !== 0xff && !(next !== undefined && next >= 0xd0 && next <= 0xd7)) return at
  }
  return file.length
}
