import type { TextLine } from './lines.ts'
import type { Sections } from './sections.ts'

export interface Authorization {
  work_authorization: string | null
  visa_required: boolean | null
}

const MAX_TEXT = 200

/** Said outside a section of its own, it takes more than the word `visa`, which is also the name of a firm. */
const STATEMENT =
  /\b(?:(?:work(?:ing)?|employment) (?:authori[sz]ation|permit|visa|eligibility)|(?:authori[sz]ed|eligible|right|permitted|entitled|allowed) to work|visa (?:sponsorship|status|required|not required|holder)|(?:requires?|needs?|need for|without|no) (?:a |any |visa )?(?:visa|sponsorship)|sponsorship (?:required|needed|not required)|(?:h-?1b|l-?1|o-?1|tn|opt|cpt|ead|tier \d) (?:visa|status|holder|eligible)|green card|permanent residen(?:t|cy|ce)|settled status|arbeitserlaubnis|arbeitsgenehmigung|aufenthaltserlaubnis|permis de travail|autorisation de travail|travailler en \p{L}+ : autoris|permiso de trabajo|permesso di (?:lavoro|soggiorno)|autorização de trabalho|visto de trabalho|werkvergunning|pozwolenie na pracę|arbetstillstånd)/iu

const NEEDED =
  /\b(?:requires?|requiring|needs?|needing|require|will need|seeking|benötige?t?|erforderlich|nécessite|besoin|necesito|necesita|richiede|preciso|nodig|potrzebuję)\b.{0,40}?\b(?:visa|visum|sponsorship|work permit|permit|authori[sz]ation|arbeitserlaubnis|permis|permiso|permesso|visto|vergunning)\b|\b(?:visa|visum|sponsorship|work permit|arbeitserlaubnis)\b.{0,16}?\b(?:required|needed|necessary|erforderlich|benötigt|nötig|requis|necesari[oa]|richiesto|necessário|nodig)\b|\bnot (?:currently )?(?:authori[sz]ed|eligible|permitted|allowed)\b/iu
const NEGATED =
  /\b(?:no|not|without|never|don['’]t|doesn['’]t|does not|do not|kein[e]?|nicht|ohne|sans|pas|no necesito|sin|non|senza|não|sem|geen|niet|nie|bez)\b.{0,40}?\b(?:visa|visum|sponsorship|sponsor|work permit|arbeitserlaubnis|permis|permiso|permesso|visto|vergunning|required|needed|erforderlich)\b/iu
const ALLOWED =
  /\b(?:authori[sz]ed|eligible|entitled|permitted|allowed|right|legally able|unrestricted|able) to work\b|\b(?:citizen|citizenship|national|permanent resident|permanent residency|green card|settled status|indefinite leave|ead holder|staatsbürger(?:schaft)?|unbefristet|vorhanden|liegt vor|ressortissant|ciudadan[oa]|cittadin[oa]|cidadã[o]?|eu[- ](?:citizen|bürger|passport))\b|: autoris/iu

function visaOf(text: string): boolean | null {
  if (/\bnot (?:currently )?(?:authori[sz]ed|eligible|permitted|allowed)\b/i.test(text)) return true
  if (NEGATED.test(text)) return false
  if (NEEDED.test(text)) return true
  return ALLOWED.test(text) ? false : null
}

/** Headings say that something follows; what follows is the authorization. */
export function readAuthorization(sections: Sections): Authorization {
  const own = sections.get('authorization') ?? []
  const elsewhere = (['top', 'contact', 'summary', 'other', 'skills', 'languages'] as const)
    .flatMap(name => sections.get(name) ?? [])
    .filter((line: TextLine) => line.text.length <= 300 && STATEMENT.test(line.text))
  const text =
    own.length > 0
      ? own
          .slice(0, 3)
          .map(line => line.parts.join(' '))
          .join('; ')
      : statement(elsewhere[0])
  if (!text) return { work_authorization: null, visa_required: null }
  return { work_authorization: text.slice(0, MAX_TEXT), visa_required: visaOf(text) }
}

/** The sentence of a line that speaks of it, without its label. */
function statement(line: TextLine | undefined): string | undefined {
  const sentence = line?.parts
    .join(' ')
    .split(/(?<=[.!?])\s+|\s[|•·]\s/)
    .find(part => STATEMENT.test(part))
  return sentence
    ?.replace(/^(?:work authori[sz]ation|visa status|visa|arbeitserlaubnis)\s?:\s?/i, '')
    .replace(/(?<=\p{Ll})\.$/u, '')
}
