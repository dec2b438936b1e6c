import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DATE_FORMATS, DATE_LOCALE } from '../../src/contract/date-format.ts'
import { dateInWords, timeInWords } from '../../src/kernel/text/dates.ts'

const ROOT = join(import.meta.dirname, '../..')
const AT = '2026-11-05T07:08:09.000Z'

test('date format: each precision has the same order of day, month, year and time', () => {
  const shown = Object.fromEntries(
    Object.entries(DATE_FORMATS).map(([name, format]) => [
      name,
      new Intl.DateTimeFormat(DATE_LOCALE, { ...format, timeZone: 'UTC' }).format(new Date(AT)),
    ]),
  )
  assert.deepEqual(shown, {
    date: '5 Nov 2026',
    time: '5 Nov 2026, 07:08',
    exact: '5 Nov 2026, 07:08:09 UTC',
    axisDay: '5 Nov',
    axisTime: '5 Nov, 07:08',
    recent: '5 Nov, 07:08:09',
    soon: 'Thu 07:08',
    clock: '07:08',
    appointment: 'Thu 5 Nov, 07:08',
  })
  assert.deepEqual([timeInWords(AT), dateInWords(AT)], ['5 Nov 2026, 07:08 UTC', '5 Nov 2026'])
})

/** Candidates and recruiters read dates in their language, and type them in it. */
const BY_LANGUAGE = [
  'web/ui/time.tsx',
  'src/careers/wording.ts',
  'src/careers/apply/typed.ts',
  'src/careers/assets/times.js',
]

/** They compute what the clocks of a zone show; what people see comes from elsewhere. */
const COMPUTES = ['web/hiring/interviews/zoned-time.ts', 'src/kernel/text/zoned-time.ts']

test('date format: pages, emails and the console have no other', () => {
  const files = ['src', 'web/console', 'web/hiring', 'web/ui'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(tsx?|js)$/.test(file))
      .map(file => join(folder, file))
      .filter(file => ![...BY_LANGUAGE, ...COMPUTES].includes(file)),
  )
  assert.ok(files.length > 300)
  const others = files.flatMap(file =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /DateTimeFormat\((?!DATE_LOCALE\b|\)\.resolvedOptions\(\)\.timeZone).*|\.toLocale(Date|Time)String\(.*/g,
      ),
    ].map(([found]) => `${file}: ${found}`),
  )
  assert.deepEqual(others, [])
})
