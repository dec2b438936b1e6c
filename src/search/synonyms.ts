import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stemmedWords } from '../kernel/text/stemmer.ts'
import { tokenize } from '../kernel/text/tokenize.ts'

export type SynonymSection = 'titles' | 'skills' | 'places'

/** Every phrase of a group leads to all phrases of the groups it is in, each as its words. */
export interface Synonyms {
  of: (words: readonly string[]) => readonly (readonly string[])[] | undefined
  /** words of the longest phrase */
  longest: number
}

function build(lines: readonly string[], read: (text: string) => string[]): Synonyms {
  const groups = new Map<string, string[][]>()
  let longest = 1
  for (const line of lines) {
    const phrases = line.split(',').map(read)
    for (const phrase of phrases) {
      longest = Math.max(longest, phrase.length)
      const key = phrase.join(' ')
      groups.set(key, [...(groups.get(key) ?? []), ...phrases])
    }
  }
  return { of: words => groups.get(words.join(' ')), longest }
}

const text = readFileSync(join(import.meta.dirname, 'synonyms.txt'), 'utf8')

function section(name: SynonymSection): string[] {
  const body = text.split(/^\[/m).find(part => part.startsWith(`${name}]`)) ?? ''
  return body
    .split('\n')
    .slice(1)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}

/** Places are compared as they are written: endings of names are not inflections. */
export const SYNONYMS: Readonly<Record<SynonymSection, Synonyms>> = {
  titles: build(section('titles'), stemmedWords),
  skills: build(section('skills'), stemmedWords),
  places: build(section('places'), tokenize),
}
