import type { SearchRequest } from '../src/search/query-parser.ts'

/** Profiles and searches with the results that a recruiter would want, graded by hand: 3 exactly, 2 well, 1 somewhat. */

const profile = (
  name: string,
  job_title: string,
  skills: string,
  location_full: string,
  more: { company_name?: string; headline?: string; summary?: string } = {},
) => ({
  full_name: name,
  job_title,
  skills: skills.split(',').map(skill => skill.trim()),
  location_full,
  location_country: location_full.split(',').at(-1)!.trim(),
  linkedin_url: `https://www.linkedin.com/in/judged-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`,
  ...more,
})

export const JUDGED_PROFILES = [
  profile('Swe One', 'Software Engineer', 'Python, Django, PostgreSQL', 'Berlin, Germany', { company_name: 'Zalando' }),
  profile('Swe Two', 'Software Developer', 'Python, Flask, Postgres', 'Berlin, Germany'),
  profile('Swe Three', 'Senior Software Engineer', 'Java, Spring, Kubernetes', 'Berlin, Germany'),
  profile('Swe Four', 'Programmer', 'PHP, MySQL', 'Potsdam, Germany'),
  profile('Swe Five', 'Software Engineer', 'Python, Kubernetes, AWS', 'Munich, Germany'),
  profile('Swe Six', 'Software Engineering Manager', 'Leadership, Python', 'Berlin, Germany'),
  profile('Js One', 'Frontend Developer', 'JavaScript, React, CSS', 'Lisbon, Portugal'),
  profile('Js Two', 'Front-End Engineer', 'JS, Vue.js, HTML', 'Lisboa, Portugal'),
  profile('Js Three', 'Full Stack Developer', 'TypeScript, Node.js, React', 'Porto, Portugal'),
  profile('Js Four', 'UI Engineer', 'ReactJS, TypeScript', 'Lisbon, Portugal'),
  profile('Sre One', 'Site Reliability Engineer', 'Kubernetes, Terraform, AWS', 'Dublin, Ireland'),
  profile('Sre Two', 'DevOps Engineer', 'k8s, Terraform, Amazon Web Services', 'Cork, Ireland'),
  profile('Sre Three', 'Systems Administrator', 'Linux, Bash', 'Dublin, Ireland'),
  profile('Sre Four', 'Platform Engineer', 'Go, Kubernetes', 'Dublin, Ireland'),
  profile('Ds One', 'Data Scientist', 'Machine Learning, Python, Pandas', 'Zürich, Switzerland'),
  profile('Ds Two', 'Machine Learning Engineer', 'ML, PyTorch, Python', 'Zurich, Switzerland'),
  profile('Ds Three', 'Data Analyst', 'SQL, Tableau', 'Zürich, Switzerland'),
  profile('Ds Four', 'Head of Data Science', 'Machine Learning, Leadership', 'Geneva, Switzerland'),
  profile('Ds Five', 'Research Scientist', 'Natural Language Processing, Deep Learning', 'Zürich, Switzerland'),
  profile('Ux One', 'UX Designer', 'Figma, User Research', 'São Paulo, Brazil'),
  profile('Ux Two', 'User Experience Designer', 'Sketch, Prototyping', 'Sao Paulo, Brazil'),
  profile('Ux Three', 'Product Designer', 'Figma, Design Systems', 'Rio de Janeiro, Brazil'),
  profile('Ux Four', 'Graphic Designer', 'Illustrator, Photoshop', 'São Paulo, Brazil'),
  profile('Qa One', 'QA Engineer', 'Selenium, Test Automation', 'Kraków, Poland'),
  profile('Qa Two', 'Test Automation Engineer', 'Cypress, Playwright', 'Krakow, Poland'),
  profile('Qa Three', 'Quality Assurance Engineer', 'Manual Testing', 'Warsaw, Poland'),
  profile('Net One', 'Backend Developer', 'C#, .NET, SQL Server', 'Leeds, United Kingdom'),
  profile('Net Two', 'Backend Developer', 'C++, Qt', 'Leeds, United Kingdom'),
  profile('Net Three', 'Backend Developer', 'C, Embedded', 'Leeds, United Kingdom'),
  profile('Fin One', 'Chief Financial Officer', 'IFRS, M&A', 'New York, United States'),
  profile('Fin Two', 'CFO', 'Fundraising, Accounting', 'New York City, United States'),
  profile('Fin Three', 'Financial Controller', 'IFRS, Budgeting', 'New York, United States'),
  profile('Fin Four', 'Accountant', 'Bookkeeping, Excel', 'Boston, United States'),
  profile('Law One', 'Attorney', 'Contract Law, Litigation', 'Chicago, United States'),
  profile('Law Two', 'Corporate Lawyer', 'Mergers, Contract Law', 'Chicago, United States'),
  profile('Law Three', 'Paralegal', 'Contracts, Filing', 'Chicago, United States'),
  profile('Hr One', 'Technical Recruiter', 'Sourcing, Boolean Search', 'Madrid, Spain'),
  profile('Hr Two', 'Talent Acquisition Specialist', 'Recruiting, Employer Branding', 'Madrid, Spain'),
  profile('Hr Three', 'HR Manager', 'Payroll, Labour Law', 'Madrid, Spain'),
  profile('Med One', 'Registered Nurse', 'Triage, Pediatrics', 'Austin, United States'),
  profile('Med Two', 'Nurse Practitioner', 'Primary Care', 'Austin, United States'),
  profile('Med Three', 'Physician', 'Internal Medicine', 'Austin, United States'),
  profile('Mk One', 'Marketing Manager', 'SEO, Content Strategy', 'Paris, France', { company_name: "L'Oréal" }),
  profile('Mk Two', 'SEO Specialist', 'Search Engine Optimization, Google Analytics', 'Paris, France'),
  profile('Mk Three', 'Copywriter', 'Copywriting, Branding', 'Paris, France', { company_name: 'Loreal Group' }),
  profile('Sc One', 'Climate Policy Advisor', 'Carbon Accounting, Policy', 'Oslo, Norway', {
    summary: 'Ten years of emission trading and climate negotiations',
  }),
  profile('Sc Two', 'Sustainability Consultant', 'Carbon Accounting, ESG', 'Oslo, Norway', {
    headline: 'Climate and sustainability consulting',
  }),
] as const

/** Profiles elsewhere that could be confused with none of these: the judged searches name a place, or words that only these have. */
export const elsewhere = (location: unknown): boolean =>
  /India|Canada|Australia|Netherlands|Sweden|Italy|Japan|Singapore|Kenya|Mexico|Finland|Denmark|Austria|Czechia|Africa/.test(
    String(location),
  )

export interface Judgement {
  /** what the search is there to show */
  shows: string
  search: Partial<SearchRequest>
  /** by name */
  grades: Readonly<Record<string, number>>
}

const judge = (shows: string, search: Partial<SearchRequest>, grades: Record<string, number>): Judgement => ({
  shows,
  search,
  grades,
})

export const JUDGEMENTS: readonly Judgement[] = [
  judge(
    'title, skill and place',
    { titles: ['Software Engineer'], skills: ['Python'], locations: ['Berlin'] },
    { 'Swe One': 3, 'Swe Two': 3, 'Swe Six': 1, 'Swe Five': 2, 'Swe Three': 2 },
  ),
  judge(
    'word order of a title',
    { titles: ['Engineer, Software'], locations: ['Berlin'] },
    { 'Swe One': 3, 'Swe Three': 2, 'Swe Two': 2, 'Swe Six': 1 },
  ),
  judge(
    'inflection',
    { titles: ['software engineering'], locations: ['Berlin'], skills: ['leader'] },
    { 'Swe Six': 3, 'Swe One': 2, 'Swe Three': 2, 'Swe Two': 2 },
  ),
  judge(
    'a misspelt title and skill',
    { titles: ['sofware enginer'], skills: ['pyhton'], locations: ['Berlin'] },
    { 'Swe One': 3, 'Swe Two': 2, 'Swe Six': 1, 'Swe Three': 1, 'Swe Five': 1 },
  ),
  judge(
    'synonyms of a title',
    { titles: ['front end developer'], locations: ['Portugal'] },
    { 'Js One': 3, 'Js Two': 3, 'Js Four': 3, 'Js Three': 1 },
  ),
  judge(
    'synonyms of a skill',
    { skills: ['javascript'], locations: ['Lisbon'] },
    { 'Js One': 3, 'Js Two': 3, 'Js Four': 1 },
  ),
  judge(
    'spellings of a skill',
    { skills: ['react.js', 'ts'], locations: ['Portugal'] },
    { 'Js Three': 3, 'Js Four': 3, 'Js One': 1 },
  ),
  judge(
    'abbreviations',
    { titles: ['SRE'], skills: ['k8s', 'aws', 'terraform'], locations: ['Ireland'] },
    { 'Sre One': 3, 'Sre Two': 3, 'Sre Four': 2 },
  ),
  judge(
    'accents of a place',
    { titles: ['data scientist'], locations: ['zurich'] },
    { 'Ds One': 3, 'Ds Five': 1, 'Ds Two': 1, 'Ds Four': 1 },
  ),
  judge(
    'an abbreviated skill',
    { skills: ['ML'], locations: ['Switzerland'] },
    { 'Ds One': 3, 'Ds Two': 3, 'Ds Four': 3 },
  ),
  judge('free text with an abbreviation', { query: 'nlp researcher in Zürich' }, { 'Ds Five': 3 }),
  judge(
    'a place without its accent',
    { titles: ['UX designer'], locations: ['Sao Paulo'] },
    { 'Ux One': 3, 'Ux Two': 3, 'Ux Four': 1, 'Ux Three': 1 },
  ),
  judge(
    'free text: synonyms and place',
    { query: 'user experience designers São Paulo' },
    { 'Ux One': 3, 'Ux Two': 3, 'Ux Three': 1, 'Ux Four': 1 },
  ),
  judge(
    'quality assurance by three names',
    { titles: ['Quality Assurance Engineer'], locations: ['Poland'] },
    { 'Qa One': 3, 'Qa Two': 3, 'Qa Three': 3 },
  ),
  judge(
    'signs that matter: c#',
    { titles: ['Backend Developer'], skills: ['C#'], locations: ['Leeds'] },
    { 'Net One': 3, 'Net Two': 1, 'Net Three': 1 },
  ),
  judge(
    'signs that matter: c++',
    { titles: ['Back-end dev'], skills: ['c++'], locations: ['Leeds'] },
    { 'Net Two': 3, 'Net One': 1, 'Net Three': 1 },
  ),
  judge(
    'initials of an office, by city and by nickname',
    { titles: ['CFO'], locations: ['NYC'] },
    { 'Fin One': 3, 'Fin Two': 3, 'Fin Three': 1 },
  ),
  judge(
    'free text: lawyers by another name',
    { query: 'lawyer contract law Chicago' },
    { 'Law One': 3, 'Law Two': 3, 'Law Three': 1 },
  ),
  judge('recruiters by another name', { titles: ['recruiters'], locations: ['Madrid'] }, { 'Hr One': 3, 'Hr Two': 3 }),
  judge(
    'plural and country by its initials',
    { titles: ['nurses'], locations: ['USA'] },
    { 'Med One': 3, 'Med Two': 2 },
  ),
  judge('skill by its long name', { skills: ['SEO'], locations: ['Paris'] }, { 'Mk One': 3, 'Mk Two': 3 }),
  judge('company with accent and apostrophe', { companies: ["L'Oreal SA"] }, { 'Mk One': 3, 'Mk Three': 1 }),
  judge('words of a summary', { query: 'emissions trading' }, { 'Sc One': 3 }),
  judge(
    'free text with a misspelling',
    { query: 'sustainabilty consultant carbon acounting Oslo' },
    { 'Sc Two': 3, 'Sc One': 2 },
  ),
]

/** Discounted gain of the first ten results, against the best order there is: 1 is perfect. */
export function ndcg(names: readonly string[], grades: Readonly<Record<string, number>>): number {
  const gain = (grade: number, at: number) => (2 ** grade - 1) / Math.log2(at + 2)
  const sum = (list: readonly number[]) => list.slice(0, 10).reduce((total, grade, at) => total + gain(grade, at), 0)
  const ideal = sum(Object.values(grades).toSorted((a, b) => b - a))
  return sum(names.map(name => grades[name] ?? 0)) / ideal
}
