import type { SearchDocument } from '../../search/document-terms.ts'

/**
 * The people of the test pool: none of them exists, which their family names and companies show. They are made by arithmetic
 * from their number alone, so that every process, release and installation has the same ones under the same handles.
 */
export const TEST_POOL_SIZE = 500

export interface InventedPerson extends SearchDocument {
  number: number
  company_website: string
  languages: readonly string[]
  total_experience_months: number
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const FIRST_NAMES = words(`
  Ada Amina Anders Beatriz Bilal Chidi Chloé Elif Emil Fatima Femke Greta Hana Idris Jonas Kofi Leila Mateo Mei Naoki
  Noor Priya Rosa Søren Zoë
`)

const LAST_NAMES = words(`
  Dummerton Exampleby Fakerström Fictionelli Fixturez Imaginova Inventado Mockeburg Mockridge Nobodowski Pretendé
  Placeholt Samplewood Sandboxley Stubbington Testarossi Testerfield Testmann Trialova Unrealsen
`)

interface Occupation {
  title: string
  department: string
  skills: readonly string[]
}

const occupation = (title: string, department: string, skills: string): Occupation => ({
  title,
  department,
  skills: skills.split(', '),
})

const OCCUPATIONS: readonly Occupation[] = [
  occupation('Software Engineer', 'Engineering', 'TypeScript, Node.js, PostgreSQL, Docker, Kubernetes, AWS, Git'),
  occupation('Data Engineer', 'Engineering', 'Python, SQL, Spark, Airflow, dbt, Kafka, AWS'),
  occupation('Robotics Software Engineer', 'Engineering', 'ROS 2, C++, Python, Motion planning, Linux, Gazebo'),
  occupation('Perception Engineer', 'Engineering', 'PyTorch, Computer vision, Python, C++, Lidar, Sensor fusion'),
  occupation('Embedded Firmware Engineer', 'Engineering', 'C, C++, RTOS, CAN bus, ARM Cortex-M, Zephyr'),
  occupation('Mechanical Design Engineer', 'Engineering', 'SolidWorks, GD&T, FEA, Sheet metal, Prototyping'),
  occupation('Product Manager', 'Product', 'Roadmapping, User research, Analytics, SQL, Stakeholder management'),
  occupation('Product Designer', 'Design', 'Figma, Prototyping, Design systems, Usability testing, Accessibility'),
  occupation('Account Executive', 'Sales', 'Enterprise sales, Negotiation, Salesforce, Forecasting, Solution selling'),
  occupation('Recruiter', 'People', 'Sourcing, Interviewing, Employer branding, Onboarding, Boolean search'),
  occupation('Financial Controller', 'Finance', 'IFRS, Consolidation, Budgeting, SAP, Excel, Audit'),
  occupation('Supply Chain Planner', 'Operations', 'Demand planning, SAP, Procurement, Excel, Lean, Logistics'),
  occupation('Welder', 'Production', 'TIG welding, MIG welding, Blueprint reading, Quality control, Forklift'),
]

const LEVELS = ['', 'Junior', '', 'Senior', 'Lead'] as const
const MANAGEMENT_LEVEL = { '': 'Staff', Junior: 'Entry', Senior: 'Senior', Lead: 'Lead' } as const
const YEARS = { '': 4, Junior: 1, Senior: 8, Lead: 11 } as const

const COMPANIES: readonly (readonly [name: string, industry: string])[] = [
  ['Placeholder Robotics', 'Robotics'],
  ['Mockingbird Logistics', 'Logistics'],
  ['Sample Harbour Shipping', 'Logistics'],
  ['Fictional Optics', 'Electronics'],
  ['Sandbox Health', 'Health Care'],
  ['Trial Street Bank', 'Financial Services'],
  ['Dry Run Motors', 'Automotive'],
  ['Stub Analytics', 'Software'],
  ['Lorem Foods', 'Food Production'],
  ['Fixture Avionics', 'Aerospace'],
]

const PLACES: readonly (readonly [city: string, country: string, ...languages: string[]])[] = [
  ['Boston', 'United States', 'English'],
  ['Austin', 'United States', 'English', 'Spanish'],
  ['Toronto', 'Canada', 'English', 'French'],
  ['London', 'United Kingdom', 'English'],
  ['Dublin', 'Ireland', 'English'],
  ['Zurich', 'Switzerland', 'German', 'English'],
  ['Berlin', 'Germany', 'German', 'English'],
  ['Munich', 'Germany', 'German', 'English'],
  ['Amsterdam', 'Netherlands', 'Dutch', 'English'],
  ['Gothenburg', 'Sweden', 'Swedish', 'English'],
  ['Lisbon', 'Portugal', 'Portuguese', 'English'],
  ['Nairobi', 'Kenya', 'English', 'Swahili'],
  ['Bengaluru', 'India', 'English', 'Hindi'],
  ['Osaka', 'Japan', 'Japanese', 'English'],
]

/** The element that a property of a person gets: looks like chance, and is the same each time. */
function pick<T>(items: readonly T[], number: number, property: number): T {
  let mixed = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(property, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = (mixed ^ (mixed >>> 13)) >>> 0
  return items[mixed % items.length] as T
}

/** Numbers from 0 on; no two people have the same name. */
export function inventPerson(number: number): InventedPerson {
  const { title, department, skills } = pick(OCCUPATIONS, number, 1)
  const level = pick(LEVELS, number, 2)
  const [company_name, company_industry] = pick(COMPANIES, number, 3)
  const [city, country, ...languages] = pick(PLACES, number, 4)
  const job_title = level === '' ? title : `${level} ${title}`
  const years = YEARS[level] + pick([0, 1, 2], number, 5)
  const left = pick(skills, number, 6)
  return {
    number,
    full_name: `${FIRST_NAMES[number % FIRST_NAMES.length]} ${LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length]}`,
    headline: `${job_title} at ${company_name}`,
    job_title,
    company_name,
    company_industry,
    company_website: `https://${company_name.toLowerCase().replaceAll(' ', '-')}.example`,
    department,
    management_level: MANAGEMENT_LEVEL[level],
    location_full: `${city}, ${country}`,
    location_country: country,
    summary: `Invented: no one has this profile. ${years} years in ${company_industry.toLowerCase()}.`,
    skills: skills.filter(skill => skill !== left),
    languages,
    total_experience_months: years * 12,
  }
}
