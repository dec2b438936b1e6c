const SLUG_LENGTH = 60

/**
 * The readable part of a URL: letters and digits of any script, joined by hyphens. Accents of Latin, Greek and
 * Cyrillic letters go; the marks of other scripts are vowels and tones, without which they would be other words.
 */
export function slugify(title: string, otherwise: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Join_Control}\p{Variation_Selector}]+/gu, '')
    .toLowerCase()
    .normalize('NFC')
  const joined = plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu)?.join('-') ?? ''
  const cut = [...joined].slice(0, SLUG_LENGTH).join('')
  return cut.replace(/-$/, '') || otherwise
}
