/** Where the words are not those of the type. */
const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  person: ['identity', 'identities'],
  resume: ['résumé', 'résumés'],
}

/** What people call an object of the API: `application`, `sourced profiles`. */
export function recordWord(object: string, count: number): string {
  const plain = object.replaceAll('_', ' ')
  const [one, many] = WORDS[object] ?? [plain, `${plain}s`]
  return count === 1 ? one : many
}
