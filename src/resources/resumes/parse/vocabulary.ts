/** Words that the rules know. All comparisons are in lower case. */

const words = (text: string): string[] => text.split(/\s*,\s*/)

export type Section = 'experience' | 'education' | 'skills' | 'languages' | 'contact' | 'summary' | 'other'

const HEADINGS: Readonly<Record<Section, string[]>> = {
  experience: words(
    'experience, work experience, professional experience, employment, employment history, work history, career history, career, relevant experience, berufserfahrung, expérience professionnelle, experiencia laboral, pracovní zkušenosti',
  ),
  education: words(
    'education, education and training, academic background, academic history, qualifications, studies, ausbildung, bildung, formation, formación, vzdělání',
  ),
  skills: words(
    'skills, technical skills, key skills, core skills, skills and tools, core competencies, competencies, technologies, tech stack, expertise, areas of expertise, kenntnisse, compétences, habilidades, dovednosti',
  ),
  languages: words(
    'languages, language skills, spoken languages, sprachen, sprachkenntnisse, langues, idiomas, jazyky',
  ),
  contact: words('contact, contact details, personal details, personal information, kontakt, coordonnées, contacto'),
  summary: words('summary, profile, about, about me, professional summary, objective, profil, perfil'),
  other: words(
    'projects, publications, certifications, certificates, awards, interests, hobbies, references, volunteering, additional information, courses, patents, memberships',
  ),
}

const SECTION_OF = new Map(
  Object.entries(HEADINGS).flatMap(([section, names]) => names.map(name => [name, section as Section])),
)

/** The section that a line opens, if it is a heading. */
export function headingOf(line: string): Section | undefined {
  if (line.length > 40) return undefined
  const name = line
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[:.\s]+$/, '')
    .replace(/^[\s•*#=-]+/, '')
  // some designers space the letters out: E X P E R I E N C E
  return SECTION_OF.get(name) ?? (/^(?:\S ){3,}\S$/.test(name) ? SECTION_OF.get(name.replace(/ /g, '')) : undefined)
}

const TITLE = new RegExp(
  String.raw`\b(?:${[
    'engineer developer programmer architect scientist analyst designer manager director consultant specialist',
    'administrator coordinator assistant accountant nurse teacher lecturer researcher recruiter officer lead head',
    'technician operator representative advisor adviser strategist editor writer journalist lawyer attorney',
    'paralegal physician doctor pharmacist therapist intern trainee apprentice associate executive president chief',
    'cto ceo cfo coo vp founder owner partner supervisor foreman electrician mechanic driver chef cook waiter',
    'barista cashier salesperson buyer planner controller auditor tester qa sre devops freelancer professor',
    'marketer copywriter producer photographer translator clerk secretary receptionist librarian',
  ]
    .join(' ')
    .split(' ')
    .join('|')})s?\b`,
  'i',
)

export const looksLikeTitle = (text: string): boolean => TITLE.test(text)

const LEVELS: readonly (readonly [string, RegExp])[] = [
  ['intern', /\b(?:intern|internship|trainee|apprentice|working student)\b/i],
  ['principal', /\b(?:principal|staff|distinguished|chief|director|vp|vice president|cto|ceo|cfo|coo|head of)\b/i],
  ['lead', /\b(?:lead|team leader|head|manager)\b/i],
  ['senior', /\b(?:senior|sr\.?)(?=\s|$)/i],
  ['junior', /\b(?:junior|jr\.?|graduate|entry[- ]level|assistant)(?=\s|$)/i],
]

/** By what the title says, then by years; a title that says nothing and no years are no basis. */
export function seniorityOf(title: string | null, years: number | null): string | null {
  const named = title === null ? undefined : LEVELS.find(([, pattern]) => pattern.test(title))
  if (named) return named[0]
  if (years === null) return null
  return years < 2 ? 'junior' : years < 6 ? 'mid' : 'senior'
}

const DEGREES: readonly (readonly [string, RegExp])[] = [
  ['doctorate', /\b(?:ph\.? ?d\.?|doctorate|doctoral|doctor of|dr\. rer|d\.phil)/i],
  [
    'master',
    /\b(?:master(?:['’]s)?|m\.? ?sc\.?|m\.? ?a\.?|m\.? ?eng\.?|mba|diplom|ing\.|magister|mgr\.)(?=[\s,.(]|$)/i,
  ],
  ['bachelor', /\b(?:bachelor(?:['’]s)?|b\.? ?sc\.?|b\.? ?a\.?|b\.? ?eng\.?|licence|bc\.)(?=[\s,.(]|$)/i],
  ['associate', /\b(?:associate(?:['’]s)? degree|diploma|foundation degree)\b/i],
  ['secondary', /\b(?:high school|secondary school|a-levels|abitur|baccalauréat|gymnasium|matura|gcse)/i],
]

/** The highest degree that the text names. */
export const educationOf = (text: string): string | null =>
  DEGREES.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/** Every region and language that the platform knows by an English name. */
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

function namesOf(type: 'region' | 'language', codes: readonly string[]): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type, fallback: 'none' })
  return new Map(
    codes.flatMap(code => {
      const name = names.of(code)
      return name ? [[name.toLowerCase(), name] as const] : []
    }),
  )
}

const PAIRS = LETTERS.flatMap(a => LETTERS.map(b => a + b))
const REGIONS = namesOf('region', PAIRS)
const LANGUAGES = namesOf(
  'language',
  PAIRS.map(pair => pair.toLowerCase()),
)

const REGION_ALIASES: Readonly<Record<string, string>> = {
  uk: 'United Kingdom',
  'great britain': 'United Kingdom',
  england: 'United Kingdom',
  scotland: 'United Kingdom',
  wales: 'United Kingdom',
  usa: 'United States',
  us: 'United States',
  'united states of america': 'United States',
  uae: 'United Arab Emirates',
  'czech republic': 'Czechia',
  'the netherlands': 'Netherlands',
  holland: 'Netherlands',
  deutschland: 'Germany',
  österreich: 'Austria',
  schweiz: 'Switzerland',
  españa: 'Spain',
  türkiye: 'Türkiye',
  turkey: 'Türkiye',
}

const US_STATES = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC'.split(
    ' ',
  ),
)

export function countryOf(text: string): string | undefined {
  const name = text.trim().replace(/\.(?=.|$)/g, '')
  if (US_STATES.has(name)) return 'United States'
  const key = name.toLowerCase()
  return REGION_ALIASES[key] ?? REGIONS.get(key)
}

const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  mandarin: 'Chinese',
  cantonese: 'Chinese',
  deutsch: 'German',
  englisch: 'English',
  français: 'French',
  español: 'Spanish',
  farsi: 'Persian',
}

/** A spoken language at the start of a text such as `German (B2)`; not every two-letter oddity the platform knows. */
export function languageOf(text: string): string | undefined {
  const word = /^\p{L}{4,12}/u.exec(text.trim())?.[0].toLowerCase()
  return word === undefined ? undefined : (LANGUAGE_ALIASES[word] ?? LANGUAGES.get(word))
}

/** Skills looked for in the running text of a résumé that lists none. */
export const KNOWN_SKILLS: readonly string[] = words(
  'TypeScript, JavaScript, Python, Java, Kotlin, Swift, Go, Rust, C++, C#, Ruby, PHP, Scala, Elixir, SQL, PostgreSQL, MySQL, MongoDB, Redis, Kafka, RabbitMQ, Elasticsearch, GraphQL, REST, Node.js, React, Vue, Angular, Svelte, Next.js, Django, Flask, FastAPI, Spring, Rails, Laravel, .NET, Docker, Kubernetes, Terraform, Ansible, AWS, Azure, GCP, Linux, Git, CI/CD, Jenkins, Spark, Hadoop, Airflow, dbt, Snowflake, BigQuery, Tableau, Power BI, Excel, SAP, Salesforce, Figma, Sketch, Photoshop, Illustrator, SEO, Google Analytics, HubSpot, Jira, Scrum, Agile, Kanban, Machine learning, Deep learning, PyTorch, TensorFlow, Pandas, NumPy, R, MATLAB, AutoCAD, SolidWorks, Accounting, Payroll, Recruiting, Negotiation, Copywriting, Project management, Product management',
)
