interface Store<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The cached value of a key, created at its first use. */
export function getOrCreate<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  let value = store.get(key)
  if (value === undefined) {
    value = make()
    store.set(key, value)
  }
  return value
}
