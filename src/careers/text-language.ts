/**
 * The language that a text is written in, by its most frequent words: a screen reader pronounces it with that. undefined
 * where it is not clear: then the text is marked with no language, and is read in that of the page.
 */
const FREQUENT: Readonly<Record<string, string>> = {
  en: 'the and of to you we our with for is are will your in on that this what why how do have work join us team at be as an or from who',
  de: 'der die das und du sie wir unser unsere mit für ist sind wirst deine ihre im auf dass dies was warum wie haben arbeit bei als ein eine oder von wer den dem zu zur zum nicht auch werden über',
  fr: 'le la les et de des du vous nous notre avec pour est sont sera votre dans sur que ce pourquoi comment avez travail une ou aux au qui pas plus',
  es: 'el la los las y de del usted nosotros nuestro con para es son será su en que este por cómo tiene trabajo una o al quien no más tu',
  it: 'il la i gli le e di del della noi nostro con per è sono sarà tuo nel che questo perché come hai lavoro una o chi non più',
  nl: 'de het een en van je wij ons onze met voor is zijn zal jouw in op dat dit waarom hoe hebben werk bij als of wie niet ook naar',
}

/** How German advertisements say that everyone is meant. */
const GERMAN_TITLE = /\((?:[mwfdxi][/|*]){2}[mwfdxi]\)/i

const words = new Map<string, string[]>()
for (const [language, list] of Object.entries(FREQUENT))
  for (const word of list.split(' ')) words.set(word, [...(words.get(word) ?? []), language])

/** So much of a text is enough. */
const READ_CHARACTERS = 4_000
/** One word of another language is not a language. */
const LEAST_WORDS = 2

export function detectLanguage(text: string): string | undefined {
  if (GERMAN_TITLE.test(text)) return 'de'
  const counts = new Map<string, number>()
  for (const [word] of text
    .slice(0, READ_CHARACTERS)
    .toLowerCase()
    .matchAll(/\p{L}+/gu))
    for (const language of words.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1)
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1])
  if (first === undefined || first[1] < LEAST_WORDS) return undefined
  // If two languages have about as many words, neither is certain.
  return second !== undefined && second[1] * 1.5 > first[1] ? undefined : first[0]
}
