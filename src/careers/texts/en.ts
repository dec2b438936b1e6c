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
  job: {},

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
  },

  // application form
  apply: {},

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {},
}

export type Texts = typeof en
