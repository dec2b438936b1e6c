/** Words that passwords often contain, in several languages. */
const COMMON =
  `password passwort passwd passphrase secret geheim letmein welcome willkommen bienvenue hello hallo bonjour
  login signin admin administrator root master user username guest test testing demo temp default changeme change please
  qwerty azerty qwertz iloveyou loveyou love princess dragon monkey sunshine shadow football baseball soccer hockey
  superman batman starwars pokemon michael charlie jordan daniel thomas andrew jennifer jessica ashley summer winter
  spring autumn sommer herbst january february march april june july august september october november december monday
  tuesday wednesday thursday friday saturday sunday freedom whatever trustno computer internet google facebook linkedin
  company business office hiring recruiting recruiter recruitment jobs work access server system security private
  flower cookie cheese coffee chocolate banana orange purple silver golden ginger pepper buster hunter killer ranger
  tigger rangers lovely angel babygirl motdepasse contrasena senha parola wachtwoord haslo`.split(/\s+/)

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'azertyuiop', 'qsdfghjklm', 'wxcvbn', 'qwertzuiop', 'yxcvbnm']

/** `p4$$w0rd` is as easy to guess as `password`. */
const SWAPPED: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Passwords with fewer parts are among the first millions of guesses. */
const FEWEST_PARTS = 5

/**
 * Whether a password can be guessed from common passwords and parts of the email address. Each common word, year, row
 * of keys, run of the alphabet and repeated letter counts as one part; every other letter counts as one, a sign or a
 * blank as half.
 */
export function isEasyPassword(email: string, password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  const spelt = text.replace(/[0134579@$!]/g, sign => SWAPPED[sign] ?? sign)
  const words = [...COMMON, ...email.toLowerCase().split(/[^\p{L}\p{N}]+/u)].filter(word => word.length >= 4)
  return [text, spelt].some(spelling => fewestParts(spelling, words) < FEWEST_PARTS)
}

/** The smallest number of parts that the text consists of. */
function fewestParts(text: string, words: readonly string[]): number {
  const least = [0]
  const cost = (end: number) => least[end] ?? 0
  for (let end = 1; end <= text.length; end++) {
    let best = cost(end - 1) + (/[\p{L}\p{N}]/u.test(text.charAt(end - 1)) ? 1 : 0.5)
    const from = startOfRun(text, end)
    if (end - from >= 3) for (let at = from; at <= end - 3; at++) best = Math.min(best, cost(at) + 1)
    const year = /(?:19|20)\d\d$/.exec(text.slice(Math.max(0, end - 4), end))
    if (year) best = Math.min(best, cost(end - 4) + 1)
    for (const word of words) {
      if (text.endsWith(word, end)) best = Math.min(best, cost(end - word.length) + 1)
    }
    least.push(best)
  }
  return cost(text.length)
}

/** The start of the run that ends at `end`: a repeated letter, a run of the alphabet, or a row of keys. */
function startOfRun(text: string, end: number): number {
  let earliest = end
  for (const goesOn of [repeats, counts(1), counts(-1), isOnRow]) {
    let from = end - 1
    while (from > 0 && goesOn(text, from)) from--
    earliest = Math.min(earliest, from)
  }
  return earliest
}

type GoesOn = (text: string, at: number) => boolean
const repeats: GoesOn = (text, at) => text[at] === text[at - 1]
const counts =
  (step: number): GoesOn =>
  (text, at) => {
    const between = text.charCodeAt(at) - text.charCodeAt(at - 1)
    return between === step || (step === 1 && text[at - 1] === '9' && text[at] === '0')
  }
const isOnRow: GoesOn = (text, at) => {
  const [before, here] = [text.charAt(at - 1), text.charAt(at)]
  return ROWS.some(row => row.includes(before + here) || row.includes(here + before))
}
