import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMigrations } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { findContacts } from '../../src/resources/resumes/parse/contacts.ts'
import { cutContacts, joinedContactsCut } from '../../src/resources/resumes/parse/cut-contacts.ts'
import { extractText } from '../../src/resources/resumes/parse/extract.ts'
import { parseProfile } from '../../src/resources/resumes/parse/profile.ts'
import { readContact } from '../../src/resources/resumes/parse/read-contact.ts'
import { parseNext } from '../../src/workers/parse-resumes.ts'
import { TODAY } from './resume-files.ts'
import { RENDERERS, resumeSet } from './resume-set.ts'
import { apply, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db, blobs, log } = service.services

/** Ways to reach a person, each with what must not be left of it. */
const CONTACTS: readonly (readonly [string, RegExp])[] = [
  ['canary.footer@private-mail.org', /canary|private-mail/i],
  ['Canary.Footer@Private-Mail.org', /canary|private-mail/i],
  ['canary @ private-mail.org', /canary|private-mail/i],
  ['canary (at) private-mail (dot) org', /canary|private-mail/i],
  ['canary [at] private-mail.org', /canary|private-mail/i],
  ['canary at private-mail dot org', /canary|private-mail/i],
  ['canary＠private-mail.org', /canary|private-mail/i],
  ['mailto:canary@private-mail.org', /canary|private-mail/i],
  ['+49 151 23456789', /151|23456789/],
  ['0049 (0)151-234 567 89', /151|567/],
  ['0151 / 234 56 789', /151|234/],
  ['(123) 555-0142', /555|0142/],
  ['123.555.0142', /555|0142/],
  ['06 39 98 01 42', /39 98|01 42/],
  ['13045550142', /1304555/],
  ['0151 1999 2020', /0151|1999/],
  ['(+359) 885 550 142', /885|142/],
  ['https://canary.example.org/me?x=1', /canary/i],
  ['www.canary-portfolio.net', /canary/i],
  ['linkedin.com/in/canary-b', /canary/i],
  ['de.linkedin.com/in/canary-b', /canary/i],
  ['LinkedIn: canary-b', /canary/i],
  ['github.com/canary', /canary/i],
  ['Github:// canary', /canary/i],
  ['t.me/canary', /canary/i],
  ['Twitter @canary_b', /canary/i],
  ['Instagram: @Canary.B', /canary/i],
  ['skype: live:canary.b', /canary/i],
  ['Telegram: @canary', /canary/i],
  ['canary.dev', /canary/i],
  ['Jane.Canary @ Mail . org', /canary|mail/i],
  ['jane.canary@ mail. org', /canary|mail/i],
  ['Jane @ Canary-Mail.org', /canary|mail/i],
  ['jane.canary at gmail.com', /canary|gmail/i],
  ['jane_canary_at_mail_dot_org', /canary|mail/i],
  ['jane-canary-at-mail-dot-org', /canary|mail/i],
  ['canary "at" mail "dot" org', /canary|mail/i],
  ['canary “at” mail.org', /canary|mail/i],
  ['canary%40mail.org', /canary|mail/i],
  ['canary&#64;mail.org', /canary|mail/i],
  ['can\u200bary\u2060@\u034fma\u180eil.o\ufe0frg', /ary|ma\W?il/i],
  ['c\u0336a\u0336nary@mail.org', /nary|mail/i],
  ['\u2066canary@mail.org\u2069', /canary|mail/i],
  ['canary\u{e0041}@mail.org', /canary|mail/iu],
  ['ｃａｎａｒｙ＠ｍａｉｌ．ｏｒｇ', /canary|ｃａｎ|ｍａｉｌ/i],
  ['0151—234—56789', /151|56789/],
  ['0151 – 234 – 56789', /151|56789/],
  ['0151|234|56789', /151|56789/],
  ["0151'234'56789", /151|56789/],
  ['0151’234’56789', /151|56789/],
  ['0151:234:56789', /151|56789/],
  ['0151~234~56789', /151|56789/],
  ['[0151] 234 56789', /151|56789/],
  ['+49 [151] 234 56789', /151|56789/],
  ['0151, 234, 56789', /151|56789/],
  ['0151 * 234 * 56789', /151|56789/],
  ['①⑤①⑤⑤⑤⓪①④②', /⑤|④/],
  ['⁰¹⁵¹ ²³⁴⁵⁶⁷⁸⁹', /¹|⁵/],
  ['linkedin/jane-canary', /canary/i],
  ['LinkedIn - jane-canary-123', /canary/i],
  ['LinkedIn – jane-canary-123', /canary/i],
  ['GitHub: JCanary', /canary/i],
  ['Twitter: JaneCanary', /canary/i],
  ['Skype jane.canary', /canary/i],
  ['JaneCanary.com', /canary/i],
  ['JaneCanary.io', /canary/i],
  ['linkedin．com／in／jane-canary', /canary/i],
  ['hxxps://canary.example.org/x', /canary/i],
  ['linkedin[.]com/in/jane-canary', /canary/i],
  ['github(dot)com/canary', /canary/i],
  ['canary.photography', /canary/i],
  ['canary.software', /canary/i],
  ['jane-canary.engineer', /canary/i],
  ['canary.codes', /canary/i],
  ['canary.unknownend', /canary/i],
]

/** Texts that look a little like contact details and must stay as they are. */
const OTHERS = [
  '2019 - 2021',
  '2019-2021',
  '08/2016–07/2019',
  '01.03.2020 – 29.02.2024',
  '2019-03 – 2021-04',
  'Sept 2009/10 - 2012/13',
  'Engineer, Blue Ocean, 2019 - 2021',
  'Master of Science, 2012, 2013–2015',
  'Engineer @ Acme, 2019 - 2021',
  'Booking.com, Analyst, 2016 - 2019',
  'ASP.NET, Node.js, C#, CI/CD, TCP/IP',
  'ISO 9001:2015, GPA 3.97/4.00',
  'Sp. z o.o., S.p.A., a.s.',
  'Grew sales to 1 200 000 a year',
  '03/2019 – 07/2020',
  '2010-2012 2014-2016',
  '2019 | 2021 | 2023',
  '2010—2012, 2014—2016',
  'Monday.com, Designer, 2019 - 2021',
  'ISO 27001:2013 and ISO/IEC 20000-1:2018',
  'GitHub, GitLab, Bitbucket',
  'GitHub Actions, GitHub/GitLab, LinkedIn Recruiter',
  'Vue.js, three.js, main.py, index.html, dipl.ing, e.g. this',
  'Vienna (AT), 2019 - 2021',
  'Medium-sized firms, medium/large teams',
]

/** The forms that the first migration of stored profiles knows. */
const PLAIN_CONTACTS = CONTACTS.slice(0, CONTACTS.findIndex(([contact]) => contact === 'canary.dev') + 1)

for (const [contact, left] of CONTACTS) {
  test(`résumé contacts: ${contact} is cut out of a text, alone and between other words`, () => {
    assert.equal(cutContacts(contact), '')
    for (const text of [`Engineer, ${contact}`, `Engineer | ${contact} | Berlin`, `Berlin (${contact}) 2019 - 2021`]) {
      const rest = cutContacts(text)
      assert.doesNotMatch(rest, left, rest)
      assert.match(rest, /Engineer|Berlin/)
    }
  })
}

test('résumé contact: phone numbers as many countries write them, beside postal codes and years', () => {
  const numbers = `+49 (0)30 / 901820-12; 030/9018-2012; (030) 90182012; 0170-1234567; +43 1 58858-0; 044 668 18 00; 06.12.34.56.78;
    0612345678; 91 123 45 67; 612 34 56 78; +39 06 6982 1234; 347 1234567; (21) 3123-4567; +55 (21) 99123-4567; 06 12345678;
    +31 (0)20 123 4567; 22 123 45 67; 123-456-789; 08-123 456 78; 12 34 56 78; +358 40 123 4567; +420 123 456 789;
    (555) 123-4567; 1-555-123-4567; +44 (0)20 7946 0958; 07700 900123; +353 1 234 5678; 98765-43210; +81 3-1234-5678;
    0412 345 678; (+359) 88 123 4567; 8 (495) 123-45-67; 020 2019 2021; (212) 555-2019; 2015550123`
  const lines: readonly ((phone: string) => string)[] = [
    phone => phone,
    phone => `Tel: ${phone}`,
    phone => `10115 Berlin, ${phone}, ada@example.org`,
    phone => `ada@example.org / ${phone}`,
    phone => `Mobile ${phone} (private)`,
    phone => `born 14.05.1991, phone ${phone}`,
  ]
  const digits = (text: string) => text.replace(/\D/g, '')
  for (const phone of numbers.split(/;\s+/))
    for (const line of lines)
      assert.deepEqual(readContact(`Ada Byron\n${line(phone)}\n`).phones.map(digits), [digits(phone)], line(phone))
})

test('résumé contacts: the name of a standard or a currency before a whole phone number does not keep it', () => {
  for (const text of ['ISO 0151 23456789', '€ 0151 23456789', 'DIN +49 151 23456789', '$ (0151) 234 56789'])
    assert.doesNotMatch(cutContacts(text), /\d/, text)
})

test('résumé contacts: dates, employers, tools and amounts survive', () => {
  for (const text of OTHERS) assert.equal(cutContacts(text), text)
})

test('résumé contacts: what a narrow column breaks over two lines is cut out of both', () => {
  for (const [above, below] of [
    ['Engineer, canary @', 'private-mail.org Berlin'],
    ['Engineer, +49 151', '23456789 Berlin'],
    ['Engineer, canary (at)', 'private-mail (dot) org Berlin'],
    ['Engineer, 06 39', '98 01 42 Berlin'],
  ] as const)
    assert.deepEqual(joinedContactsCut([above, below]), ['Engineer,', 'Berlin'])
  for (const broken of [
    'jane\n@\ncanary-mail.org',
    'jane.canary\n@\nmail\n.org',
    'jane.can-\nary@mail.org',
    'jane.canary@\nmail.org',
    'jane.canary@mail.\norg',
    'jane.canary at\ngmail.com',
    '+49 151\n234\n56789',
    '+49\n151\n234\n56789',
    'linkedin.com/in/\njane-canary',
    'linkedin.com/in/jane-\ncanary',
    'www.linkedin.com\n/in/jane-canary',
    'github.com/\njcanary',
    'LinkedIn:\njane-canary',
    'LinkedIn\njane-canary',
    'LinkedIn –\njane-canary-123',
    'LinkedIn\n– jane-canary-123',
  ]) {
    const left = joinedContactsCut(broken.split('\n')).map(cutContacts).join(' ')
    assert.doesNotMatch(left, /can|ary|jane|mail|151|234|56789/, `${JSON.stringify(broken)}: ${left}`)
    const page = `Ada Byron\n\nExperience\nEngineer, Blue Ocean, 2019 - 2021\n${broken}\n\nEducation\nMSc Physics, TU Berlin, 2014\n${broken}\n\nSkills\nGo, Rust\n${broken}\n`
    for (const text of textsOf(parseProfile(page, TODAY))) assert.doesNotMatch(text, /can|ary|jane|mail|151|234|56789/)
  }
  const dates = ['Engineer, 2019 - 2021', '2017 - 2019 Developer', '120 people', 'Analyst (2016)']
  assert.deepEqual(joinedContactsCut(dates), dates)
})

test('résumé contacts: long runs of any character are searched in time', () => {
  for (const piece of [
    'a',
    '1',
    '1 ',
    '+',
    '@',
    'a@',
    'a.',
    'www',
    '/',
    '(',
    'a at ',
    '2019 ',
    'x: ',
    ':',
    '-',
    'in/',
    'a_at_',
    '-at-dot',
    'github ',
    '\u200b',
    '(.)',
    '%40',
    '0, ',
    'a . ',
  ]) {
    const started = performance.now()
    findContacts(piece.repeat(200_000 / piece.length))
    assert.ok(performance.now() - started < 5_000, JSON.stringify(piece))
  }
})

/** Every text of a value. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(textsOf)
      : []

test('résumé profile: contacts planted anywhere, in any layout and format, are in none of its texts', async () => {
  const pages = resumeSet('dev').map(resume => resume.page.split('\n'))
  const planted = fc.tuple(
    fc.constantFrom(...CONTACTS),
    fc.nat(),
    fc.constantFrom('line', 'end', 'cell', 'name', 'heading'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pages),
      fc.constantFrom(...Object.keys(RENDERERS)),
      fc.array(planted, { minLength: 1, maxLength: 4 }),
      async (page, format, plants) => {
        const lines = [...page]
        for (const [[contact], at, how] of plants) {
          const i = at % lines.length
          if (/^\[/.test(lines[i]!)) continue
          if (how === 'line') lines.splice(i, 0, contact)
          else if (how === 'name') lines.splice(i, 0, `Jane Canary-Doe | ${contact}`.replace('Canary-', ''))
          else if (how === 'heading') lines.splice(i, 0, `# ${contact}`)
          // a cell beyond the widths of the table would lie outside the page
          else lines[i] += how === 'end' || /\|\||^[>^]/.test(lines[i]!) ? `, ${contact}` : ` || ${contact}`
        }
        const { mime, render } = RENDERERS[format]!
        const profile = parseProfile(await extractText(render(lines.join('\n')), mime), TODAY)
        for (const text of textsOf(profile)) {
          assert.deepEqual(findContacts(text), [], text)
          for (const [[, left]] of plants) if (left.source.includes('canary')) assert.doesNotMatch(text, left)
        }
      },
    ),
    { numRuns: 300, seed: 20_261_115 },
  )
})

test('résumé profile: lines after the last date that name nothing known are no part of experience and education', () => {
  const page = `Ada Byron\n\nExperience\n2019 - 2021\nEngineer\nBlue Ocean\ncanary zero one five\n
Education\n2012 - 2014\nMSc Physics\nExample University\ncanary zero one five\n`
  const { experience, education } = parseProfile(page, TODAY)
  assert.deepEqual(experience, ['2019 - 2021 · Engineer · Blue Ocean'])
  assert.deepEqual(education, ['2012 - 2014 · MSc Physics · Example University'])
})

test('GET /applications/{h}/resume: a contact line at the end of the résumé is not part of parsed', async () => {
  const text = `Jane Canary\nEngineer\n\nExperience\nEngineer, Blue Ocean, 2019 - present\ncanary.job@private-mail.org\n
Skills\nGo, linkedin.com/in/canary, Rust, +49 151 23456789\n\nEducation\nMSc Computer Science, TU Berlin, 2014\n
Jane Canary | canary.footer@private-mail.org | +49 151 23456789\n`
  const app = await apply(world, { resume_upload_id: await upload(world, Buffer.from(text)) })
  while (await parseNext(db, blobs, log));
  const narrow = await service.key({ workspace, scopes: ['resume:read', 'applications:read'] })
  const read = await service.get(`/applications/${app.id}/resume`, narrow)
  assert.equal(read.status, 200)
  assert.doesNotMatch(JSON.stringify(read.body.parsed), /private-mail|151 2345|linkedin|Jane Canary/)
  assert.deepEqual(read.body.parsed.structured.education, ['MSc Computer Science, TU Berlin, 2014'])
  assert.deepEqual(read.body.parsed.skills, ['Go', 'Rust'])
  assert.equal(read.headers.get('Service-Personal-Data-Cost'), null)
  assert.match((await service.get(`/applications/${app.id}/resume`, key)).body.parsed.raw_text, /canary\.footer@/)
})

for (const [version, contacts] of [
  [104, PLAIN_CONTACTS],
  [105, CONTACTS.slice(PLAIN_CONTACTS.length)],
] as const)
  test(`migration ${version}: contacts are cut out of stored profiles; other texts and numbers stay`, async () => {
    const migration = readMigrations().find(one => one.version === version)!
    const app = await apply(world, { resume_upload_id: await upload(world) })
    const store = async (parsed: unknown) => {
      await db.query(
        sql`update resumes set parsed = ${JSON.stringify(parsed)}::jsonb, parse_status = 'parsed' where application_id = ${app.id}`,
      )
      const session = await db.session({ patient: true })
      await session.script(`begin;\n${migration.text};\ncommit;`)
      await session.close()
      const row = await db.one(sql<{ parsed: unknown }>`select parsed from resumes where application_id = ${app.id}`)
      return row!.parsed as { skills: string[]; education: string[]; structured?: unknown } & Record<string, unknown>
    }
    const clean = {
      current_title: 'Engineer',
      current_company: 'Booking.com',
      total_years_experience: 7.5,
      visa_required: null,
      skills: ['Go', 'ASP.NET', 'Socket.io'],
      languages: [],
      education: OTHERS,
      structured: { experience: ['Engineer, Blue Ocean, 2019 - 2021'] },
    }
    assert.deepEqual(await store(clean), clean)
    const dirty = await store({
      current_title: 'Engineer canary@private-mail.org',
      current_company: 'canary@private-mail.org',
      city: '+49 151 23456789',
      work_authorization: 'Authorized to work in the EU, call +49 151 23456789',
      skills: ['Go', ...contacts.map(([contact]) => contact)],
      education: [
        'MSc Computer Science, TU Berlin, 2012 - 2014',
        'Jane Doe | canary.footer@private-mail.org | +49 151 23456789',
        ...contacts.map(([contact]) => `BSc Physics, Example University, ${contact}, 2009 - 2012`),
      ],
      structured: { experience: ['Engineer, Blue Ocean, 2019 - 2021, www.canary.example.org'] },
    })
    for (const [, left] of contacts) for (const text of textsOf(dirty)) assert.doesNotMatch(text, left, text)
    assert.equal(dirty['current_title'], null)
    assert.deepEqual([dirty['current_company'], dirty['city'], dirty.skills], [null, null, ['Go']])
    assert.match(String(dirty['work_authorization']), /^Authorized to work in the EU/)
    assert.equal(dirty.education[0], 'MSc Computer Science, TU Berlin, 2012 - 2014')
    assert.equal(dirty.education.length, 1 + contacts.length)
    for (const text of dirty.education.slice(1)) assert.match(text, /^BSc Physics, Example University.*2009 - 2012$/)
    assert.deepEqual(dirty.structured, { experience: ['Engineer, Blue Ocean, 2019 - 2021'] })
  })
