import type { Texts } from './en.ts'

/** Every text of the careers site in German. */
export const de: Texts = {
  language: { code: 'de', name: 'Deutsch', switch: 'Sprache', locale: 'de-DE' },

  // frame of every page
  frame: {
    skip: 'Zum Inhalt springen',
    allJobs: 'Alle Stellen',
    yourApplications: 'Ihre Bewerbungen',
    theme: 'Zwischen hell und dunkel wechseln',
    privacy: 'Datenschutz',
    website: company => `Website von ${company}`,
    careersAt: company => `Karriere bei ${company}`,
  },

  // list of jobs
  list: {},

  // page of a job
  job: {},

  // feeds and link previews
  feeds: {
    title: company => `Stellen bei ${company}`,
    jobAt: (title, company) => `${title} bei ${company}`,
    siteDescription: company => `Offene Stellen bei ${company}. Jetzt passende Stelle finden und online bewerben.`,
    jobDescription: (title, company, place) =>
      place === ''
        ? `${company} sucht: ${title}. Jetzt online bewerben.`
        : `${company} sucht: ${title}. ${place}. Jetzt online bewerben.`,
    remote: 'Remote',
    morePlaces: count => `${count} weitere Standorte`,
  },

  // application form
  apply: {},

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {},
}
