import { FIELDS, type Measured, mean, measure } from '../test/applications/accuracy.ts'
import { LAYOUTS, ROUGH_LAYOUTS } from '../test/applications/resume-files.ts'

/**
 * Prints how often the résumé rules find each field right, by format and by layout: first on layouts that résumés
 * usually have, then on rough ones for which nothing is promised.
 */
function print(title: string, all: Measured[]): void {
  const names = (of: (m: Measured) => string) => [...new Set(all.map(of))]
  const columns = [
    ...names(m => m.format).map(name => [name, all.filter(m => m.format === name)] as const),
    ...names(m => m.layout).map(name => [name, all.filter(m => m.layout === name)] as const),
    ['all', all] as const,
  ]
  const share = (rows: readonly Measured[], value: (m: Measured) => number) => Math.round(mean(rows.map(value)) * 100)
  const row = (value: (m: Measured) => number) =>
    Object.fromEntries(columns.map(([name, rows]) => [name, share(rows, value)]))
  console.log(`\n${title}: ${all.length} résumés, percent right`)
  console.table({
    ...Object.fromEntries(Object.keys(FIELDS).map(field => [field, row(m => m.scores[field]!)])),
    extraction_confidence: row(m => m.profile.extraction_confidence),
  })
}

print('Usual layouts', await measure(LAYOUTS))
print('Rough layouts', await measure(ROUGH_LAYOUTS))
