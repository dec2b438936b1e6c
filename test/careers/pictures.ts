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

/** Head of a JPEG: a comment, then a frame of this size. */
export function jpeg(width: number, height: number): Buffer {
  const comment = Buffer.from('fffe000a', 'hex')
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    comment,
    Buffer.from('drawn by'),
    frame,
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
