import { crc32, deflateSync } from 'node:zlib'

/** Small files of each kind, and what pretends to be one. */
const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A PNG of one gray, `rows` of it really there. */
export function png(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8 // bits; color type 0 is gray
  const pixels = deflateSync(Buffer.alloc(rows * (width + 1), 0), { level: 9 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

export const onePixel = png(1, 1)

/** A PNG with a second head, or with a frame of an animation, of another size. */
export function pngWith(kind: 'IHDR' | 'fcTL', width: number, height: number): Buffer {
  const data = Buffer.alloc(kind === 'IHDR' ? 13 : 26)
  const from = kind === 'IHDR' ? 0 : 4
  data.writeUInt32BE(width, from)
  data.writeUInt32BE(height, from + 4)
  if (kind === 'IHDR') data[8] = 8
  const file = png(16, 16)
  return Buffer.concat([file.subarray(0, 33), chunk(kind, data), file.subarray(33)])
}

const jpegFrame = (width: number, height: number): Buffer => {
  const frame = Buffer.from('ffc00011080000000003012200021101031101', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return frame
}

const SCAN = Buffer.from('ffda000c03010002110311003f00', 'hex')

/** JPEGs with a frame of 16 × 16 that some readers see, and one of this size that decoders see. */
export function jpegsWithTwo(width: number, height: number): Record<string, Buffer> {
  const [small, large] = [jpegFrame(16, 16), jpegFrame(width, height)]
  const join = (...parts: readonly (Buffer | string)[]) =>
    Buffer.concat(['ffd8', ...parts, 'ffd9'].map(part => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
  // FF FF C0 00: read as a marker FF of the length C000, what follows it is in the comment
  const text = Buffer.concat([Buffer.alloc(0xc004 - 26), small, SCAN])
  const comment = Buffer.from('fffe0000', 'hex')
  comment.writeUInt16BE(2 + text.length, 2)
  return {
    'fill bytes before a marker': join('ff', large, comment, text, SCAN),
    'two frames': join(small, large, SCAN),
    'a frame after the data': join(small, SCAN, '00ff00ffd0', large, SCAN),
    'bytes between segments': join('fffe0002', '0000', large, SCAN),
    'a hierarchy of frames': join('ffde0011080010001003012200021101031101', small, SCAN),
  }
}

/** Head of a JPEG: a comment, then a frame of this size. */
export function jpeg(width: number, height: number): Buffer {
  const comment = Buffer.from('fffe000a', 'hex')
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    comment,
    Buffer.from('drawn by'),
    jpegFrame(width, height),
    Buffer.from('ffd9', 'hex'),
  ])
}

function riff(kind: string, data: Buffer): Buffer {
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(12 + data.length, 4)
  head.write(`WEBP${kind}`, 8, 'latin1')
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data])
}

export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const data = Buffer.alloc(20)
  if (kind === 'VP8X') {
    data.writeUIntLE(width - 1, 4, 3)
    data.writeUIntLE(height - 1, 7, 3)
  } else if (kind === 'VP8L') {
    data[0] = 0x2f
    data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  } else {
    data.writeUIntBE(0x9d012a, 3, 3)
    data.writeUInt16LE(width, 6)
    data.writeUInt16LE(height, 8)
  }
  return riff(kind, data)
}

/** A canvas of 16 × 16 with a picture, or with a frame of an animation, of this size. */
export function webpWith(where: 'picture' | 'frame', width: number, height: number): Buffer {
  const canvas = webp('VP8X', 16, 16)
  const inner = webp('VP8L', width, height).subarray(12)
  if (where === 'picture') return Buffer.concat([canvas, inner])
  const head = Buffer.alloc(24)
  head.write('ANMF', 0, 'latin1')
  head.writeUInt32LE(16 + inner.length, 4)
  return Buffer.concat([canvas, head, inner])
}
