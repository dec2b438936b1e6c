/** An entry of a list that is edited. The key is the id of a stored one. */
export interface Item {
  key: string
}

let created = 0
/** The key of an entry that is not stored yet. */
export const newFieldKey = (): string => `new-${++created}`
export const isNew = ({ key }: Item): boolean => key.startsWith('new-')

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const byKey = <T extends Item>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map(item => [item.key, item]))

/** Keeps the order of the list and leaves out what the other one does not have. */
const keysIn = (list: readonly Item[], map: ReadonlyMap<string, Item>): string[] =>
  list.filter(({ key }) => map.has(key)).map(({ key }) => key)

/**
 * My changes on top of theirs; both began with `base`. What I changed, added, removed or ordered is as I left it, everything
 * else as they did. An entry that I changed and they removed is added as a new one.
 */
export function mergeLists<T extends Item>(base: readonly T[], mine: readonly T[], theirs: readonly T[]): T[] {
  const [was, own, other] = [byKey(base), byKey(mine), byKey(theirs)]
  const changedByMe = (item: T) => !was.has(item.key) || !same(was.get(item.key), item)
  const remaining = mine.filter(item => other.has(item.key) || changedByMe(item))
  const added = theirs.filter(item => own.has(item.key) || !was.has(item.key))

  const orderedByMe = !same(keysIn(mine, was), keysIn(base, own))
  const [first, second] = orderedByMe ? [remaining, added] : [added, remaining]
  const merged = [...first]
  const positionOf = ({ key }: T) => merged.findIndex(item => item.key === key)
  for (const [i, item] of second.entries()) {
    if (positionOf(item) !== -1) continue
    // after the entry that it follows where it comes from
    const before = second.slice(0, i).findLast(each => positionOf(each) !== -1)
    merged.splice(before ? positionOf(before) + 1 : 0, 0, item)
  }
  return merged.map(either => {
    const { key } = either
    const item = own.get(key)
    if (!item || !changedByMe(item)) return other.get(key) ?? either
    return was.has(key) && !other.has(key) ? { ...item, key: newFieldKey() } : item
  })
}

/** What someone else did, in a few words each. */
export function differences<T extends Item>(
  base: readonly T[],
  theirs: readonly T[],
  nameOf: (item: T) => string,
): string[] {
  const [was, is] = [byKey(base), byKey(theirs)]
  const found = [
    ...theirs.filter(({ key }) => !was.has(key)).map(item => `added “${nameOf(item)}”`),
    ...base.filter(({ key }) => !is.has(key)).map(item => `removed “${nameOf(item)}”`),
    ...theirs.flatMap(item => {
      const before = was.get(item.key)
      if (!before || same(before, item)) return []
      const [from, to] = [nameOf(before), nameOf(item)]
      return [from === to ? `changed “${to}”` : `renamed “${from}” to “${to}”`]
    }),
  ]
  return same(keysIn(base, is), keysIn(theirs, was)) ? found : [...found, 'changed the order']
}
