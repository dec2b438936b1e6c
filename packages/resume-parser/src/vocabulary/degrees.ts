import { fold, words } from './words.ts'

export type Level = 'doctorate' | 'master' | 'bachelor' | 'associate' | 'secondary'

const ORDER: readonly Level[] = ['doctorate', 'master', 'bachelor', 'associate', 'secondary']

/**
 * Degrees by level, as patterns over folded text in which every word stands between spaces; dots are gone
 * (`b.sc.` is `bsc`). Within one entry the first level that fits counts, so what is more particular stands first.
 */
const DEGREES: readonly (readonly [Level, RegExp])[] = [
  [
    'doctorate',
    / (?:phd|ph d|dphil|doctorate|doctoral|doctor of|edd|dba|md phd|dr (?:rer|phil|ing|med|iur|oec)|promotion|promotionsstudium|doktor|doktorat|doktorgrad|doctorat|these de|doctorado|dottorato|doutoramento|doutorado|doktorsexamen|tohtori)(?= )/,
  ],
  [
    'secondary',
    / (?:high school|secondary school|grammar school|a levels?|ged|gcses?|hsc|abitur|fachabitur|allgemeine hochschulreife|fachhochschulreife|mittlere reife|realschulabschluss|hauptschulabschluss|matura|matur|maturita|maturite|baccalaureat|bac (?:general|s|es|l|pro|professionnel|technologique|stmg|sti2d)|bachillerato|eso|selectividad|diploma di (?:maturita|liceo|perito|scuola)|liceo|ensino medio|ensino secundario|12 ano|vwo|havo|vmbo|liceum|technikum|gymnasieexamen|gymnasium|studentexamen|student(?:er)?eksamen|ylioppilas|lukio|gymnazium|lise|erettsegi)(?= )/,
  ],
  [
    'master',
    / (?:master|masters|master's|msc|ms|ma|mba|meng|mres|mphil|mfa|mpa|mph|llm|med|m a|m s|m sc|m eng|m ed|m phil|magister|mgr|mgr inz|ing|diplom|diplom \p{L}+|diplomingenieur\p{L}*|dipl ing|dipl \p{L}+|dipl|staatsexamen|lizentiat|maitrise|dea|dess|diplome d'ingenieur|ingenieur diplome\p{L}*|mastere|grande ecole|mastaire|maestria|posgrado|master universitario|licenciado|laurea magistrale|laurea specialistica|laurea quinquennale|laurea vecchio ordinamento|mestrado|mestre|mestrado integrado|doctorandus|drs|ingenieur|ir|magisterexamen|civilingenjor|kandidatspeciale|cand \p{L}+|sivilingenior|maisteri|diplomi insinoori|kandidat nauk|inzenyr|magistr|inzynier magister|okleveles|yuksek lisans)(?= )/u,
  ],
  [
    'bachelor',
    / (?:bachelor|bachelors|bachelor's|bsc|bs|ba|beng|bba|bfa|btech|bcom|bed|llb|bas|bca|bit|b a|b s|b sc|b eng|b tech|b com|b b a|sb|ab|undergraduate degree|licence|licence pro|licence professionnelle|but|grado en|grado|graduado|graduada|licenciatura|ingenieria tecnica|diplomatura|laurea triennale|laurea in|laurea|bacharelado|bacharel|tecnologo|hbo|wo bachelor|baccalaureus|licencjat|inzynier|inz|kandidatexamen|hogskoleexamen|professionsbachelor|bacheloroppgave|kandidaatti|kandidat|bc|bakalar|bakalar\p{L}*|vysoka skola|foiskola|licenta|lisans)(?= )/u,
  ],
  [
    'associate',
    / (?:associate of \p{L}+|associate degree|associate's degree|associates? in|aas|aa|as degree|a a|a s|foundation degree|hnd|hnc|diploma|higher national diploma|bts|dut|deug|deust|tecnico superior|fp superior|grado superior|ciclo formativo\p{L}*|its|istituto tecnico superiore|ctesp|tecnologia em|mbo|ad|associate)(?= )/u,
  ],
]

const spaced = (text: string): string =>
  ` ${fold(text)
    .replace(/(?<=\p{L})\./gu, '')
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()} `

/** The level of the degree that a text names. */
export const findDegreeLevel = (text: string): Level | null =>
  DEGREES.find(([, pattern]) => pattern.test(spaced(text)))?.[0] ?? null

/** The highest level among entries. */
export function highestLevel(entries: readonly string[]): Level | null {
  const found = entries.map(findDegreeLevel)
  return ORDER.find(level => found.includes(level)) ?? null
}

const SCHOOLS = words(`university universities college institute institut school academy polytechnic conservatory campus
  universitat hochschule fachhochschule gymnasium realschule hauptschule gesamtschule grundschule berufsschule gewerbeschule
  berufskolleg akademie schule kolleg universite ecole lycee college faculte iut iae institut universidad escuela instituto
  facultad colegio academia ies politecnica universita politecnico liceo istituto scuola accademia ateneo universidade
  faculdade escola colegio politecnico universiteit hogeschool school lyceum college instituut roc uniwersytet politechnika
  akademia szkola liceum technikum universitet hogskola hogskolan gymnasieskola skola universitetet hojskole hoyskole
  yliopisto ammattikorkeakoulu lukio univerzita vysoka skola gymnazium fakulta vut cvut egyetem foiskola universitatea
  universitesi lisesi mit eth epfl kth ntnu insead caltech ucla bootcamp`)

const SCHOOL_SET = new Set(SCHOOLS)
const SCHOOL_ENDS =
  /(?:universitat|hochschule|schule|universiteit|hogeschool|universitet|hogskola|gymnasium|kolleg|akademie|lyceum)$/

/** Whether a text names a school. */
export const namesSchool = (text: string): boolean =>
  fold(text)
    .split(/[^\p{L}]+/u)
    .some(word => SCHOOL_SET.has(word) || (word.length > 9 && SCHOOL_ENDS.test(word)))
