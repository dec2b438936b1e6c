const PARTICLES = /^(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ben|ter|ten|zu|zum|zur|af|av)$/i

/** The last name begins with its first particle, or is the last word. */
export function splitName(name: string): { first?: string; last?: string } {
  const words = name.trim().split(/\s+/).map(calm)
  if (words.length < 2) return {}
  const particle = words.findIndex((word, i) => i > 0 && PARTICLES.test(word))
  const cut = particle > 0 ? particle : words.length - 1
  return { first: words.slice(0, cut).join(' '), last: words.slice(cut).join(' ') }
}

/** A name in capitals is written that way for its looks. */
const calm = (word: string): string =>
  word.length > 2 && word === word.toUpperCase() && !word.includes('.')
    ? word.toLowerCase().replace(/(^|[-'’])(\p{L})/gu, (_, mark: string, letter: string) => mark + letter.toUpperCase())
    : word
