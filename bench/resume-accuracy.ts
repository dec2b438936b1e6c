import { FIELDS, mean, measure } from '../test/applications/accuracy.ts'
import { FORMATS, LAYOUTS } from '../test/applications/resume-files.ts'

/** Prints how often the résumé rules find each field right, by format and by layout. */
const all = await measure()
const share = (rows: typeof all, field: string) => `${Math.round(mean(rows.map(r => r.scores[field]!)) * 100)} %`

console.log(`${all.length} résumés: ${Object.keys(LAYOUTS).join(', ')} in ${Object.keys(FORMATS).join(', ')}\n`)
const columns = [
  ...Object.keys(FORMATS).map(name => [name, all.filter(r => r.format === name)] as const),
  ...Object.keys(LAYOUTS).map(name => [name, all.filter(r => r.layout === name)] as const),
  ['all', all] as const,
]
console.table(
  Object.fromEntries(
    Object.keys(FIELDS).map(field => [
      field,
      Object.fromEntries(columns.map(([name, rows]) => [name, share(rows, field)])),
    ]),
  ),
)
const wrong = all.filter(r => Object.values(r.scores).some(s => s < 1))
for (const r of wrong.slice(0, 20)) {
  const fields = Object.entries(r.scores).flatMap(([name, score]) => (score < 1 ? [name] : []))
  console.log(`${r.person}, ${r.layout}, ${r.format}: ${fields.join(', ')}`)
}
