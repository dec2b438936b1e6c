import { createLog, type Log } from '../../src/kernel/telemetry/log.ts'

/**
 * Every test runs with made-up people. Whatever looks like one of them must not be in a log line, a figure, an event or
 * the body of an error: email addresses, LinkedIn profiles, and words that tests plant for this purpose.
 */
export const PLANT = 'zqplant'

const PERSONAL = new RegExp(
  [String.raw`[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}`, String.raw`linkedin\.com/in/[^\s"<…]`, PLANT].join('|'),
  'i',
)

/** The same in the dialect of PostgreSQL, for texts that are stored. */
export const PERSONAL_IN_SQL = `[[:alnum:]_.+-]+@[[:alnum:]_-]+(\\.[[:alnum:]_-]+)*\\.[a-z]{2,}|linkedin\\.com/in/|${PLANT}`

export const personalIn = (text: string): string | undefined => PERSONAL.exec(text)?.[0]

export function refusePersonal(where: string, text: string): void {
  const found = personalIn(text)
  if (found !== undefined) throw new Error(`personal data in ${where}: ${found} in ${text.slice(0, 2_000)}`)
}

/** A log that keeps every line, also those that are not printed at the level that was asked for. */
export function watchedLog(level: string): { log: Log; lines: string[] } {
  const lines: string[] = []
  const printed = PRINTED[level] ?? 50
  const log = createLog('debug', {
    write(line: string) {
      lines.push(line)
      const { level: name } = JSON.parse(line) as { level: string }
      if ((PRINTED[name] ?? 0) >= printed) process.stderr.write(line)
    },
  })
  return { log, lines }
}

const PRINTED: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 100 }
