/**
 * Values in the storage of a tab or of all tabs, below a prefix; their keys begin with whom they belong to. A browser may
 * refuse its storage, or have no space left: then nothing is stored.
 */
export class BrowserStorage<T> {
  readonly #kind: 'sessionStorage' | 'localStorage'
  readonly #prefix: string

  constructor(kind: 'sessionStorage' | 'localStorage', prefix: string) {
    this.#kind = kind
    this.#prefix = `${prefix} `
  }

  /** `undefined` where the browser refuses it. */
  #try<R>(work: (storage: Storage) => R): R | undefined {
    try {
      return work(window[this.#kind])
    } catch {
      return undefined
    }
  }

  read(key: string): T | undefined {
    return this.#try(storage => JSON.parse(storage.getItem(this.#prefix + key) ?? 'null') as T | null) ?? undefined
  }

  /** Returns whether it is stored. */
  write(key: string, value: T): boolean {
    const isStored = this.#try(storage => {
      storage.setItem(this.#prefix + key, JSON.stringify(value))
      return true
    })
    return isStored ?? false
  }

  remove(key: string): void {
    this.#try(storage => storage.removeItem(this.#prefix + key))
  }

  /** Those that begin with `start`. */
  keys(start = ''): string[] {
    const stored = this.#try(storage => Object.keys(storage)) ?? []
    const keys = stored.filter(key => key.startsWith(this.#prefix)).map(key => key.slice(this.#prefix.length))
    return keys.filter(key => key.startsWith(start))
  }

  /** Removes all but those of `holder`; without one, all. */
  forget(holder?: string): void {
    for (const key of this.keys()) if (!(holder && key.startsWith(`${holder} `))) this.remove(key)
  }
}
