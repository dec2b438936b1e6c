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
  feeds: {},

  // application form
  apply: {},

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {
    greeting: name => (name === null ? 'Guten Tag,' : `Guten Tag ${name},`),
    confirmation: {
      subject: (company, job) => (job === null ? `Ihre Bewerbung bei ${company}` : `Ihre Bewerbung: ${job}`),
      body: (company, job) => [
        job === null
          ? `vielen Dank für Ihre Bewerbung bei ${company}. Sie ist bei uns eingegangen.`
          : `vielen Dank für Ihre Bewerbung als „${job}“ bei ${company}. Sie ist bei uns eingegangen.`,
        'Wir lesen sie sorgfältig und melden uns bei Ihnen.',
      ],
      link: 'Bewerbung ansehen, Angaben korrigieren oder zurückziehen:',
      button: 'Bewerbung ansehen',
    },
    alreadyApplied: {
      subject: company => `Sie haben sich bereits bei ${company} beworben`,
      body: (company, job) => [
        job === null
          ? `mit Ihrer E-Mail-Adresse ist noch einmal eine Bewerbung bei ${company} eingegangen.`
          : `mit Ihrer E-Mail-Adresse ist noch einmal eine Bewerbung als „${job}“ bei ${company} eingegangen.`,
        'Auf diese Stelle hatten Sie sich schon beworben. Ihre frühere Bewerbung bleibt unverändert, es wurde nichts ergänzt.',
        'Falls die neue Bewerbung nicht von Ihnen stammt, müssen Sie nichts tun.',
      ],
      link: 'Bewerbung ansehen, Angaben korrigieren oder zurückziehen:',
      button: 'Bewerbung ansehen',
    },
    access: {
      subject: company => `Ihre Bewerbungen bei ${company}`,
      body: company => [
        `jemand, vermutlich Sie selbst, hat einen Link zu Ihren Bewerbungen bei ${company} angefordert.`,
        'Falls Sie das nicht waren, müssen Sie nichts tun: Ohne diesen Link sieht niemand Ihre Bewerbungen.',
      ],
      link: 'Bewerbungen öffnen:',
      button: 'Bewerbungen öffnen',
    },
    emailChange: {
      subject: company => `Neue E-Mail-Adresse für ${company} bestätigen`,
      body: company => [
        `Sie haben ${company} gebeten, Ihnen künftig an diese E-Mail-Adresse zu schreiben.`,
        'Falls Sie das nicht waren, öffnen Sie den Link nicht: Ohne ihn ändert sich nichts.',
      ],
      link: 'E-Mail-Adresse bestätigen:',
      button: 'E-Mail-Adresse bestätigen',
    },
    linkMinutes: minutes => `Der Link funktioniert einmal, innerhalb von ${minutes} Minuten.`,
    linkDays: days =>
      `Der Link funktioniert einmal, innerhalb von ${days} Tagen. Danach können Sie auf der Karriereseite einen neuen anfordern.`,
    reason: company => `Sie erhalten diese E-Mail, weil Sie sich bei ${company} beworben haben.`,
    unsubscribe: 'Abmelden',
  },
}
