import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** Made-up pool profiles with the shape of real ones: few common titles, skills and places, many rare ones. */

function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Family {
  share: number
  titles: string[]
  skills: string[]
  industry: string
}

const list = (text: string) => text.split(',').map(part => part.trim())

export const FAMILIES: readonly Family[] = [
  {
    share: 22,
    industry: 'Software',
    titles: list(
      'Software Engineer, Backend Developer, Frontend Engineer, Full Stack Developer, DevOps Engineer, Site Reliability Engineer, Mobile Developer, iOS Developer, Android Developer, QA Engineer, Software Developer, Platform Engineer, Embedded Software Engineer, Engineering Manager, Solutions Architect',
    ),
    skills: list(
      'Python, JavaScript, TypeScript, React, Node.js, Java, Go, Kubernetes, Docker, AWS, PostgreSQL, MongoDB, C++, C#, .NET, Terraform, GraphQL, Redis, Kafka, Linux, Ruby on Rails, Swift, Kotlin, Microservices, CI/CD',
    ),
  },
  {
    share: 10,
    industry: 'Analytics',
    titles: list(
      'Data Scientist, Data Analyst, Data Engineer, Machine Learning Engineer, Business Intelligence Analyst',
    ),
    skills: list(
      'Python, SQL, Machine Learning, Pandas, Spark, Tableau, Power BI, Statistics, Deep Learning, NLP, Airflow, dbt, R',
    ),
  },
  {
    share: 8,
    industry: 'Design',
    titles: list('Product Designer, UX Designer, Graphic Designer, UI Designer, Creative Director'),
    skills: list('Figma, Sketch, User Research, Prototyping, Illustrator, Photoshop, Design Systems, Typography'),
  },
  {
    share: 14,
    industry: 'Sales',
    titles: list(
      'Account Executive, Sales Manager, Account Manager, Business Development Manager, Customer Success Manager',
    ),
    skills: list('CRM, Salesforce, Negotiation, Lead Generation, B2B, Forecasting, Cold Calling, Key Accounts'),
  },
  {
    share: 12,
    industry: 'Marketing',
    titles: list(
      'Marketing Manager, Content Writer, SEO Specialist, Social Media Manager, Brand Manager, Growth Marketer',
    ),
    skills: list('SEO, Google Analytics, Content Strategy, Copywriting, Email Marketing, Branding, Paid Search'),
  },
  {
    share: 14,
    industry: 'Finance',
    titles: list('Accountant, Financial Analyst, Controller, Auditor, Tax Consultant, Finance Manager'),
    skills: list('Excel, IFRS, Budgeting, SAP, Audit, Financial Modeling, Tax, Reporting, Accounts Payable'),
  },
  {
    share: 12,
    industry: 'Health Care',
    titles: list('Registered Nurse, Physician, Pharmacist, Physiotherapist, Medical Assistant, Dentist'),
    skills: list('Patient Care, Triage, Pharmacology, Pediatrics, Emergency Medicine, Rehabilitation, Phlebotomy'),
  },
  {
    share: 8,
    industry: 'Operations',
    titles: list('Project Manager, Operations Manager, HR Manager, Recruiter, Office Manager, Supply Chain Manager'),
    skills: list('Project Management, Agile, Scrum, Recruiting, Onboarding, Logistics, Procurement, Lean'),
  },
]

const CITIES = list(
  `London|United Kingdom|9, New York|United States|9, San Francisco|United States|7, Berlin|Germany|6, Paris|France|6,
  Bangalore|India|8, Toronto|Canada|5, Sydney|Australia|4, São Paulo|Brazil|5, Amsterdam|Netherlands|4, Madrid|Spain|4,
  Munich|Germany|3, Chicago|United States|5, Austin|United States|4, Boston|United States|4, Seattle|United States|5,
  Mumbai|India|5, Dublin|Ireland|2, Zürich|Switzerland|2, Stockholm|Sweden|2, Warsaw|Poland|3, Lisbon|Portugal|2,
  Milan|Italy|3, Hamburg|Germany|2, Lyon|France|2, Vienna|Austria|2, Prague|Czechia|2, Kraków|Poland|1, Leeds|United Kingdom|1,
  Denver|United States|3, Atlanta|United States|3, Los Angeles|United States|6, Montréal|Canada|2, Cologne|Germany|1,
  Barcelona|Spain|3, Rotterdam|Netherlands|1, Copenhagen|Denmark|2, Oslo|Norway|1, Helsinki|Finland|1, Tokyo|Japan|3,
  Singapore|Singapore|3, Dubai|United Arab Emirates|2, Cape Town|South Africa|1, Nairobi|Kenya|1, Mexico City|Mexico|3`,
).map(text => {
  const [city, country, share] = text.split('|')
  return { city: city!, country: country!, share: Number(share) }
})

const FIRST = list(
  'Ana, Ben, Carla, David, Elif, Farid, Grace, Hugo, Ines, Jonas, Karin, Liam, Mei, Nora, Omar, Petra, Quinn, Rosa, Sven, Tara, Uma, Viktor, Wei, Xenia, Yusuf, Zoë',
)
const SYLLABLES = list(
  'ba, ber, ca, dan, el, fin, gor, han, is, jo, kel, lu, mar, nov, or, pe, ros, sa, tam, ul, ver, wil, zen, ri, ton',
)
const SENIORITY = ['', '', '', '', 'Senior ', 'Senior ', 'Lead ', 'Junior ', 'Principal ']
const FILLER = list(
  'building, reliable, products, with, great, teams, across, several, markets, focused, on, quality, customers, growth, mentoring, delivery, open, source, remote, international',
)

export function* profiles(count: number, seed = 1): Generator<Record<string, unknown>> {
  const next = random(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  /** the first items are taken most */
  const lean = <T>(items: readonly T[]): T => items[Math.floor(next() * next() * items.length)]!
  const weighted = <T extends { share: number }>(items: readonly T[], total: number): T => {
    let left = next() * total
    for (const item of items) {
      left -= item.share
      if (left < 0) return item
    }
    return items[0]!
  }
  const families = FAMILIES.reduce((sum, f) => sum + f.share, 0)
  const cities = CITIES.reduce((sum, c) => sum + c.share, 0)
  const word = (syllables: number) => Array.from({ length: syllables }, () => pick(SYLLABLES)).join('')
  const companies = Array.from(
    { length: 20_000 },
    () => `${capital(word(3))} ${pick(['Inc', 'GmbH', 'Ltd', 'Labs', 'Group'])}`,
  )
  for (let i = 0; i < count; i++) {
    const family = weighted(FAMILIES, families)
    const { city, country } = weighted(CITIES, cities)
    const title = pick(SENIORITY) + lean(family.titles)
    const skills = [...new Set(Array.from({ length: 4 + Math.floor(next() * 6) }, () => lean(family.skills)))]
    const first = pick(FIRST)
    const last = capital(word(2 + Math.floor(next() * 2)))
    const company = lean(companies)
    yield {
      full_name: `${first} ${last}`,
      headline: `${title} at ${company}`,
      job_title: title,
      company_name: company,
      company_industry: family.industry,
      location_full: `${city}, ${country}`,
      location_country: country,
      linkedin_url: `https://www.linkedin.com/in/${first.toLowerCase()}-${last.toLowerCase()}-${seed}-${i.toString(36)}`,
      summary: Array.from({ length: 18 }, () => pick(FILLER)).join(' '),
      skills,
      languages: ['English'],
      total_experience_months: Math.floor(next() * 400),
      connections_count: Math.floor(next() * 500),
    }
  }
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** Searches of the specified kind: two titles, three skills and a place. */
export function* searches(count: number, seed = 99): Generator<{ terms: Record<string, string[]> }> {
  const next = random(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  for (let i = 0; i < count; i++) {
    const family = pick(FAMILIES)
    const place = pick(CITIES)
    yield {
      terms: {
        titles: [pick(family.titles), pick(SENIORITY) + pick(family.titles)],
        skills: Array.from({ length: 3 }, () => pick(family.skills)),
        locations: [next() < 0.3 ? place.country : place.city],
      },
    }
  }
}

/** The file of an import, a profile on each line. */
export async function writeProfiles(count: number, path: string): Promise<void> {
  const out = createWriteStream(path)
  let chunk = ''
  for (const profile of profiles(count)) {
    chunk += `${JSON.stringify(profile)}\n`
    if (chunk.length > 1_000_000) {
      if (!out.write(chunk)) await once(out, 'drain')
      chunk = ''
    }
  }
  out.end(chunk)
  await once(out, 'close')
}
