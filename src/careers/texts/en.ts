/** Names of values of the API. */
type Names = Readonly<Record<string, string>>

/**
 * Every text of the careers site in English. Another language is one more file of this form: `Texts` makes the compiler
 * ask for each of them. Functions take what differs; nothing is put together from parts of sentences elsewhere.
 */
export const en = {
  language: { code: 'en', name: 'English', switch: 'Language', locale: 'en-GB' },

  // frame of every page
  frame: {
    skip: 'Skip to content',
    allJobs: 'All jobs',
    yourApplications: 'Your applications',
    theme: 'Switch between light and dark',
    privacy: 'Privacy',
    website: (company: string) => `Website of ${company}`,
    careersAt: (company: string) => `Careers at ${company}`,
  },

  // list of jobs
  list: {},

  // page of a job
  job: {
    // by their names in the API; a name that is missing here is shown as it is
    workplaces: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'On site' } as Names,
    types: {
      full_time: 'Full time',
      part_time: 'Part time',
      contract: 'Contract',
      intern: 'Internship',
      temp: 'Temporary',
    } as Names,
    levels: {
      intern: 'Internship',
      junior: 'Junior',
      mid: 'Mid level',
      senior: 'Senior',
      lead: 'Lead',
      principal: 'Principal',
    } as Names,
    intervals: { hourly: 'per hour', monthly: 'per month', annual: 'per year' } as Names,
    per: (amount: string, interval: string) => `${amount} ${interval}`,
    from: (amount: string) => `From ${amount}`,
    upTo: (amount: string) => `Up to ${amount}`,
    moreLocations: (more: number) => `${more} more`,
    facts: 'At a glance',
    department: 'Department',
    team: 'Team',
    locations: (places: number): string => (places === 1 ? 'Location' : 'Locations'),
    workplace: 'Workplace',
    type: 'Employment type',
    level: 'Experience',
    years: (low: number | null, high: number | null) =>
      low !== null && high !== null && low !== high
        ? `${low} to ${high} years`
        : low === null
          ? `up to ${high} years`
          : low === high
            ? low === 1
              ? '1 year'
              : `${low} years`
            : `at least ${low} ${low === 1 ? 'year' : 'years'}`,
    salary: 'Salary',
    equity: 'Equity',
    commission: 'Commission',
    commissionPaid: 'In addition to the salary',
    published: 'Published',
    closes: 'Apply by',
    about: 'About the position',
    responsibilities: 'What you will do',
    requirements: 'What you bring',
    niceToHave: 'Nice to have',
    skills: 'Skills',
    skillsRequired: 'Required',
    skillsPreferred: 'Helpful',
    benefits: 'What we offer',
    process: 'How the process goes',
    apply: 'Apply now',
    applyAt: (host: string) => `Apply at ${host}`,
    applyElsewhere: 'Applications are taken on another website.',
    noApplications: 'This position does not accept applications at the moment.',
    others: 'Other open positions',
    all: 'All open positions',
    closed: 'This position is closed',
    closedText: (title: string) =>
      `“${title}” no longer accepts applications: the position is filled or was withdrawn.`,
    closedApplied: 'Have you applied? You can still see your application.',
    noOthers: 'There are no other open positions at the moment.',
  },

  // feeds and link previews
  feeds: {
    title: (company: string) => `Jobs at ${company}`,
    jobAt: (title: string, company: string) => `${title} at ${company}`,
    siteDescription: (company: string) => `Open positions at ${company}. Find a job and apply online.`,
    jobDescription: (title: string, company: string, place: string) =>
      place === ''
        ? `${company} is looking for: ${title}. Apply online.`
        : `${company} is looking for: ${title}. ${place}. Apply online.`,
    remote: 'Remote',
    morePlaces: (count: number) => `${count} more locations`,
    // of the list on a page of another site
    embed: {
      jobs: 'Open positions',
      all: 'All open positions',
      none: 'There are no open positions at the moment.',
      noneFound: 'No position fits these filters.',
      department: 'Department',
      location: 'Location',
      type: 'Employment type',
      any: 'All',
    },
  },

  // application form
  apply: {},

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {},
}

export type Texts = typeof en
