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
  job: {
    workplaces: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'Vor Ort' },
    types: {
      full_time: 'Vollzeit',
      part_time: 'Teilzeit',
      contract: 'Auf Vertragsbasis',
      intern: 'Praktikum',
      temp: 'Befristet',
    },
    levels: {
      intern: 'Praktikum',
      junior: 'Berufseinstieg',
      mid: 'Mit Berufserfahrung',
      senior: 'Senior',
      lead: 'Leitung',
      principal: 'Principal',
    },
    intervals: { hourly: 'pro Stunde', monthly: 'pro Monat', annual: 'pro Jahr' },
    per: (amount, interval) => `${amount} ${interval}`,
    from: amount => `Ab ${amount}`,
    upTo: amount => `Bis ${amount}`,
    moreLocations: more => `${more} weitere`,
    facts: 'Auf einen Blick',
    department: 'Bereich',
    team: 'Team',
    locations: places => (places === 1 ? 'Ort' : 'Orte'),
    workplace: 'Arbeitsplatz',
    type: 'Anstellungsart',
    level: 'Erfahrung',
    years: (low, high) =>
      low !== null && high !== null && low !== high
        ? `${low} bis ${high} Jahre`
        : low === null
          ? `bis zu ${high} Jahre`
          : low === high
            ? low === 1
              ? '1 Jahr'
              : `${low} Jahre`
            : `mindestens ${low} ${low === 1 ? 'Jahr' : 'Jahre'}`,
    salary: 'Gehalt',
    equity: 'Beteiligung',
    commission: 'Provision',
    commissionPaid: 'Zusätzlich zum Gehalt',
    published: 'Veröffentlicht',
    closes: 'Bewerbung bis',
    about: 'Über die Stelle',
    responsibilities: 'Ihre Aufgaben',
    requirements: 'Das bringen Sie mit',
    niceToHave: 'Von Vorteil',
    skills: 'Kenntnisse',
    skillsRequired: 'Erforderlich',
    skillsPreferred: 'Hilfreich',
    benefits: 'Das bieten wir',
    process: 'So läuft die Bewerbung ab',
    apply: 'Jetzt bewerben',
    applyAt: host => `Bei ${host} bewerben`,
    applyElsewhere: 'Bewerbungen werden auf einer anderen Website angenommen.',
    noApplications: 'Für diese Stelle werden zurzeit keine Bewerbungen angenommen.',
    others: 'Weitere offene Stellen',
    all: 'Alle offenen Stellen',
    closed: 'Diese Stelle ist geschlossen',
    closedText: title =>
      `Für „${title}“ werden keine Bewerbungen mehr angenommen: Die Stelle ist besetzt oder wurde zurückgezogen.`,
    closedApplied: 'Haben Sie sich beworben? Ihre Bewerbung können Sie weiterhin einsehen.',
    noOthers: 'Zurzeit gibt es keine anderen offenen Stellen.',
  },

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
    embed: {
      jobs: 'Offene Stellen',
      all: 'Alle offenen Stellen',
      none: 'Zurzeit sind keine Stellen offen.',
      noneFound: 'Keine Stelle passt zu dieser Auswahl.',
      department: 'Abteilung',
      location: 'Standort',
      type: 'Beschäftigungsart',
      any: 'Alle',
    },
  },

  // application form
  apply: {},

  // candidate's own pages
  candidate: {},

  // emails to candidates
  mail: {},
}
