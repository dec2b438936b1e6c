/** An entry of a list that is edited. The key is the id of a stored one. */
export interface Item {
  key: string
}

let created = 0
/** The key of an entry that is not stored yet. */
export const newFieldKey = (): string => `new-${++created}`
export const isNew = ({ key }: Item): boolean => key.startsWith('new-')

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * My changes on top of theirs; both began with `base`. What I changed, added, removed or ordered is as I left it, everything
 * else as they did. An entry that I changed and they removed is added as a new one.
 */
export function mergeLists<T extends Item>(base: readonly T[], mine: readonly T[], theirs: readonly T[]): T[] {
  const [was, own, other] = [base, mine, theirs].map(list => new Map(list.map(item => [item.key, item])))
  const changedByMe = (item: T) => !was!.has(item.key) || !same(was!.get(item.key), item)
  const kept = mine.filter(item => other!.has(item.key) || changedByMe(item))
  const added = theirs.filter(item => own!.has(item.key) || !was!.has(item.key))

  const keysIn = (list: readonly T[], map: ReadonlyMap<string, T>) =>
    list.filter(({ key }) => map.has(key)).map(({ key }) => key)
  const orderedByMe = !same(keysIn(mine, was!), keysIn(base, own!))
  const [first, second] = orderedByMe ? [kept, added] : [added, kept]
  const keys = first.map(({ key }) => key)
  for (const [i, { key }] of second.entries()) {
    if (keys.includes(key)) continue
    // after the entry that it follows where it comes from
    const before = second.slice(0, i).findLast(item => keys.includes(item.key))
    keys.splice(before ? keys.indexOf(before.key) + 1 : 0, 0, key)
  }
  return keys.map(key => {
    const item = own!.get(key)
    if (!item || !changedByMe(item)) return other!.get(key) ?? item!
    return was!.has(key) && !other!.has(key) ? { ...item, key: newFieldKey() } : item
  })
}

/** What someone else did, in a few words each. */
export function differences<T extends Item>(
  base: readonly T[],
  theirs: readonly T[],
  nameOf: (item: T) => string,
): string[] {
  const [was, is] = [base, theirs].map(list => new Map(list.map(item => [item.key, item])))
  const found = [
    ...theirs.filter(({ key }) => !was!.has(key)).map(item => `added “${nameOf(item)}”`),
    ...base.filter(({ key }) => !is!.has(key)).map(item => `removed “${nameOf(item)}”`),
    ...theirs.flatMap(item => {
      const before = was!.get(item.key)
      if (!before || same(before, item)) return []
      const [from, to] = [nameOf(before), nameOf(item)]
      return [from === to ? `changed “${to}”` : `renamed “${from}” to “${to}”`]
    }),
  ]
  const order = (list: readonly T[], map: ReadonlyMap<string, T>) =>
    list.filter(({ key }) => map.has(key)).map(({ key }) => key)
  return same(order(base, is!), order(theirs, was!)) ? found : [...found, 'changed the order']
}
