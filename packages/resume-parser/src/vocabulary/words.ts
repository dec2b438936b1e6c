/** A list written as text: entries separated by commas, or by white space where they are single words. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map(entry => entry.trim().replace(/\s+/g, ' '))
    .filter(entry => entry !== '')

export const words = (text: string): string[] => text.trim().split(/\s+/)

/** Lower case without accents, for comparing words that people write with and without them. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ł/g, 'l').replace(/ø/g, 'o').replace(/’/g, "'")
