import { registerHooks } from 'node:module'
import nodeTest, { test as declare } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'

export const { after, afterEach, before, beforeEach, describe, mock } = nodeTest

let names: string[] = []
const places = new Map<string, string>()

/**
 * `test` of `node:test`, which notes every test that a file declares. Node drops one that is declared directly after an await
 * of a promise which another file made, and reports nothing; a declared test without a result is a failure of its file.
 */
export const test: typeof declare = Object.assign((...args: Parameters<typeof declare>) => {
  const [name] = args
  if (typeof name === 'string') {
    names.push(name)
    const [, caller] = getCallSites(2)
    if (caller) places.set(name, `${fileURLToPath(caller.scriptName)}:${caller.lineNumber}`)
  }
  return declare(...args)
}, declare)

/** From now on, modules that import `node:test` get this module. */
export function watchDeclarations(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' && context.parentURL !== import.meta.url
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  })
}

/** The file and line that declare a test; to Node it is this file. */
export const placeOfTest = (name: string): string | undefined => places.get(name)

/** The names of the tests that were declared since the last call. */
export function takeDeclared(): string[] {
  const declared = names
  names = []
  return declared
}

/** Those of the declared tests that have no result. Names of results begin with those of the suites around them. */
export function withoutResult(declared: readonly string[], results: readonly { name: string }[]): string[] {
  const open = results.map(({ name }) => name)
  return declared.filter(name => {
    const found = open.findIndex(result => result === name || result.endsWith(` › ${name}`))
    if (found >= 0) open.splice(found, 1)
    return found < 0
  })
}
