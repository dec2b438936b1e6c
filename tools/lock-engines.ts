import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The service runs on the Node that its package `node` brings, whatever Node npm itself runs on. A dependency that needs a
 * newer one than npm's is no fault, but npm warns about it. So the lock file leaves out what such a dependency says about
 * Node; `npm install` may write it again, then run `node tools/lock-engines.ts`.
 */
const LOCK = join(import.meta.dirname, '../package-lock.json')
/** npm may run on each of these; the package `node` is the last one. */
export const NODES = ['20.19.0', '22.13.0', '24.0.0'] as const

interface Lock {
  packages: Record<string, { engines?: Record<string, string> | string[] }>
}

const numbers = (version: string): number[] => version.split('.').map(Number)

/** -1, 0 or 1, for as many parts as the second one has. */
function compare(version: string, to: string): number {
  const [own, other] = [numbers(version), numbers(to)]
  const at = other.findIndex((part, i) => part !== own[i])
  return at < 0 ? 0 : Math.sign(own[at]! - other[at]!)
}

/** Whether a version is in a range of npm: comparators, `^`, `~`, `||`; `x` is any part. */
export function isInRange(version: string, range: string): boolean {
  const fits = (comparator: string): boolean => {
    const [, sign, text] = /^(>=|<=|>|<|=|\^|~)?v?(.*)$/.exec(comparator)!
    const to = text!.replace(/(\.[x*])+$/, '')
    if (to === '' || to === '*' || to === 'x') return true
    const order = compare(version, to)
    if (sign === '^') return order >= 0 && numbers(version)[0] === numbers(to)[0]
    if (sign === '~') return order >= 0 && compare(version, to.split('.').slice(0, 2).join('.')) === 0
    return { '>=': order >= 0, '<=': order <= 0, '>': order > 0, '<': order < 0 }[sign ?? ''] ?? order === 0
  }
  return range.split('||').some(part =>
    part
      .trim()
      .replaceAll(/([<>=^~]) +/g, '$1')
      .split(/ +/)
      .every(fits),
  )
}

/** The packages about which npm would warn on one of the versions of Node. */
export function warnedAbout(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([name, { engines }]) => {
    const range = Array.isArray(engines) ? undefined : engines?.['node']
    return range === undefined || NODES.every(version => isInRange(version, range)) ? [] : [name]
  })
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as Lock
  for (const name of warnedAbout(lock)) {
    const { engines, ...rest } = lock.packages[name]!
    const { node: _left, ...others } = engines as Record<string, string>
    lock.packages[name] = Object.keys(others).length > 0 ? { ...rest, engines: others } : rest
    process.stdout.write(`${name}\n`)
  }
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
}
