import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SMALL_DATASETS } from './datasets/size.ts'
import { BenchEnvironment } from './kit/environment.ts'
import { measure, type Pace } from './kit/measure.ts'
import { heading, report } from './kit/report.ts'
import { allScenarios } from './kit/scenarios.ts'
import { usingAsync } from './kit/using-async.ts'

const RESULTS = join(import.meta.dirname, 'RESULTS.md')

const HELP = `Measures this service against bare servers that run the same SQL, and prints the ratios.

  node bench/run.ts [options]

  --only PATTERN   only rows whose name contains this text
  --seconds N      length of one measurement (1)
  --rounds N       measurements of each figure, of which the median counts (5)
  --retake-seconds N seconds that measurements disturbed by other work may add, by being taken again (60)
  --quick          short measurements, for a first look
  --check          measure nothing: with small datasets, compare the responses of the servers for every row
  --list           name the rows and end
  --help           this text

A whole run takes about twelve minutes on a machine with nothing else to do and writes bench/RESULTS.md; one with --only
or --quick writes nothing. The run brings its own PostgreSQL and leaves nothing behind. Any unexpected
response fails it.
Where the service's time goes: node bench/profile.ts --help`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    'retake-seconds': { type: 'string' },
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

// before the datasets are loaded
if (values.check) process.env[SMALL_DATASETS] = '1'
const rows = (await allScenarios()).filter(({ name }) => name.includes(values.only))
if (values.help) console.log(HELP)
else if (values.list) console.log(rows.map(({ name }) => name).join('\n'))
else if (rows.length === 0) fail(`no row is called like ${values.only}`)
else if (values.check) await check()
else await run()

async function check(): Promise<void> {
  await usingAsync(BenchEnvironment.openForCheck(), async stage => {
    for (const [, group] of Map.groupBy(rows, row => row.dataset)) {
      await stage.enter(group)
      for (const { name } of group) console.log(`same responses: ${name}`)
      await stage.leave()
    }
  })
}

async function run(): Promise<void> {
  const pace: Pace = {
    seconds: positive('seconds', values.seconds, values.quick ? 0.4 : 1),
    rounds: positive('rounds', values.rounds, values.quick ? 3 : 5),
    warmUpSeconds: values.quick ? 1.5 : 3,
    settleSeconds: 0.2,
    soak: values.quick ? 0.1 : 1,
    retakeSeconds: positive('retake-seconds', values['retake-seconds'], values.quick ? 10 : 60),
  }
  const startedAt = performance.now()
  const say = (line: string) =>
    console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`)
  say('PostgreSQL starts')
  const results = await usingAsync(BenchEnvironment.open(), stage => measure(stage, rows, pace, say))
  say('done')
  const text = report(results)
  console.log(`\n${text}\n`)
  if (values.only === '' && !values.quick) {
    writeFileSync(RESULTS, `${heading('npm run bench', pace.rounds, pace.seconds)}\n\n${text}\n`)
  }
}

function positive(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (!(value > 0)) fail(`--${name} must be a number above 0`)
  return value
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
