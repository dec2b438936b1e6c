import { findSpan, type Span } from './dates.ts'
import { nameHeader } from './header.ts'
import { type TextLine, trimMarks } from './lines.ts'
import { fold } from './vocabulary/words.ts'
import type { WorkPosition } from './work-position.ts'

/** Forms that say what each line is: `Dates: …`, `Occupation or position held: …`, `Name of employer: …`. */
const LABELS: Readonly<Record<'dates' | 'title' | 'company' | 'other', RegExp>> = {
  dates:
    /^(?:dates?|period|from|date \(da|daty|fechas?|datas?|data|zeitraum|datum|periode)(?: \(?[\p{L}\s–-]{1,20}\)?)?$/u,
  title:
    /^(?:occupation or position held|occupation|position(?: held)?|job title|function|beruf oder funktion|funktion|poste occupe|fonction(?: ou poste occupe)?|profesion o cargo desempenado|cargo|puesto|lavoro o posizione ricoperti|posizione ricoperta|funcao ou cargo ocupado|zawod lub zajmowane stanowisko|stanowisko|functie|beroep of functie)$/,
  company:
    /^(?:name (?:and address )?of employer|employer|company|name und adresse des arbeitgebers|arbeitgeber|firma|nom (?:et adresse )?de l'employeur|employeur|nombre y direccion de la empresa|empresa|nome e indirizzo del datore di lavoro|datore di lavoro|azienda|nome e endereco do empregador|empregador|nazwa i adres pracodawcy|pracodawca|werkgever|naam (?:en adres )?van de werkgever)$/,
  other:
    /^(?:main activities(?: and responsibilities)?|type of business(?: or sector)?|responsibilities|sector|activities|tatigkeitsbereich.{0,30}|branche|principales? (?:actividades|activites).{0,30}|principali (?:attivita|mansioni).{0,30}|tipo de empresa.{0,20}|rodzaj dzialalnosci.{0,20}|glowne zajecia.{0,30})$/,
}

const labelOf = (text: string): keyof typeof LABELS | undefined => {
  const bare = fold(text).replace(/[:\s]{1,8}$/, '')
  return (Object.keys(LABELS) as (keyof typeof LABELS)[]).find(name => LABELS[name].test(bare))
}

/** The positions of such a form; none where a résumé is no form. */
export function readLabelled(lines: readonly TextLine[], thisMonth: number): WorkPosition[] {
  const rows = lines.flatMap(line => {
    const [label = '', ...values] =
      line.parts.length > 1 ? line.parts : (/^([^:]{3,50}):\s{0,3}(.+)$/u.exec(line.text)?.slice(1) ?? [])
    const name = labelOf(label)
    return name && values.length > 0 ? [{ name, value: values.join(' ') }] : []
  })
  if (!rows.some(row => row.name === 'title') || !rows.some(row => row.name === 'dates')) return []
  const positions: WorkPosition[] = []
  let entry: { span?: Span; title?: string; company?: string; dates?: string } = {}
  const close = () => {
    if (entry.span && entry.title !== undefined) {
      const { title, company = null, span, dates = '' } = entry
      positions.push({ title, company, certain: true, span, text: [title, company, dates].filter(Boolean).join(' · ') })
    }
    entry = {}
  }
  for (const { name, value } of rows) {
    if (name === 'dates' && entry.dates !== undefined) close()
    if (name === 'dates') {
      const span = findSpan(value, thisMonth)
      entry = { ...entry, dates: value, ...(span && { span }) }
    } else if (name === 'title') entry.title = trimMarks(value)
    else if (name === 'company') {
      const company = nameHeader(value.split(/,\s+(?=\p{L}{1,8}\.?\s)/u, 1), null, false).company ?? trimMarks(value)
      entry.company = company
    }
  }
  close()
  return positions
}
