import type { Texts } from './en.ts'

const { format: n } = new Intl.NumberFormat('de-DE')

/** Every text of the careers site in German. */
export const de: Texts = {
  language: { code: 'de', name: 'Deutsch', switch: 'Sprache', locale: 'de-DE' },

  // frame of every page
  frame: {
    skip: 'Zum Inhalt springen',
    navigation: 'Seiten dieser Website',
    allJobs: 'Alle Stellen',
    yourApplications: 'Ihre Bewerbungen',
    theme: 'Zwischen hell und dunkel wechseln',
    privacy: 'Datenschutz',
    website: company => `Website von ${company}`,
    careersAt: company => `Karriere bei ${company}`,
    notFound: 'Seite nicht gefunden',
    notFoundText:
      'Diese Seite gibt es nicht, oder die Stelle ist nicht mehr öffentlich. Prüfen Sie die Adresse oder sehen Sie sich alle offenen Stellen an.',
    noSite: 'Hier gibt es keine Karriereseite',
    noSiteText: 'Prüfen Sie die Adresse: Jedes Unternehmen hat seine eigene, die auf seinen Namen endet.',
    notUsable: 'Diese Seite lässt sich so nicht aufrufen',
    notUsableText: 'Öffnen Sie sie über einen Link auf dieser Website.',
    tooLarge: 'Das ist zu viel auf einmal',
    tooLargeText: 'Gehen Sie zurück, kürzen Sie Ihre Eingaben und senden Sie sie noch einmal.',
    tooLong: 'Die Verbindung war zu langsam',
    tooLongText: 'Es wurde nichts gespeichert. Gehen Sie zurück und senden Sie noch einmal.',
    refused: 'Diese Anfrage konnte nicht angenommen werden',
    refusedText: 'Gehen Sie zurück, prüfen Sie Ihre Eingaben und senden Sie sie noch einmal.',
    unavailable: 'Vorübergehend nicht erreichbar',
    unavailableText: 'Es wurde nichts gespeichert. Bitte versuchen Sie es gleich noch einmal.',
    broken: 'Bei uns ist etwas schiefgegangen',
    brokenText:
      'Das tut uns leid. Bitte versuchen Sie es noch einmal. Wenn es wieder nicht gelingt, nennen Sie dem Unternehmen diese Nummer:',
    again: 'Noch einmal versuchen',
    whichCompany: 'Karriereseiten',
    whichCompanyText:
      'Mehrere Unternehmen veröffentlichen hier ihre Stellen, jedes unter einer eigenen Adresse, die auf den Namen des Unternehmens endet. Folgen Sie dem Link auf der Website des Unternehmens oder in seiner Stellenanzeige.',
  },

  // list of jobs
  list: {
    title: 'Offene Stellen',
    search: 'Stellen suchen',
    searchHint: 'Titel, Kenntnisse oder Stichwort',
    filters: { department: 'Bereich', location: 'Ort', workplace: 'Arbeitsplatz', type: 'Anstellungsart' },
    all: {
      department: 'Alle Bereiche',
      location: 'Alle Orte',
      workplace: 'Alle',
      type: 'Alle',
    },
    submit: 'Suchen',
    clear: 'Suche und Filter zurücksetzen',
    open: jobs => (jobs === 1 ? '1 offene Stelle' : `${n(jobs)} offene Stellen`),
    matching: (jobs, all) => `${n(jobs)} von ${n(all)} offenen Stellen ${jobs === 1 ? 'passt' : 'passen'}`,
    found: jobs => (jobs === 1 ? '1 offene Stelle passt' : `${n(jobs)} offene Stellen passen`),
    otherDepartment: 'Weitere Stellen',
    noneOpen: 'Zurzeit keine offenen Stellen',
    noneOpenText:
      'Neue Stellen erscheinen hier, sobald sie veröffentlicht sind. Bitte schauen Sie später wieder vorbei.',
    noneMatch: 'Keine Stelle passt zu Ihrer Suche',
    noneMatchText: 'Versuchen Sie es mit anderen Wörtern oder weniger Filtern.',
    pages: 'Seiten der Liste',
    previous: 'Zurück',
    next: 'Weiter',
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
    showing: (first, last, all) => `${n(first)} bis ${n(last)} von ${n(all)}`,
    failed: 'Die Liste konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.',
  },

  // page of a job
  job: {
    workplaces: { remote: 'Remote', hybrid: 'Hybrid', onsite: 'Vor Ort' },
    types: {
      full_time: 'Vollzeit',
      part_time: 'Teilzeit',
      contract: 'Freie Mitarbeit',
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
    stages: { Applied: 'Bewerbung', Screen: 'Erstes Gespräch', Interview: 'Vorstellungsgespräch', Offer: 'Angebot' },
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
    siteDescription: company => `Offene Stellen bei ${company}. Jetzt passende Stelle finden und online bewerben.`,
    description: title => `${title}. Mehr erfahren und online bewerben.`,
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
