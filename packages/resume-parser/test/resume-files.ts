import { crc32, deflateRawSync } from 'node:zlib'

/** Résumés made for tests: people with known details, three layouts, five file formats. */
export interface Person {
  name: string
  title: string
  company: string
  seniority: string
  years: number
  city: string | null
  country: string
  place: string
  skills: string[]
  languages: string[]
  education: string
  degree: string
  jobs: { title: string; company: string; dates: [string, string]; did: string[] }[]
}

/** `present` is November 2026. */
export const TODAY = '2026-11'

export const PEOPLE: Person[] = [
  {
    name: 'Marta Lindqvist',
    title: 'Senior Backend Engineer',
    company: 'Nordvind Systems',
    seniority: 'senior',
    years: 10.8,
    city: 'Stockholm',
    country: 'Sweden',
    place: 'Stockholm, Sweden',
    skills: ['Go', 'PostgreSQL', 'Kafka', 'Kubernetes', 'Terraform', 'gRPC'],
    languages: ['Swedish', 'English', 'German'],
    education: 'master',
    degree: 'MSc Computer Science, KTH Royal Institute of Technology, 2015',
    jobs: [
      {
        title: 'Senior Backend Engineer',
        company: 'Nordvind Systems',
        dates: ['Jan 2020', 'Present'],
        did: ['Cut the p99 of the booking service from 900 to 120 ms.', 'Led the move to event sourcing.'],
      },
      {
        title: 'Software Developer',
        company: 'Fjordbank AB',
        dates: ['Feb 2016', 'Dec 2019'],
        did: ['Built the payment reconciliation service.'],
      },
    ],
  },
  {
    name: 'Daniel Okafor',
    title: 'Product Designer',
    company: 'Brightleaf Studio',
    seniority: 'mid',
    years: 4.4,
    city: 'London',
    country: 'United Kingdom',
    place: 'London, UK',
    skills: ['Figma', 'Prototyping', 'User research', 'Design systems'],
    languages: ['English', 'French'],
    education: 'bachelor',
    degree: 'BA Graphic Communication, University of Leeds, 2021',
    jobs: [
      {
        title: 'Product Designer',
        company: 'Brightleaf Studio',
        dates: ['Sep 2023', 'Present'],
        did: ['Own the design of the checkout flow.'],
      },
      {
        title: 'Junior Designer',
        company: 'Paper & Pixel',
        dates: ['Jul 2022', 'Aug 2023'],
        did: ['Drew icon sets and landing pages.'],
      },
    ],
  },
  {
    name: 'Sofia Ramirez',
    title: 'Lead Data Scientist',
    company: 'Quantile Labs',
    seniority: 'lead',
    years: 12,
    city: 'Austin',
    country: 'United States',
    place: 'Austin, TX',
    skills: ['Python', 'PyTorch', 'SQL', 'Airflow', 'Causal inference'],
    languages: ['Spanish', 'English'],
    education: 'doctorate',
    degree: 'PhD Statistics, University of Texas, 2014',
    jobs: [
      {
        title: 'Lead Data Scientist',
        company: 'Quantile Labs',
        dates: ['Mar 2021', 'Present'],
        did: ['Built the forecasting team of six.', 'Shipped the demand model used by 40 stores.'],
      },
      {
        title: 'Data Scientist',
        company: 'Riverstone Insurance',
        dates: ['Dec 2014', 'Feb 2021'],
        did: ['Modelled claims.'],
      },
    ],
  },
  {
    name: 'Jonas Weber',
    title: 'Accountant',
    company: 'Weserkontor GmbH',
    seniority: 'senior',
    years: 9.5,
    city: 'Bremen',
    country: 'Germany',
    place: 'Bremen, Germany',
    skills: ['SAP', 'Payroll', 'Excel', 'VAT returns'],
    languages: ['German', 'English'],
    education: 'bachelor',
    degree: 'Bachelor of Business Administration, Hochschule Bremen, 2016',
    jobs: [
      {
        title: 'Accountant',
        company: 'Weserkontor GmbH',
        dates: ['May 2017', 'Oct 2026'],
        did: ['Close the books of three companies each month.'],
      },
    ],
  },
  {
    name: 'Priya Nair',
    title: 'Frontend Developer',
    company: 'Saffron Commerce',
    seniority: 'junior',
    years: 1.5,
    city: 'Bengaluru',
    country: 'India',
    place: 'Bengaluru, India',
    skills: ['TypeScript', 'React', 'CSS', 'Playwright', 'Node.js', 'C#'],
    languages: ['English', 'Hindi', 'Malayalam'],
    education: 'bachelor',
    degree: 'B.Eng. Information Technology, PES University, 2025',
    jobs: [
      {
        title: 'Frontend Developer',
        company: 'Saffron Commerce',
        dates: ['Jun 2025', 'Present'],
        did: ['Rewrote the product page.'],
      },
    ],
  },
  {
    name: 'Elena Petrova',
    title: 'Marketing Manager',
    company: 'Halcyon Travel',
    seniority: 'lead',
    years: 7.3,
    city: 'Sofia',
    country: 'Bulgaria',
    place: 'Sofia, Bulgaria',
    skills: ['SEO', 'Copywriting', 'HubSpot', 'Google Analytics', 'Budgeting'],
    languages: ['Bulgarian', 'English', 'Italian'],
    education: 'master',
    degree: 'Master of Arts in Communication, Sofia University, 2018',
    jobs: [
      {
        title: 'Marketing Manager',
        company: 'Halcyon Travel',
        dates: ['Feb 2022', 'Present'],
        did: ['Grew organic visits by 60 percent.'],
      },
      {
        title: 'Marketing Specialist',
        company: 'Blue Harbor Hotels',
        dates: ['Aug 2019', 'Jan 2022'],
        did: ['Ran the newsletter.'],
      },
    ],
  },
]

const mail = (p: Person) => `${p.name.toLowerCase().replace(/ /g, '.')}@example.org`
const PHONE = '+1 555 010 0142'
const MONTH_NUMBERS: Record<string, string> = Object.fromEntries(
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map((m, i) => [m, String(i + 1).padStart(2, '0')]),
)
const numeric = (date: string) => date.replace(/^(\w{3}) /, (_, m) => `${MONTH_NUMBERS[m]}/`)

/** A cell of two is a row of a table; `columns` are side by side below `head`. */
export interface Page {
  head: (string | [string, string])[]
  columns?: [string[], string[]]
}

export const LAYOUTS: Record<string, (p: Person) => Page> = {
  classic: p => ({
    head: [
      p.name,
      p.title,
      `${p.place} | ${mail(p)} | ${PHONE}`,
      'SUMMARY',
      'Curious and careful, with a liking for small teams.',
      'PROFESSIONAL EXPERIENCE',
      ...p.jobs.flatMap(j => [
        `${j.title}, ${j.company}`,
        `${j.dates[0]} – ${j.dates[1]}`,
        ...j.did.map(d => `• ${d}`),
      ]),
      'EDUCATION',
      p.degree,
      'SKILLS',
      p.skills.join(', '),
      'LANGUAGES',
      p.languages.map((l, i) => `${l} (${i === 0 ? 'native' : 'fluent'})`).join(', '),
    ],
  }),
  sidebar: p => ({
    head: [p.name, p.title],
    columns: [
      ['Contact', mail(p), PHONE, p.place, 'Skills', ...p.skills, 'Languages', ...p.languages.map(l => `${l} – C1`)],
      [
        'Profile',
        'Likes hard problems and clear writing.',
        'Work Experience',
        ...p.jobs.flatMap(j => [
          `${j.company} — ${j.title}`,
          `${j.dates[0]} - ${j.dates[1].toLowerCase()}`,
          ...j.did.map(d => `- ${d}`),
        ]),
        'Education',
        p.degree,
      ],
    ],
  }),
  table: p => ({
    head: [
      p.name,
      ['E-mail', mail(p)],
      ['Address', p.place],
      'Employment history',
      ...p.jobs.flatMap((j): (string | [string, string])[] => [
        [`${numeric(j.dates[0])} – ${numeric(j.dates[1]).toLowerCase()}`, `${j.title} at ${j.company}`],
        ...j.did.map((d): [string, string] => ['', `• ${d}`]),
      ]),
      'Academic background',
      p.degree,
      'Key skills',
      `Main: ${p.skills.slice(0, 2).join(', ')}`,
      `Also: ${p.skills.slice(2).join(', ')}`,
      `Languages: ${p.languages.join('; ')}`,
    ],
  }),
}

/**
 * Layouts far from the usual: everything in sentences; companies in capitals above the title, dates in brackets, lists
 * with slashes. Nothing is promised for them; the benchmark shows what comes of them.
 */
export const ROUGH_LAYOUTS: Record<string, (p: Person) => Page> = {
  prose: p => ({
    head: [
      `Curriculum vitae of ${p.name}`,
      `I live in ${p.place} and can be reached at ${mail(p)}.`,
      'What I have done',
      ...p.jobs.map(
        j => `From ${j.dates[0]} to ${j.dates[1].toLowerCase()} I was ${j.title} at ${j.company}. ${j.did[0]}`,
      ),
      'What I can do',
      `I work with ${p.skills.join(', ')} and speak ${p.languages.join(' and ')}.`,
      `I hold a degree: ${p.degree}.`,
    ],
  }),
  dense: p => ({
    head: [
      `${p.name} – ${p.place}`,
      mail(p),
      'CAREER',
      ...p.jobs.flatMap(j => [
        j.company.toUpperCase(),
        `${j.title} (${numeric(j.dates[0])}-${numeric(j.dates[1])})`,
        j.did.join(' '),
      ]),
      'STUDIES',
      p.degree,
      'TECH STACK',
      p.skills.join(' / '),
      'LANGUAGE SKILLS',
      p.languages.join(' / '),
    ],
  }),
}

export const FORMATS: Record<string, { mime: string; render: (page: Page) => Buffer }> = {
  pdf: { mime: 'application/pdf', render: toPdf },
  docx: {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    render: toDocx,
  },
  doc: { mime: 'application/msword', render: page => toDoc(flat(page).join('\r')) },
  rtf: { mime: 'application/rtf', render: toRtf },
  txt: { mime: 'text/plain', render: page => Buffer.from(flat(page).join('\n')) },
}

const flat = ({ head, columns }: Page): string[] => [
  ...head.map(row => (typeof row === 'string' ? row : row.join('\t'))),
  ...(columns?.flat() ?? []),
]

function toRtf(page: Page): Buffer {
  const escaped = (text: string) =>
    [...text]
      .map(c => {
        const code = c.charCodeAt(0)
        if (c === '\t') return '\\tab '
        if ('\\{}'.includes(c)) return `\\${c}`
        return code < 128 ? c : `\\u${code}?`
      })
      .join('')
  const body = flat(page).map(line => `\\pard\\fs22 ${escaped(line)}\\par`)
  return Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\generator Test;}{\\info{\\title Hidden}}\n${body.join('\n')}\n}`,
  )
}

export function zip(entries: Record<string, Buffer>, opts: { encrypted?: boolean } = {}): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, data] of Object.entries(entries)) {
    const packed = deflateRawSync(data)
    const fixed = Buffer.alloc(26)
    fixed.writeUInt16LE(20, 0)
    fixed.writeUInt16LE(opts.encrypted ? 1 : 0, 2)
    fixed.writeUInt16LE(8, 4)
    fixed.writeUInt32LE(crc32(data), 10)
    fixed.writeUInt32LE(packed.length, 14)
    fixed.writeUInt32LE(data.length, 18)
    fixed.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fixed, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

export function toDocx(page: Page): Buffer {
  const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const paragraph = (text: string) =>
    `<w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`
  const cell = (lines: string[]) => `<w:tc><w:tcPr/>${lines.map(paragraph).join('')}</w:tc>`
  const table = (rows: string[][][]) =>
    `<w:tbl>${rows.map(cells => `<w:tr>${cells.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
  const head = page.head.map(row => (typeof row === 'string' ? paragraph(row) : table([row.map(text => [text])])))
  const columns = page.columns ? table([page.columns]) : ''
  const xml = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${head.join('')}${columns}</w:body></w:document>`
  return zip({ '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': Buffer.from(xml) })
}

const SECTOR = 512

/** A Word 97 file: a compound file with the text in two pieces, the first in one byte a character. */
export function toDoc(text: string, opts: { encrypted?: boolean; circular?: boolean } = {}): Buffer {
  const half = Math.floor(text.length / 2)
  const cut = /^[\x20-\x7e\r\t]*/.exec(text.slice(0, half))![0].length
  const [first, second] = [text.slice(0, cut), text.slice(cut)]
  const TEXT_AT = 2048
  const firstBytes = Buffer.from(first, 'latin1')
  const secondAt = TEXT_AT + firstBytes.length + (firstBytes.length % 2)
  const secondBytes = Buffer.from(second, 'utf16le')
  const word = Buffer.alloc(Math.max(4096, secondAt + secondBytes.length))
  word.writeUInt16LE(0xa5ec, 0)
  word.writeUInt16LE(0x00c1, 2)
  word.writeUInt16LE(0x0200 | (opts.encrypted ? 0x0100 : 0), 10)
  word.writeUInt32LE(text.length, 0x4c)
  firstBytes.copy(word, TEXT_AT)
  secondBytes.copy(word, secondAt)
  const pieces = Buffer.alloc(12 + 16)
  pieces.writeUInt32LE(0, 0)
  pieces.writeUInt32LE(cut, 4)
  pieces.writeUInt32LE(text.length, 8)
  pieces.writeUInt32LE(((TEXT_AT * 2) | 0x40000000) >>> 0, 12 + 2)
  pieces.writeUInt32LE(secondAt, 12 + 8 + 2)
  const clx = Buffer.concat([Buffer.from([2, pieces.length, 0, 0, 0]), pieces])
  const table = Buffer.alloc(4096)
  clx.copy(table)
  word.writeUInt32LE(0, 0x1a2)
  word.writeUInt32LE(clx.length, 0x1a6)
  const sectorsOf = (data: Buffer) => Math.ceil(data.length / SECTOR)
  const [wordSectors, tableSectors] = [sectorsOf(word), sectorsOf(table)]
  // sector 0: FAT, 1: directory, then the two streams
  const fat = Buffer.alloc(SECTOR * Math.ceil((2 + wordSectors + tableSectors) / 128), 0xff)
  if (fat.length > SECTOR) throw new Error('test document too long')
  fat.writeUInt32LE(0xfffffffd, 0)
  fat.writeUInt32LE(0xfffffffe, 4)
  const link = (start: number, count: number) => {
    for (let i = 0; i < count; i++) fat.writeUInt32LE(i === count - 1 ? 0xfffffffe : start + i + 1, (start + i) * 4)
  }
  link(2, wordSectors)
  link(2 + wordSectors, tableSectors)
  if (opts.circular) fat.writeUInt32LE(2, 3 * 4)
  const entry = (name: string, type: number, start: number, size: number, child = 0xffffffff, right = 0xffffffff) => {
    const e = Buffer.alloc(128)
    e.write(name, 'utf16le')
    e.writeUInt16LE(name.length * 2 + 2, 64)
    e[66] = type
    e[67] = 1
    e.writeUInt32LE(0xffffffff, 68)
    e.writeUInt32LE(right, 72)
    e.writeUInt32LE(child, 76)
    e.writeUInt32LE(start, 116)
    e.writeUInt32LE(size, 120)
    return e
  }
  const directory = Buffer.concat([
    entry('Root Entry', 5, 0xfffffffe, 0, 1),
    entry('WordDocument', 2, 2, word.length, 0xffffffff, 2),
    entry('1Table', 2, 2 + wordSectors, table.length),
    Buffer.alloc(128),
  ])
  const header = Buffer.alloc(SECTOR)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(0xfffffffe, 60)
  header.writeUInt32LE(0xfffffffe, 68)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc(sectorsOf(data) * SECTOR - data.length)])
  return Buffer.concat([header, fat, directory, padded(word), padded(table)])
}

/** Columns are written row by row, as some programs do: the order of the text in the file is not that of reading. */
export function toPdf(page: Page): Buffer {
  const WIN: Record<string, string> = { '–': '\\226', '—': '\\227', '•': '\\225' }
  const escaped = (text: string) => [...text].map(c => WIN[c] ?? ('()\\'.includes(c) ? `\\${c}` : c)).join('')
  const out: string[] = []
  let y = 800
  const put = (x: number, text: string) => {
    if (text !== '') out.push(`BT /F1 9 Tf ${x} ${y} Td (${escaped(text)}) Tj ET`)
  }
  for (const row of page.head) {
    if (typeof row === 'string') put(50, row)
    else {
      put(50, row[0])
      put(170, row[1])
    }
    y -= 13
  }
  const [left, right] = page.columns ?? [[], []]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    put(50, left[i] ?? '')
    put(220, right[i] ?? '')
    y -= 13
  }
  return buildPdf(Buffer.from(out.join('\n'), 'latin1'))
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

export const buildPdf = (content: Buffer, filter = '', trailerMore = ''): Buffer =>
  pdfDocument([content], HELVETICA, filter, trailerMore)

/** A PDF of these pages: content streams that use one font, /F1. */
export function pdfDocument(pages: readonly Buffer[], font: string, filter = '', trailerMore = ''): Buffer {
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    font,
    ...pages.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length} ${filter} >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let at = parts[0]!.length
  for (const [i, object] of objects.entries()) {
    offsets.push(at)
    const whole = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(whole)
    at += whole.length
  }
  const rows = offsets.map(o => `${String(o).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailerMore} >>\nstartxref\n${at}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}
