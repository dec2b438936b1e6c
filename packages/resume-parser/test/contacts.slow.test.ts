import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findContacts } from '../src/contacts.ts'
import { cutContacts, joinedContactsCut } from '../src/cut-contacts.ts'
import { extractText, parseProfile, readContact } from '../src/index.ts'
import { BROKEN_CONTACTS, CONTACTS, collectTexts, MORE_OTHERS, OTHERS } from './contact-forms.ts'
import { TODAY } from './resume-files.ts'
import { RENDERERS, resumeSet } from './resume-set.ts'

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

test('résumé contact: phone numbers as many countries write them, next to postal codes and years', () => {
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
  for (const text of [...OTHERS, ...MORE_OTHERS]) assert.equal(cutContacts(text), text)
})

test('résumé contact: numbers of a postal address are no phone numbers, those after it are', () => {
  for (const address of MORE_OTHERS.slice(MORE_OTHERS.indexOf('Rua das Flores 12 · 4050-265 Porto'))) {
    assert.deepEqual(readContact(`Ada Byron\n${address}\n`).phones, [], address)
    for (const line of [`${address} | 912 345 678`, `${address}, Tel. 912 345 678`, `912 345 678 · ${address}`]) {
      assert.deepEqual(readContact(`Ada Byron\n${line}\n`).phones, ['912 345 678'], line)
      assert.doesNotMatch(cutContacts(line), /912|345|678/, line)
    }
  }
  for (const text of [
    'Tel 4050-265 Porto',
    'Call 12 4050-265',
    'phone 12345-678 Lisboa',
    'Rua das Flores 0151 23456 Porto',
  ])
    assert.doesNotMatch(cutContacts(text), /\d{3}/, text)
})

test('résumé profile: a name on a network that is made of the name of the person is cut in any form', () => {
  for (const line of [
    'LinkedIn - Jane Canary',
    'LinkedIn – Jane Canary',
    'LinkedIn, Jane Canary',
    'LinkedIn Jane Canary',
    'GitHub jcanary',
    'GitHub, jcanary',
    'GitHub - JCanary',
    'GitLab - Canary',
    'GitLab, canaryj',
    'XING janecanary',
  ]) {
    const page = `Jane Canary\nEngineer\n\nExperience\nEngineer, Blue Ocean, 2019 - 2021\n${line}\n\nEducation\nMSc Physics, TU Berlin, 2014\n${line}\n\nSkills\nGo, Rust, ${line}\n`
    const profile = parseProfile(page, TODAY)
    assert.doesNotMatch(JSON.stringify(profile), /canary/i, line)
    assert.deepEqual(profile.skills, ['Go', 'Rust'], line)
  }
})

test('résumé contacts: an email address broken inside a word leaves neither half; lines above an address stay', () => {
  for (const broken of BROKEN_CONTACTS) {
    for (const name of ['Jane Canary', 'Ada Byron']) {
      const page = `${name}\n\nExperience\nEngineer, Blue Ocean, 2019 - 2021\n${broken}\n\nEducation\nMSc Physics, TU Berlin, 2014\n${broken}\n\nSkills\nGo, Rust\n${broken}\n`
      for (const text of collectTexts(parseProfile(page, TODAY)))
        assert.doesNotMatch(
          text,
          /\bja\b|jane|\bne\b|j\.can|can\b|ary|exam|mail|\brg\b/i,
          `${JSON.stringify(broken)}: ${text}`,
        )
    }
  }
  for (const above of [
    'Ada Byron',
    'Software Engineer',
    'Node.js',
    'Go, Rust, docker',
    'contact',
    'developer',
    'Worked on the site in production.',
    'Blue Ocean Inc.',
    'MSc Physics, TU Berlin, 2014',
    'Ph.D',
    'jane at mail.org',
    'Jane @ Mail.org',
    'canary.dev',
  ])
    assert.deepEqual(joinedContactsCut([above, 'ada@example.org'], 'Ada Byron'), [above, 'ada@example.org'])
  // the cell above it in a table
  assert.deepEqual(joinedContactsCut(['jane.can\tBerlin', 'ary@example.org\tGermany']), [
    'Berlin',
    'ary@example.org\tGermany',
  ])
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
    const left = joinedContactsCut(broken.split('\n'))
      .map(line => cutContacts(line))
      .join(' ')
    assert.doesNotMatch(left, /can|ary|jane|mail|151|234|56789/, `${JSON.stringify(broken)}: ${left}`)
    const page = `Ada Byron\n\nExperience\nEngineer, Blue Ocean, 2019 - 2021\n${broken}\n\nEducation\nMSc Physics, TU Berlin, 2014\n${broken}\n\nSkills\nGo, Rust\n${broken}\n`
    for (const text of collectTexts(parseProfile(page, TODAY)))
      assert.doesNotMatch(text, /can|ary|jane|mail|151|234|56789/)
  }
  assert.deepEqual(
    joinedContactsCut([
      'Figma\tjane dot doe at canary dash',
      'expert\tmail dot org',
      'Go\t+49 151',
      'expert\t23456789',
    ]),
    ['Figma', 'expert', 'Go', 'expert'],
    'in a column of a table',
  )
  const dates = ['Engineer, 2019 - 2021', '2017 - 2019 Developer', '120 people', 'Analyst (2016)']
  assert.deepEqual(joinedContactsCut(dates), dates)
})

test('résumé contacts: long runs of any character are searched in time', () => {
  for (const fragment of [
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
    findContacts(fragment.repeat(200_000 / fragment.length))
    assert.ok(performance.now() - started < 5_000, JSON.stringify(fragment))
  }
})

test('résumé profile: lines after the last date that name nothing known are no part of experience and education', () => {
  const page = `Ada Byron\n\nExperience\n2019 - 2021\nEngineer\nBlue Ocean\ncanary zero one five\n
Education\n2012 - 2014\nMSc Physics\nExample University\ncanary zero one five\n`
  const { experience, education } = parseProfile(page, TODAY)
  assert.deepEqual(experience, ['2019 - 2021 · Engineer · Blue Ocean'])
  assert.deepEqual(education, ['2012 - 2014 · MSc Physics · Example University'])
})

test('résumé profile: contacts planted anywhere, in any layout and format, are in none of its texts', async () => {
  const pages = resumeSet('dev').map(resume => resume.page.split('\n'))
  const halves = new Set(BROKEN_CONTACTS.flatMap(broken => broken.split('\n')))
  const planted = fc.tuple(
    fc.constantFrom(...CONTACTS, ...BROKEN_CONTACTS.map(broken => [broken, /canary|jane|j.can\b|ple\.org/i] as const)),
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
          // nothing is planted between the halves of a broken contact
          if (/^\[/.test(lines[i]!) || halves.has(lines[i]!)) continue
          if (contact.includes('\n')) lines.splice(i, 0, ...contact.split('\n'))
          else if (how === 'line') lines.splice(i, 0, contact)
          else if (how === 'name') lines.splice(i, 0, `Mary Doe | ${contact}`)
          else if (how === 'heading') lines.splice(i, 0, `# ${contact}`)
          // a cell beyond the widths of the table would lie outside the page
          else lines[i] += how === 'end' || /\|\||^[>^]/.test(lines[i]!) ? `, ${contact}` : ` || ${contact}`
        }
        const { mime, render } = RENDERERS[format]!
        const profile = parseProfile(await extractText(render(lines.join('\n')), mime), TODAY)
        for (const text of collectTexts(profile)) {
          assert.deepEqual(findContacts(text), [], text)
          for (const [[, left]] of plants) if (left.source.includes('canary')) assert.doesNotMatch(text, left)
        }
      },
    ),
    { numRuns: 300, seed: 20_261_115 },
  )
})
