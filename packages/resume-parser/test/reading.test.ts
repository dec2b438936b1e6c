import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findSpan, yearsCovered } from '../src/dates.ts'
import { documentText } from '../src/docx.ts'
import { extractText, normalizeText, parseProfile, readContact, Unreadable } from '../src/index.ts'
import { pageText } from '../src/layout.ts'
import { findHeading } from '../src/vocabulary/headings.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { TODAY } from './resume-files.ts'
import { RENDERERS } from './resume-set.ts'

test('résumé profile: visa_required by what the authorization says', () => {
  for (const [text, visa] of [
    ['Authorized to work in Germany', false],
    ['Authorized to work in the US for any employer', false],
    ['No sponsorship required', false],
    ['Does not require visa sponsorship', false],
    ['EU citizen', false],
    ['Will require H-1B sponsorship', true],
    ['Visa sponsorship required', true],
    ['Not authorized to work in the US', true],
    ['Benötigt eine Arbeitserlaubnis', true],
    ['Student visa until 2027', null],
  ] as const) {
    const profile = parseProfile(`Ada Byron\n\nWork authorization\n${text}\n`, TODAY)
    assert.deepEqual([profile.work_authorization, profile.visa_required], [text, visa])
  }
  const none = parseProfile('Ada Byron\n\nExperience\nEngineer, Visa, 2019 - 2021\n• Handled visa sponsorship\n', TODAY)
  assert.deepEqual([none.work_authorization, none.visa_required], [null, null])
})

test('résumé dates: whole month names and abbreviations in many languages, seasons, numbers, all dashes', () => {
  const now = 2026 * 12 + 11
  for (const [text, months] of [
    ['Sep. 2023 \u00ad Mar. 2024', 7],
    ['Janvier 2020 à décembre 2020', 12],
    ['enero de 2020 – marzo de 2020', 3],
    ['gennaio 2020 - oggi', 83],
    ['mrt 2020 t/m mei 2020', 3],
    ['janeiro/2020 até o momento', 83],
    ['styczeń 2020 – obecnie', 83],
    ['leden 2020 – dosud', 83],
    ['januari 2020 – nu', 83],
    ['tammikuu 2020 – nykyinen', 83],
    ['ocak 2020 - haziran 2020', 6],
    ['2019-03 – 2019-05', 3],
    ['03.2019 — 05.2019', 3],
    ['2019/03 − 2019/05', 3],
    ['03/19 - 05/19', 3],
    ["'19 - '21", 24],
    ['Jan – Mar 2020', 3],
    ['March 2020 → May 2020', 3],
    ['2016--2020', 48],
    ['Summer 2022', 3],
    ['Fall 2025 - Spring 2026', 9],
    ['seit 04/2026', 8],
    ['desde enero de 2026', 11],
    ['Mar 2021 Present', 69],
  ] as const) {
    const span = findSpan(normalizeText(text), now)
    assert.equal(span && span.to - span.from, months, text)
  }
  for (const text of ['Blue Ocean 2019', 'Decathlon, 2017', 'in 2019 people', '120-2019'])
    assert.equal(findSpan(text, now), undefined, text)
})

test('résumé headings: in ten languages, spaced out, numbered, decorated; other lines are none', () => {
  for (const [line, section] of [
    ['PROFESSIONAL EXPERIENCE', 'experience'],
    ['E X P E R I E N C E', 'experience'],
    ['2. Work Experience', 'experience'],
    ['=== Experience ===', 'experience'],
    ['Beruflicher Werdegang', 'experience'],
    ['EXPÉRIENCES PROFESSIONNELLES', 'experience'],
    ['Experiencia laboral', 'experience'],
    ['Esperienze lavorative', 'experience'],
    ['Werkervaring', 'experience'],
    ['Experiência profissional', 'experience'],
    ['Doświadczenie zawodowe', 'experience'],
    ['Arbetslivserfarenhet', 'experience'],
    ['Pracovní zkušenosti', 'experience'],
    ['Istruzione e formazione', 'education'],
    ['Personal skills and competences', 'skills'],
    ['Language skills', 'languages'],
    ['WORK AUTHORIZATION', 'authorization'],
  ] as const)
    assert.equal(findHeading(line), section, line)
  for (const line of [
    'Experience Manager',
    'Education First',
    'Skills Trainer at Acme',
    'Ten years of experience',
    'Go',
  ])
    assert.equal(findHeading(line), undefined, line)
})

/** Title and company of the current position. */
const current = (text: string) => {
  const { current_title, current_company } = parseProfile(text, TODAY)
  return [current_title, current_company]
}

test('résumé positions: employer above, below or next to the title; dates next to, above or below it; several roles', () => {
  for (const [name, lines] of Object.entries({
    'employer above': 'Acme Robotics\tBerlin, Germany\nSenior Engineer\tJan 2020 - Present\n• Built things.',
    'employer below': 'Senior Engineer\tJan 2020 - Present\nAcme Robotics, Berlin\n• Built things.',
    'dates above': 'Jan 2020 - Present\nSenior Engineer\nAcme Robotics\n• Built things.',
    'dates below': 'Senior Engineer\nAcme Robotics\nJan 2020 - Present\n• Built things.',
    'dates next to the first bullet': 'Acme Robotics, Senior Engineer\tBerlin\n• Built things\tJan 2020 – present',
    at: 'Senior Engineer at Acme Robotics (Jan 2020 - present)',
    'dash and city': 'Acme Robotics – Berlin\tJan 2020 - Present\nSenior Engineer\n• Built things.',
    roles:
      'Acme Robotics, Berlin\t2016 - Present\nSenior Engineer\tJan 2020 - Present\n• A.\nEngineer\tMay 2016 - Dec 2019',
    sentence: 'Since January 2020 I have been working as a Senior Engineer at Acme Robotics, where I build things.',
    'icon letters': 'Senior Engineer\nAcme Robotics\nz January 2020 – Ongoing\t* Berlin, Germany',
  }))
    assert.deepEqual(current(`Ada Byron\n\nExperience\n${lines}\n`), ['Senior Engineer', 'Acme Robotics'], name)
})

test('résumé text: icons, private characters and soft hyphens are never part of a value', () => {
  const text = normalizeText(
    'Ada Byron\n\uf3c5 San Francisco, CA \uf0e0 ada@example.org\n\nExperience\n\u{1f4bc} Engineer, Acme\u00adLabs, 2019 - 2021',
  )
  const profile = parseProfile(text, TODAY)
  assert.deepEqual([profile.city, profile.country], ['San Francisco', 'United States'])
  assert.deepEqual([profile.current_title, profile.current_company], ['Engineer', 'Acme-Labs'])
  assert.doesNotMatch(JSON.stringify(profile), /\p{Co}|\u00ad/u)
})

test('résumé layout: two columns are read one after the other, a table with dates row by row', () => {
  const word = (x: number, y: number, text: string, size = 10) => ({ x, right: x + text.length * 5, y, size, text })
  const columns = [
    word(40, 780, 'Ada Byron', 22),
    ...['Skills', 'Go', 'Rust', 'Languages', 'English'].map((text, i) => word(40, 740 - i * 20, text)),
    ...['Experience', 'Engineer', 'Acme', '2019 - 2021', 'Education', 'MSc'].map((text, i) =>
      word(220, 733 - i * 20, text),
    ),
  ]
  assert.deepEqual(
    pageText(columns).split('\n'),
    'Ada Byron,Skills,Go,Rust,Languages,English,Experience,Engineer,Acme,2019 - 2021,Education,MSc'.split(','),
  )
  const table = [
    word(40, 780, 'Experience', 14),
    ...['2019 - 2021', '2017 - 2019', '2015 - 2017', '2013 - 2015', '2011 - 2013'].flatMap((dates, i) => [
      word(40, 740 - i * 20, dates),
      word(160, 740 - i * 20, `Engineer ${i}`),
    ]),
  ]
  assert.equal(pageText(table).split('\n')[1], '2019 - 2021\tEngineer 0')
})

test('résumé contact: name, addresses and numbers are parsed separately from the profile', async () => {
  const text =
    'Curriculum vitae\nDr. Ada Byron-King\nEngineer\nada.byron@example.org | +44 20 7946 0958 | linkedin.com/in/ada\n'
  assert.deepEqual(readContact(text), {
    name: 'Ada Byron-King',
    emails: ['ada.byron@example.org'],
    phones: ['+44 20 7946 0958'],
    urls: ['linkedin.com/in/ada'],
  })
  const { mime, render } = RENDERERS['pdf']!
  const narrow =
    '[columns 30]\n! Ada Maria Byron\n# Contact\nada.byron@example.org\n[next]\n# Experience\nEngineer\nAcme\n2019 - 2021\n[end]'
  assert.equal(readContact(await extractText(render(narrow), mime)).name, 'Ada Maria Byron')
})

test('résumé parser: the same text always gives the same profile, and no text breaks the rules', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), text => {
      const profile = parseProfile(normalizeText(text), TODAY)
      assert.deepEqual(parseProfile(normalizeText(text), TODAY), profile)
      assert.ok(profile.extraction_confidence >= 0 && profile.extraction_confidence <= 1)
    }),
  )
})

test('résumé parser: long lines without structure are read in time', () => {
  for (const fragment of ['a', ' ', '-', '2019 ', 'a, ', '. ', '\t', 'no visa ', 'Jan 20', '((((', 'E ']) {
    const started = cpuSeconds()
    parseProfile(normalizeText(fragment.repeat(200_000 / fragment.length)), TODAY)
    assert.ok(cpuSeconds() - started < 10, JSON.stringify(fragment))
  }
})

test('résumé parser: spans: written in many ways, added up without counting a month twice', () => {
  const now = 2026 * 12 + 11
  for (const [text, months] of [
    ['Jan 2020 – Dec 2020', 12],
    ['January 2020 to March 2020', 3],
    ['01/2020 - 03/2020', 3],
    ['2019 - 2021', 24],
    ['Sept. 2025 until present', 15],
    ['since May 2026', 7],
    ['März 2020 bis heute', 81],
  ] as const) {
    const span = findSpan(text, now)
    assert.equal(span && span.to - span.from, months, text)
  }
  for (const text of ['2021', 'no date', '2022 - 2019', 'call 2020 times', '13/2020 - x'])
    assert.equal(findSpan(text, now), undefined, text)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(600), fc.nat(60)), { maxLength: 10 }), pairs => {
      const spans = pairs.map(([from, length]) => ({ from, to: from + length, current: false, start: 0, end: 0 }))
      const months = new Set(spans.flatMap(s => Array.from({ length: s.to - s.from }, (_, i) => s.from + i)))
      assert.equal(yearsCovered(spans), Math.round((months.size / 12) * 10) / 10)
      assert.equal(yearsCovered([...spans, ...spans]), yearsCovered(spans))
    }),
  )
})

test('résumé parser: DOCX: what a fallback repeats is read once; entities, tabs and breaks; a document type is refused', () => {
  const xml = `<w:p><w:r><w:t>A &amp; B</w:t><w:tab/><w:t>&#x10D;</w:t><w:br/><w:t>C</w:t></w:r></w:p>
    <mc:AlternateContent><mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>box</w:t></w:p></mc:Fallback></mc:AlternateContent>`
  assert.deepEqual(documentText(xml).split('\n'), ['A & B\tč', 'C', 'box'])
  assert.throws(() => documentText('<!DOCTYPE x [<!ENTITY a "b">]><w:p/>'), Unreadable)
})
