/** How many entries must be fixed before the list can be saved; undefined: none. */
export function problemInWords(problems: ReadonlyMap<string, string>): string | undefined {
  const entries = new Set([...problems.keys()].map(name => name.split(' ')[0])).size
  if (entries === 0) return undefined
  return entries === 1 ? 'One question needs to be fixed.' : `${entries} questions need to be fixed.`
}
