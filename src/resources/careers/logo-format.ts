export const LOGO_LIMITS = { bytes: 512 * 1024, pixels: 2_000 } as const

interface Picture {
  mime: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

/**
 * Type and size of a picture from its first bytes. Nothing is decoded: the service never holds the pixels of a logo,
 * whatever the rest of the file is. Undefined for everything else, such as SVG.
 */
export function pictureOf(file: Buffer): Picture | undefined {
  return pngOf(file) ?? webpOf(file) ?? jpegOf(file)
}

/** Why a file cannot be a logo, as the end of a sentence about it. */
export function logoFault(file: Buffer): string | undefined {
  if (file.length > LOGO_LIMITS.bytes) return `must be at most ${LOGO_LIMITS.bytes / 1024} KB`
  const picture = pictureOf(file)
  if (!picture) return 'must be a PNG, JPEG or WebP picture'
  const { width, height } = picture
  if (width === 0 || height === 0) return 'has no pixels'
  if (Math.max(width, height) > LOGO_LIMITS.pixels)
    return `is ${width} × ${height} pixels; at most ${LOGO_LIMITS.pixels} × ${LOGO_LIMITS.pixels} are allowed`
  return undefined
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') // signature, and the chunk that must come first

const pngOf = (file: Buffer): Picture | undefined =>
  file.length >= 33 && file.subarray(0, PNG.length).equals(PNG)
    ? { mime: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
    : undefined

function webpOf(file: Buffer): Picture | undefined {
  if (file.length < 30 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const size = (width: number, height: number): Picture => ({ mime: 'image/webp', width, height })
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8X':
      return size(file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1)
    case 'VP8L': {
      const bits = file.readUInt32LE(21)
      return file[20] === 0x2f ? size((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1) : undefined
    }
    case 'VP8 ':
      return file.readUIntBE(23, 3) === 0x9d012a
        ? size(file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff)
        : undefined
    default:
      return undefined
  }
}

/** Start of a frame: the segments that hold the size. C4, C8 and CC are tables in the same range. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegOf(file: Buffer): Picture | undefined {
  if (file.length < 4 || file.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  // each step goes at least four bytes further, through a file of bounded size
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1]!
    if (isFrame(marker))
      return { mime: 'image/jpeg', height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
    // the picture's data begins, and no size came before it
    if (marker === 0xda || marker === 0xd9) return undefined
    const length = file.readUInt16BE(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}
