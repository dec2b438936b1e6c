import {
  computeScore,
  FIELDS,
  type LabelledResult,
  type Measured,
  mean,
  measureAccuracy,
  measureSet,
  shareRight,
} from '../test/accuracy.ts'
import { LAYOUTS, ROUGH_LAYOUTS } from '../test/resume-files.ts'

/**
 * Prints how well résumés are read: precision and recall of each field on the labelled résumés of this folder, those
 * that rules are developed on and those held out; how long a file takes by its format, without the start of a process;
 * then the share right on generated layouts, by format and layout. `--dev` leaves the held-out part alone.
 */
const percent = (value: number): number => Math.round(value * 1000) / 10

function printSets(sets: Record<string, LabelledResult[]>): void {
  const fields = [...new Set(Object.values(sets).flatMap(all => all.flatMap(r => Object.keys(r.tallies))))]
  const rows = fields.map(field => [
    field,
    Object.fromEntries(
      Object.entries(sets).flatMap(([name, results]) => {
        const { precision, recall, f1, wanted } = computeScore(results, field)
        return [
          [`${name} P`, percent(precision)],
          [`${name} R`, percent(recall)],
          [`${name} F1`, percent(f1)],
          [`${name} n`, wanted],
        ]
      }),
    ),
  ])
  console.table(Object.fromEntries(rows))
}

function printWorst(title: string, results: LabelledResult[], fields: boolean): void {
  console.log(`\n${title}: the worst`)
  const worst = results.toSorted((a, b) => shareRight(a) - shareRight(b)).slice(0, 8)
  console.table(
    worst.map(result => ({
      résumé: `${result.id} (${result.format})`,
      right: percent(shareRight(result)),
      confidence: result.profile.extraction_confidence,
      ...(fields && {
        wrong: Object.entries(result.tallies)
          .filter(([, t]) => t.right < t.wanted || t.right < t.found)
          .map(([name]) => name)
          .join(' '),
      }),
    })),
  )
}

function printTimes(results: LabelledResult[]): void {
  console.log('\nMilliseconds for a file')
  const rows = [...Map.groupBy(results, ({ format }) => format)].map(([format, all]) => {
    const times = all.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)]! * 10) / 10
    return [format, { median: at(0.5), p95: at(0.95), files: times.length }]
  })
  console.table(Object.fromEntries(rows))
}

function printLayouts(title: string, all: Measured[]): void {
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

const dev = await measureSet('dev')
const heldOut = process.argv.includes('--dev') ? [] : await measureSet('held-out')
console.log(`Labelled résumés, percent: ${dev.length} files to develop on, ${heldOut.length} held out`)
printSets({ dev, ...(heldOut.length > 0 && { 'held-out': heldOut }) })
printWorst('To develop on', dev, true)
if (heldOut.length > 0) printWorst('Held out', heldOut, false)
printTimes([...dev, ...heldOut])
printLayouts('Usual layouts', await measureAccuracy(LAYOUTS))
printLayouts('Rough layouts', await measureAccuracy(ROUGH_LAYOUTS))
