import type { Level } from '../occupations.ts'

/** A job as the demo tells it. All times are days ago; what is not said follows from the occupation. */
export interface JobPlan {
  title: string
  occupation: string
  level: Level | null
  team: string | null
  employment: 'full_time' | 'part_time' | 'contract' | 'intern' | 'temp' | null
  location: 'remote' | 'hybrid' | 'onsite' | null
  places: readonly string[]
  pay: Pay | null
  status: 'draft' | 'published' | 'closed'
  created: number
  published: number | null
  updated: number
  /** days ago when the last application could arrive; 0 while applications are taken */
  openUntil: number
  /** how many apply, compared with the other jobs */
  pull: number
  /** the partner system that pushed it and its id there; a job without was made in the product */
  pushed?: readonly [system: string, externalId: string]
  /** in days from now; negative is past */
  closesIn?: number
  acceptsApplications?: false
  externalApplyUrl?: string
  /** left without any text, and so not ready to be published */
  unwritten?: true
  stages?: 'long'
  form?: 'everything' | 'questions'
  voiceScreening?: false
  /** its own text instead of the one that is made from the occupation */
  words?: JobWords
}

export interface JobWords {
  /** The language that the text and the people who apply use. */
  language: string
  summary: string
  description: string
  responsibilities: readonly string[]
  requirements: readonly string[]
  niceToHave: readonly string[]
  benefits: readonly string[]
}

export interface Pay {
  min: number | null
  max: number | null
  currency: string
  interval: 'hourly' | 'monthly' | 'annual'
  equity?: string
  commission?: true
}

const yearly = (min: number, max: number, extra: Partial<Pay> = {}): Pay => ({
  min,
  max,
  currency: 'USD',
  interval: 'annual',
  ...extra,
})
const hourly = (min: number, max: number): Pay => ({ min, max, currency: 'USD', interval: 'hourly' })

type Times = Pick<JobPlan, 'status' | 'created' | 'published' | 'updated' | 'openUntil'>

const open = (published: number, updated: number): Times => ({
  status: 'published',
  created: published + 3,
  published,
  updated,
  openUntil: 0,
})
const closed = (published: number, closedAt: number): Times => ({
  status: 'closed',
  created: published + 4,
  published,
  updated: closedAt,
  openUntil: closedAt,
})
const draft = (created: number, updated: number): Times => ({
  status: 'draft',
  created,
  published: null,
  updated,
  openUntil: created,
})

type JobDetails = Partial<JobPlan> & Pick<JobPlan, 'level'>

function job(title: string, occupation: string, facts: JobDetails, times: Times): JobPlan {
  const usual = {
    team: null,
    employment: 'full_time',
    location: 'hybrid',
    places: ['Boston'],
    pay: null,
    pull: 3,
  } as const
  return { title, occupation, ...usual, ...facts, ...times }
}

export const ACME_JOBS: readonly JobPlan[] = [
  job(
    'Senior Robotics Software Engineer',
    'robotics',
    {
      level: 'senior',
      team: 'Autonomy',
      places: ['Boston', 'Zurich, Switzerland'],
      pay: yearly(165_000, 205_000, { equity: '0.05% - 0.10%' }),
      pull: 8,
      form: 'everything',
    },
    open(215, 6),
  ),
  job(
    'Perception Engineer',
    'perception',
    {
      level: 'mid',
      team: 'Perception',
      location: 'onsite',
      places: ['Pittsburgh'],
      pay: yearly(140_000, 172_000, { equity: '0.03%' }),
      pull: 6,
      stages: 'long',
    },
    open(212, 11),
  ),
  job(
    'Embedded Firmware Engineer',
    'embedded',
    { level: 'mid', team: 'Drives', pushed: ['greenlake_ats', 'GL-1042'], pay: yearly(132_000, 158_000), pull: 5 },
    open(209, 27),
  ),
  job(
    'Mechanical Design Engineer',
    'mechanical',
    {
      level: 'mid',
      team: 'Grippers',
      location: 'onsite',
      pushed: ['greenlake_ats', 'GL-1057'],
      pay: yearly(112_000, 139_000),
      pull: 4,
    },
    open(190, 33),
  ),
  job(
    'Controls Engineer',
    'controls',
    { level: 'senior', team: 'Autonomy', pay: yearly(150_000, 180_000), pull: 4 },
    closed(205, 60),
  ),
  job(
    'Manufacturing Technician',
    'manufacturing',
    {
      level: 'junior',
      employment: 'part_time',
      location: 'onsite',
      places: ['Austin, TX'],
      pay: hourly(28, 36),
      pull: 4,
    },
    open(150, 48),
  ),
  job(
    'Site Reliability Engineer',
    'reliability',
    {
      level: 'senior',
      team: 'Cloud',
      location: 'remote',
      places: [],
      pay: yearly(155_000, 190_000, { equity: '0.04%' }),
      pull: 5,
      form: 'questions',
    },
    open(120, 3),
  ),
  job(
    'Frontend Engineer, Operator Console',
    'frontend',
    {
      level: 'mid',
      team: 'Console',
      employment: 'contract',
      location: 'remote',
      places: ['Berlin, Germany', 'Lisbon, Portugal'],
      pay: { min: 6_500, max: 8_200, currency: 'EUR', interval: 'monthly' },
      pull: 5,
    },
    open(100, 19),
  ),
  job('Data Analyst', 'data', { level: 'junior', pay: yearly(82_000, 98_000), pull: 4 }, open(80, 14)),
  job('Product Designer', 'design', { level: 'mid', team: 'Console', pay: yearly(118_000, 146_000) }, open(75, 22)),
  job(
    'Product Manager, Fleet',
    'product',
    { level: 'lead', team: 'Fleet', pay: yearly(160_000, 195_000, { equity: '0.08%' }), closesIn: 12 },
    open(70, 9),
  ),
  job(
    'Robotics Engineering Intern',
    'robotics',
    {
      level: 'intern',
      team: 'Autonomy',
      employment: 'intern',
      location: 'onsite',
      pay: hourly(34, 34),
      pull: 5,
      voiceScreening: false,
    },
    open(45, 8),
  ),
  job(
    'Field Service Technician',
    'manufacturing',
    {
      level: 'junior',
      employment: 'temp',
      location: 'onsite',
      places: ['Austin', 'Seattle', 'Toronto, Canada'],
      pay: hourly(30, 38),
      pull: 2,
    },
    open(40, 16),
  ),
  job(
    'Principal Machine Learning Engineer',
    'perception',
    {
      level: 'principal',
      team: 'Perception',
      location: 'remote',
      places: [],
      pay: yearly(215_000, 265_000, { equity: '0.20%' }),
    },
    open(30, 4),
  ),
  job(
    'Account Executive',
    'sales',
    {
      level: 'mid',
      location: 'remote',
      places: ['London, UK'],
      pushed: ['peoplehub', 'req-7731'],
      pay: { min: 70_000, max: 90_000, currency: 'GBP', interval: 'annual', commission: true },
      pull: 2,
    },
    open(60, 12),
  ),
  job(
    'Customer Success Manager',
    'success',
    {
      level: 'senior',
      pushed: ['peoplehub', 'req-7750'],
      pay: yearly(105_000, 125_000),
      pull: 3,
      acceptsApplications: false,
    },
    { ...open(50, 10), openUntil: 10 },
  ),
  job(
    'Recruiting Coordinator',
    'people',
    {
      level: 'junior',
      pay: yearly(62_000, 74_000),
      pull: 1,
      externalApplyUrl: 'https://careers.acme-robotics.example/recruiting-coordinator',
    },
    open(20, 5),
  ),
  job(
    'Financial Analyst',
    'finance',
    { level: 'mid', pay: yearly(95_000, 115_000), pull: 3, closesIn: -20 },
    closed(160, 20),
  ),
  job(
    'Quality Engineer',
    'manufacturing',
    { level: 'senior', location: 'onsite', pushed: ['greenlake_ats', 'GL-0988'], pay: yearly(108_000, 130_000) },
    closed(210, 90),
  ),
  job(
    'Supply Chain Planner',
    'supply',
    { level: 'mid', location: 'onsite', pay: yearly(88_000, 104_000), pull: 2 },
    closed(110, 5),
  ),
  job(
    'Robotics Software Engineer II',
    'robotics',
    { level: 'mid', team: 'Autonomy', pay: yearly(138_000, 165_000), pull: 6 },
    open(14, 2),
  ),
  job(
    'Warehouse Automation Consultant',
    'success',
    { level: null, employment: 'contract', location: null, places: ['Amsterdam, Netherlands'], pull: 1 },
    open(8, 7),
  ),
  job(
    'Simulation Engineer',
    'robotics',
    { level: 'senior', team: 'Autonomy', pay: yearly(150_000, 185_000) },
    draft(4, 1),
  ),
  job(
    'Technical Writer',
    'design',
    { level: 'mid', employment: 'part_time', location: 'remote', places: [], pushed: ['greenlake_ats', 'GL-1101'] },
    draft(12, 12),
  ),
  // Published once, then taken back: a draft that has applications.
  job(
    'Safety Engineer',
    'controls',
    { level: 'lead', pay: yearly(145_000, 175_000), pull: 2 },
    { ...draft(116, 50), published: 110, openUntil: 50 },
  ),
  job(
    'Night-shift Assembly Technician',
    'manufacturing',
    { level: null, employment: null, location: null, places: [], unwritten: true },
    draft(2, 2),
  ),
  job(
    'Servicetechniker Robotik (m/w/d)',
    'manufacturing',
    {
      level: 'mid',
      team: 'Field service',
      location: 'onsite',
      places: ['Munich, Germany', 'Zurich, Switzerland'],
      pay: { min: 46_000, max: 58_000, currency: 'EUR', interval: 'annual' },
      pull: 3,
      words: {
        language: 'de',
        summary: 'Sie nehmen unsere Roboter bei Kundinnen und Kunden in Betrieb und halten sie am Laufen.',
        description: `## Worum es geht

Rund 120 unserer Roboter arbeiten in Lagern und Kliniken in Bayern und der Schweiz. Sie nehmen neue Anlagen in Betrieb,
finden Fehler vor Ort oder aus der Ferne und sagen unserer Entwicklung, was besser werden muss.

## So arbeiten wir

Sie planen Ihre Touren selbst und sind in der Regel abends zu Hause. Bereitschaft gibt es **eine Woche im Quartal**, sie
wird bezahlt und ausgeglichen. In den ersten sechs Wochen begleitet Sie eine erfahrene Kollegin oder ein erfahrener
Kollege.`,
        responsibilities: [
          'Roboter in Betrieb nehmen, warten und reparieren',
          'Fehler in Mechanik, Elektrik und Software eingrenzen',
          'Teams unserer Kundschaft einweisen',
          'Schwachstellen dokumentieren und mit der Entwicklung beheben',
        ],
        requirements: [
          'Abgeschlossene Ausbildung in Mechatronik, Elektrotechnik oder einem ähnlichen Beruf',
          'Sicheres Deutsch, Englisch für Anleitungen',
          'Führerschein der Klasse B',
        ],
        niceToHave: ['Erfahrung mit CAN-Bus oder SPS', 'Grundkenntnisse in Linux'],
        benefits: ['30 Tage Urlaub', 'Dienstwagen, auch privat', 'Bezahlte Bereitschaft', 'Weiterbildung'],
      },
    },
    open(36, 13),
  ),
]

export const GLOBEX_JOBS: readonly JobPlan[] = [
  job(
    'Platform Engineer',
    'reliability',
    { level: 'senior', location: 'remote', places: [], pay: yearly(140_000, 170_000) },
    open(180, 20),
  ),
  job(
    'Energy Data Scientist',
    'data',
    { level: 'mid', places: ['Munich, Germany'], pay: yearly(85_000, 98_000, { currency: 'EUR' }) },
    open(150, 31),
  ),
  job('Lead Product Designer', 'design', { level: 'lead', places: ['Munich, Germany'] }, open(90, 15)),
  job(
    'Embedded Engineer, Inverters',
    'embedded',
    { level: 'mid', location: 'onsite', pushed: ['talentgrid', 'TG-55'] },
    open(85, 9),
  ),
  job(
    'Power Electronics Engineer',
    'controls',
    { level: 'senior', location: 'onsite', pushed: ['talentgrid', 'TG-58'] },
    open(60, 7),
  ),
  job('Frontend Engineer', 'frontend', { level: 'junior', location: 'remote', places: [] }, open(40, 4)),
  job(
    'Enterprise Account Executive',
    'sales',
    { level: 'senior', pay: yearly(90_000, 120_000, { commission: true }) },
    open(35, 12),
  ),
  job('Demand Planner', 'supply', { level: 'mid' }, closed(140, 45)),
  job('Financial Controller', 'finance', { level: 'lead' }, closed(120, 30)),
  job('Working Student, Data', 'data', { level: 'intern', employment: 'intern' }, draft(6, 3)),
]

export const INITECH_JOBS: readonly JobPlan[] = [
  job('Software Engineer', 'frontend', { level: 'mid', places: ['Austin, TX'] }, open(70, 18)),
  job('Accountant', 'finance', { level: 'junior', location: 'onsite', places: ['Austin, TX'] }, open(40, 11)),
  job(
    'Office Manager',
    'people',
    { level: null, employment: 'part_time', location: 'onsite', places: ['Austin, TX'] },
    closed(55, 8),
  ),
]
