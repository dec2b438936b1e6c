import { type Param, refuseParam, textParam } from '../kernel/http/params.ts'

/** Texts between separators, without repetitions. */
export const textsParam = (description: string, separator: RegExp | string, most: number): Param<string[]> => {
  const given = textParam(description, 5_000)
  return {
    ...given,
    parse: text => {
      const parts = given.parse(text).split(separator)
      const texts = [...new Set(parts.map(part => part.trim()))].filter(part => part !== '')
      return texts.length > most ? refuseParam(`must be at most ${most}`) : texts
    },
  }
}
