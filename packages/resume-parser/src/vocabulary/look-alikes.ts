/** Characters of other scripts and fonts that look like the letters, digits and signs of e-mail addresses and URLs. */

/** Pairs: the look-alike, then the character that it is read as. Those that NFKC changes are not listed. */
const PAIRS = (text: string): (readonly [string, string])[] => {
  const characters = [...text.replace(/\s+/g, '')]
  return characters.flatMap((one, i) => (i % 2 === 0 ? [[one, characters[i + 1] ?? ''] as const] : []))
}

/** Letters; in words of their own script they mean themselves. */
export const LETTERS: ReadonlyMap<string, string> = new Map(
  PAIRS(`
    аa еe оo рp сc уy хx іi јj ѕs ԁd һh ԛq ԝw кk мm тt пn ьb ӏl гr вb нh
    АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЈJ ЅS ԌG ԜW
    αa οo νv ιi κk ρp τt υu χx γy εe ηn ωw ϲc ϳj
    ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX
    ոn օo սu ցg հh
    ıi ɡg ɑa ƅb ɩi ʋv
    ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz`),
)

/** Signs that look like those of an e-mail address or a URL, in any text. */
export const SIGNS: ReadonlyMap<string, string> = new Map(
  PAIRS('ⓐ@ ⒜@ 。. ｡. ٫. ۔. ꓸ. ܁. ・. ･. ‧. ⸳. ∕/ ⁄/ ⧸/ ╱/ ∶: ꞉:'),
)

const range = (first: number, signs: string): (readonly [string, string])[] =>
  [...signs].map((sign, i) => [String.fromCodePoint(first + i), sign] as const)

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Digits and letters in circles and squares that have no normal form. */
export const ENCLOSED: ReadonlyMap<string, string> = new Map([
  ...range(0x2776, '123456789'),
  ...range(0x2780, '123456789'),
  ...range(0x278a, '123456789'),
  ...range(0x24f5, '123456789'),
  ...range(0x24ff, '0'),
  ...range(0x1f150, ALPHABET),
  ...range(0x1f170, ALPHABET),
])

/** Numerals that are written like the digits of a number: only long runs of them are one. */
export const CHINESE_DIGITS = '〇一二三四五六七八九'

/** Words in brackets that mean `@`; those that texts have in brackets for other reasons; those that mean a full stop. */
export const AT_WORDS = 'at|ät|@|arroba|arobase|chiocciola|chez|a t'
export const RARE_AT_WORDS =
  'A[tT]|Arroba|ARROBA|ат|ατ|собака|собачка|małpa|zavináč|klammeraffe|παπάκι|アット|アットマーク|골뱅이|艾特|آت|שטרודל'
export const DOT_WORDS =
  'dot|punkt|point|punto|ponto|kropka|tečka|bodka|точка|крапка|τελεία|ドット|점|点|點|نقطة|נקודה|d0t|\\.'
