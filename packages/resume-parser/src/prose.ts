import { findSpan } from './dates.ts'
import { trimMarks } from './lines.ts'
import { looksLikeTitle } from './vocabulary/titles.ts'
import type { WorkPosition } from './work-position.ts'

/**
 * Positions described in sentences: `From 2019 to 2021 I was a Support Engineer at Acme, where …`. The title follows a
 * verb or an `as`, the employer an `at`, in the languages below.
 */
const ROLE =
  /(?<!\p{L})(?:as|was|am|been|became|worked as|working as|als|bin|war|comme|été|suis|como|fui|soy|come|sono stat[oa]|stat[oa]|jako|som|ik was)\s+(?:an?\s|the\s|une?\s|un\s|una\s|uno\s|eine?\s|een\s|um\s|uma\s|en\s|ett\s)?([\p{L}][\p{L}\s/&.+#-]{2,70}?)\s+(?:at|for|with|@|bei|für|chez|pour|en|para|presso|per|na|no|w|hos|på|voor|bij|u|v)\s+((?:the\s|der\s|la\s|le\s|el\s)?[\p{Lu}\p{N}][^,.;:()]{1,70})/u
const COMPANY_END =
  /\s{1,3}(?:where|in which|and|wo|und|où|et|donde|dove|onde|waar|gdzie|from|since|until|von|seit|de|bis|surtout)\s.*$/u

const STILL_VERB =
  /^(?:working|employed|worked|tätig|travaillé|trabajando|lavorando)\s+(?:as|als|comme|como|come)\s+(?:an?\s)?/iu

/** The position that a sentence tells of, if it does. */
export function readProse(text: string, thisMonth: number): WorkPosition | undefined {
  const span = findSpan(text, thisMonth)
  if (!span) return undefined
  const [, title, company = ''] = ROLE.exec(`${text.slice(0, span.start)} ${text.slice(span.end)}`) ?? []
  if (title === undefined || !looksLikeTitle(title)) return undefined
  return {
    title: trimMarks(title.replace(STILL_VERB, '')),
    company: trimMarks(company.replace(COMPANY_END, '')),
    certain: true,
    span,
    text: text.slice(0, 500),
  }
}
