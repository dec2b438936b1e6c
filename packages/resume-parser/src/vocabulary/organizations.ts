import { fold, words } from './words.ts'

/** Legal forms, folded and without dots; as the last word of a name, or as its own part behind a comma. */
const FORMS = new Set(
  words(`inc llc llp lp ltd limited plc corp corporation co company gmbh ag se kg ohg gbr ug ev eg mbh sa sas sasu sarl eurl snc
    sl slu sau sc scoop spa srl srls sapa lda ltda me sgps bv nv vof cv ab as asa oy oyj aps zoo sa spzoo sro spol kft zrt rt
    srl sia uab ood eood ad doo dd pty pte pvt bhd kk gk holding holdings group`),
)

const NOUNS = new Set(
  words(`university college school institute academy hospital clinic bank agency studio studios labs lab laboratory
    laboratories systems solutions technologies technology software consulting partners associates ministry department council
    foundation association society press museum theatre theater hotel hotels restaurant cafe bistro airlines insurance
    logistics industries motors energy pharma foods records media networks
    universitat hochschule klinik klinikum krankenhaus bank agentur verlag stiftung verein kanzlei praxis werke werk stadt
    gemeinde amt ministerium institut gruppe versand handel
    universite hopital clinique banque agence cabinet mairie association fondation editions librairie lycee ministere
    universidad hospital clinica banco agencia ayuntamiento fundacion restaurante hotel editorial seguros transportes colegio
    universita ospedale clinica banca agenzia comune fondazione ristorante studio officine fonderie
    universidade banco agencia camara fundacao colegio construtora universiteit ziekenhuis gemeente stichting bedrijf
    uniwersytet szpital bank agencja urzad fundacja instytut universitet sjukhus kommun kommune univerzita nemocnice urad`),
)

const bare = (text: string): string =>
  fold(text)
    .replace(/\./g, '')
    .replace(/\s{1,3}z\s{1,3}o\s{0,3}o$/, ' zoo')
    .trim()

/** `GmbH`, `Inc.`, `Sp. z o.o.`: the legal form of the part before. */
export const isLegalForm = (text: string): boolean =>
  FORMS.has(bare(text).replace(/[\s&+]+/g, '')) || /^(?:co kg|& co)/.test(bare(text))

/** Whether a text ends with a legal form, a place behind it left aside. */
export function hasLegalForm(text: string): boolean {
  const all = (bare(text).split(/,\s*/)[0] ?? '').split(/[\s&+()-]+/)
  return all.length > 1 && FORMS.has(all.at(-1) ?? '')
}

/** Whether a text is likely the name of an organization, by its legal form or by a word for its kind. */
export const namesOrganization = (text: string): boolean =>
  hasLegalForm(text) ||
  bare(text)
    .split(/[\s,&+()-]+/)
    .some(word => NOUNS.has(word))
