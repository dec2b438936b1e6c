/** Reads what people want to see of an email that compose.ts wrote. It does not read mail of strangers. */
export interface ReadMail {
  from: string
  to: string
  subject: string
  text: string
  html: string | null
  raw: Buffer
}

export function readMail(raw: Buffer): ReadMail {
  const whole = parsePart(raw.toString('latin1'))
  const parts = partsIn(whole)
  const find = (type: string) => parts.find(part => part.header('content-type').startsWith(type))
  return {
    from: decodeWords(whole.header('from')),
    to: decodeWords(whole.header('to')),
    subject: decodeWords(whole.header('subject')),
    text: content(find('text/plain')) ?? '',
    html: content(find('text/html')),
    raw,
  }
}

/** The parts that are not made of others: an invitation has its texts one level deeper than other emails. */
function partsIn(part: Part): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(part.header('content-type'))?.[1]
  if (boundary === undefined) return [part]
  return part.body.split(`--${boundary}`).slice(1, -1).map(parsePart).flatMap(partsIn)
}

interface Part {
  header: (name: string) => string
  body: string
}

function parsePart(text: string): Part {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const header = (name: string) => {
    const line = lines.find(candidate => candidate.toLowerCase().startsWith(`${name}:`)) ?? ''
    return Buffer.from(line.slice(name.length + 1).trim(), 'latin1').toString()
  }
  return { header, body: text.slice(end + 4) }
}

/** Quoted-printable, the one encoding that compose.ts chooses; the last line break belongs to the frame. */
function content(part: Part | undefined): string | null {
  if (!part) return null
  const bytes = part.body
    .replace(/\r\n$/, '')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString().replace(/\r\n/g, '\n')
}

/** RFC 2047; the space between two encoded words is not part of the text. */
function decodeWords(value: string): string {
  return value.replace(/\?=\s+=\?/g, '?==?').replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, words => {
    const bytes = [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind = '', text = '']) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(
            text
              .replace(/_/g, ' ')
              .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ),
    )
    return Buffer.concat(bytes).toString()
  })
}
