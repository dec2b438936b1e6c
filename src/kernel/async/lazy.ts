import { createRequire } from 'node:module'

/** Made at the first call, then always the same: for what takes long to make and many processes never need. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const require = createRequire(import.meta.url)

/** A CommonJS package that is loaded at its first use. */
export const lazyPackage = <T>(name: string): (() => T) => lazy(() => require(name) as T)
