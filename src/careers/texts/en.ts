const { format: n } = new Intl.NumberFormat('en-GB')

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
    navigation: 'Pages of this site',
    allJobs: 'All jobs',
    yourApplications: 'Your applications',
    theme: 'Switch between light and dark',
    privacy: 'Privacy',
    website: (company: string) => `Website of ${company}`,
    careersAt: (company: string) => `Careers at ${company}`,
    // pages of a failure
    notFound: 'Page not found',
    notFoundText:
      'This page does not exist, or the position is no longer public. Check the address, or look at all open positions.',
    noSite: 'There is no careers site here',
    noSiteText: 'Check the address: every company has its own, which ends in its name.',
    notUsable: 'This page cannot be used like that',
    notUsableText: 'Open it from a link on this site.',
    tooLarge: 'That is too much to send',
    tooLargeText: 'Go back, shorten what you entered and send it again.',
    tooLong: 'The connection was too slow',
    tooLongText: 'Nothing was stored. Go back and send it again.',
    refused: 'This request could not be accepted',
    refusedText: 'Go back, check what you entered and send it again.',
    unavailable: 'Temporarily unavailable',
    unavailableText: 'Nothing was stored. Please try again in a moment.',
    broken: 'Something went wrong on our side',
    brokenText: 'We are sorry. Please try again. If it fails again, tell the company this number:',
    again: 'Try again',
    whichCompany: 'Careers sites',
    whichCompanyText:
      'Several companies publish their jobs here, each at its own address: it ends in the name of the company. Follow the link on the website of the company, or the link in its job advertisement.',
  },

  // list of jobs
  list: {
    title: 'Open positions',
    search: 'Search jobs',
    searchHint: 'Title, skill or keyword',
    filters: { department: 'Department', location: 'Location', workplace: 'Workplace', type: 'Employment type' },
    all: {
      department: 'All departments',
      location: 'All locations',
      workplace: 'Any',
      type: 'Any',
    },
    submit: 'Search',
    clear: 'Clear search and filters',
    open: (jobs: number) => (jobs === 1 ? '1 open position' : `${n(jobs)} open positions`),
    matching: (jobs: number, all: number) => `${n(jobs)} of ${n(all)} open positions match`,
    found: (jobs: number) => (jobs === 1 ? '1 open position matches' : `${n(jobs)} open positions match`),
    otherDepartment: 'More positions',
    noneOpen: 'No open positions at the moment',
    noneOpenText: 'New positions appear here as soon as they are published. Please come back later.',
    noneMatch: 'Nothing matches your search',
    noneMatchText: 'Try other words or fewer filters.',
    pages: 'Pages of the list',
    previous: 'Previous',
    next: 'Next',
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    showing: (first: number, last: number, all: number) => `${n(first)} to ${n(last)} of ${n(all)}`,
    failed: 'The list could not be loaded. Please try again.',
  },

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
    // stages that still have the name of the default pipeline
    stages: { Applied: 'Application', Screen: 'First conversation', Interview: 'Interview', Offer: 'Offer' } as Names,
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
    siteDescription: (company: string) => `Open positions at ${company}. Find a job and apply online.`,
    description: (title: string) => `${title}. Read more and apply online.`,
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
