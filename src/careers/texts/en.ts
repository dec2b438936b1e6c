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
  feeds: {},

  // application form
  apply: {},

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {
    greeting: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
    confirmation: {
      subject: (company: string, job: string | null) =>
        job === null ? `Your application to ${company}` : `Your application: ${job}`,
      body: (company: string, job: string | null) => [
        job === null
          ? `thank you for applying to ${company}. We have received your application.`
          : `thank you for applying for “${job}” at ${company}. We have received your application.`,
        'We will read it carefully and get back to you.',
      ],
      link: 'See your application, correct your details or withdraw it:',
      button: 'See your application',
    },
    alreadyApplied: {
      subject: (company: string) => `You have already applied to ${company}`,
      body: (company: string, job: string | null) => [
        job === null
          ? `we received another application to ${company} with your email address.`
          : `we received another application for “${job}” at ${company} with your email address.`,
        'You had applied for this job before. Your earlier application stays as it is, and nothing was added to it.',
        'If it was not you who applied now, you need not do anything.',
      ],
      link: 'See your application, correct your details or withdraw it:',
      button: 'See your application',
    },
    access: {
      subject: (company: string) => `Your applications to ${company}`,
      body: (company: string) => [
        `somebody, probably you, asked for a link to your applications to ${company}.`,
        'If it was not you, you need not do anything: nobody sees your applications without this link.',
      ],
      link: 'Open your applications:',
      button: 'Open your applications',
    },
    emailChange: {
      subject: (company: string) => `Confirm your new email address for ${company}`,
      body: (company: string) => [
        `you asked ${company} to write to this email address from now on.`,
        'If it was not you, do not open the link: nothing changes without it.',
      ],
      link: 'Confirm this email address:',
      button: 'Confirm this email address',
    },
    linkMinutes: (minutes: number) => `The link works once, within ${minutes} minutes.`,
    linkDays: (days: number) =>
      `The link works once, within ${days} days. After that you can ask for a new one on the careers site.`,
    reason: (company: string) => `You receive this email because you applied to ${company}.`,
    unsubscribe: 'Unsubscribe',
  },
}

export type Texts = typeof en
