import type { Texts } from './en.ts'

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
    open: jobs => (jobs === 1 ? '1 offene Stelle' : `${jobs.toLocaleString('de-DE')} offene Stellen`),
    matching: (jobs, all) =>
      `${jobs.toLocaleString('de-DE')} von ${all.toLocaleString('de-DE')} offenen Stellen ${jobs === 1 ? 'passt' : 'passen'}`,
    found: jobs => (jobs === 1 ? '1 offene Stelle passt' : `${jobs.toLocaleString('de-DE')} offene Stellen passen`),
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
    showing: (first, last, all) =>
      `${first.toLocaleString('de-DE')} bis ${last.toLocaleString('de-DE')} von ${all.toLocaleString('de-DE')}`,
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
  feeds: {},

  // application form
  apply: {
    title: job => `Bewerbung: ${job}`,
    back: 'Zurück zur Stelle',
    intro: 'Alle Felder, die nicht als optional gekennzeichnet sind, sind Pflichtfelder.',
    send: 'Bewerbung absenden',
    optional: '(optional)',
    choose: 'Bitte wählen',
    noAnswer: 'Keine Angabe',
    yes: 'Ja',
    no: 'Nein',
    privacy: 'Wie wir Ihre Daten verwenden',
    noScript: 'Ihre Dateien und Antworten werden zusammen gesendet, sobald Sie die Schaltfläche unten betätigen.',

    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail-Adresse',
    emailHint: 'An diese Adresse senden wir die Bestätigung.',
    phone: 'Telefon',
    phoneHint: 'Mit Ländervorwahl, zum Beispiel +49 30 1234567.',
    linkedin: 'LinkedIn-Profil',
    linkedinHint: 'Zum Beispiel https://www.linkedin.com/in/ihr-name',
    resume: 'Lebenslauf',
    coverLetter: 'Anschreiben',

    onlyIf: (question, answers) => `Nur wenn Sie „${question}“ mit ${answers} beantwortet haben.`,
    quoted: text => `„${text}“`,
    or: 'oder',
    count: most => `Höchstens ${most.toLocaleString('de-DE')} Zeichen.`,

    fileHint: 'PDF, Word, RTF oder reiner Text, bis 5 MB.',
    answerFileHint: 'PDF, Word, RTF, reiner Text, PNG oder JPEG, bis 5 MB.',
    dropText: 'Ziehen Sie eine Datei hierher oder wählen Sie eine aus:',
    pasteInstead: 'Oder fügen Sie Ihren Lebenslauf als Text ein',
    pasted: 'Text Ihres Lebenslaufs',
    fileKept: 'Diese Datei ist bereits hochgeladen.',
    fileRemove: 'Diese Datei entfernen',
    fileReplace: 'Durch eine andere Datei ersetzen:',

    prescreenTitle: 'Einige Fragen',
    prescreenHint: 'Ihre Antworten helfen uns, das erste Gespräch vorzubereiten.',
    callTitle: 'Telefonisches Vorgespräch',
    callText:
      'Zu dieser Stelle gibt es ein kurzes Vorgespräch am Telefon. Es ist freiwillig: Ihre Bewerbung zählt in jedem Fall.',
    callPhone: 'Rufnummer für das Gespräch',
    callPhoneHint: 'Falls sie von der Telefonnummer oben abweicht.',
    callOptOut: 'Bitte rufen Sie mich nicht für ein Vorgespräch an',
    eeoTitle: 'Chancengleichheit',
    eeoText:
      'Diese Angaben sind freiwillig. Sie werden getrennt von Ihrer Bewerbung gespeichert und den Personen, die über sie entscheiden, niemals gezeigt.',
    consentTitle: 'Einwilligung',
    trap: 'Lassen Sie dieses Feld leer',

    faultTitle: 'Bitte prüfen Sie Ihre Angaben',
    faultPrefix: 'Fehler:',
    missing: label => `Bitte beantworten Sie „${label}“`,
    enterFirstName: 'Geben Sie Ihren Vornamen ein',
    enterLastName: 'Geben Sie Ihren Nachnamen ein',
    enterEmail: 'Geben Sie Ihre E-Mail-Adresse ein',
    badEmail: 'Geben Sie eine E-Mail-Adresse in der Form name@example.com ein',
    enterPhone: 'Geben Sie Ihre Telefonnummer ein',
    badPhone: 'Geben Sie eine Telefonnummer nur mit Ziffern, Leerzeichen und + ( ) . - ein',
    enterLinkedin: 'Geben Sie die Adresse Ihres LinkedIn-Profils ein',
    badLinkedin: 'Geben Sie die Adresse eines LinkedIn-Profils ein, zum Beispiel https://www.linkedin.com/in/ihr-name',
    enterResume: 'Fügen Sie Ihren Lebenslauf hinzu: als Datei oder als Text',
    enterFile: label => `Zu „${label}“ fehlt eine Datei`,
    tickBox: label => `Bitte setzen Sie das Häkchen: „${label}“`,
    consentChanged:
      'Der Text wurde geändert. Bitte lesen Sie ihn noch einmal, und setzen Sie das Häkchen, wenn Sie zustimmen.',
    badNumber: label => `„${label}“ muss eine Zahl sein, zum Beispiel 12 oder 3,5`,
    badDate: label => `„${label}“ muss ein Datum sein, zum Beispiel 30.11.2026`,
    badUrl: label => `„${label}“ muss eine Webadresse sein, die mit https:// beginnt`,
    badOption: label => `„${label}“: Wählen Sie aus den angebotenen Antworten`,
    badValue: label => `Die Antwort auf „${label}“ ist nicht lesbar`,
    tooLong: (label, most) => `„${label}“ darf höchstens ${most.toLocaleString('de-DE')} Zeichen haben`,
    fileTooLarge: 'Die Datei ist größer als 5 MB. Wählen Sie eine kleinere.',
    fileEmpty: 'Die Datei ist leer. Wählen Sie eine andere.',
    fileType: 'Dateien dieser Art werden hier nicht angenommen. Wählen Sie zum Beispiel ein PDF.',
    fileGone:
      'Die Datei wurde nicht rechtzeitig abgesendet und ist nicht mehr gespeichert. Wählen Sie sie noch einmal.',
    fileFailed: 'Die Datei ist nicht angekommen. Wählen Sie sie noch einmal.',

    expired:
      'Diese Seite war lange geöffnet. Es ist nichts verloren: Prüfen Sie Ihre Angaben und senden Sie sie noch einmal.',
    tooFast: 'Das ging sehr schnell. Prüfen Sie Ihre Angaben und senden Sie sie in einigen Sekunden noch einmal.',
    alreadySent:
      'Dieses Formular wurde schon gesendet. Wenn Sie es mit diesen Angaben noch einmal senden möchten, betätigen Sie die Schaltfläche unten.',
    unavailable:
      'Ihre Bewerbung konnte gerade nicht gespeichert werden. Es ist nichts verloren: Versuchen Sie es in einer Minute noch einmal.',
    waitTitle: 'Bitte warten Sie etwas',
    wait: time => `Aus Ihrem Netz kamen viele Bewerbungen. Sie können Ihre in ${time} noch einmal senden.`,
    waitKept: 'Gehen Sie im Browser zurück: Ihre Angaben sind noch da.',
    seconds: n => (n === 1 ? 'einer Sekunde' : `${n} Sekunden`),
    minutes: n => (n === 1 ? 'einer Minute' : `${n} Minuten`),
    refusedTitle: 'Dieses Formular kann nicht verwendet werden',
    refused:
      'Das Formular kam nicht von einer Seite dieser Website. Öffnen Sie die Stelle noch einmal und bewerben Sie sich dort.',
    closedTitle: 'Für diese Stelle werden keine Bewerbungen mehr angenommen',
    closedText: 'Die Stelle wurde geschlossen, während Sie geschrieben haben. Ihre Bewerbung wurde nicht gesendet.',
    closedKept: 'Was Sie geschrieben haben, zum Kopieren:',
    otherJobs: 'Offene Stellen ansehen',
    doneTitle: 'Vielen Dank',
    done: 'Wir haben Ihre Bewerbung erhalten. Eine Bestätigung geht an die Adresse, die Sie angegeben haben.',
    doneAgain: 'Falls Sie sich schon früher beworben haben, bleibt Ihre frühere Bewerbung unverändert.',
    doneNext:
      'Mit dem Link in dieser E-Mail können Sie Ihre Bewerbung einsehen, Ihre Daten berichtigen oder die Bewerbung zurückziehen.',

    script: {
      drop: 'Ziehen Sie eine Datei hierher oder wählen Sie eine aus',
      uploading: 'Wird hochgeladen: {percent} %',
      uploaded: 'Hochgeladen',
      cancel: 'Abbrechen',
      remove: 'Entfernen',
      replace: 'Ersetzen',
      retry: 'Noch einmal versuchen',
      uploadFailed: 'Die Datei wurde nicht vollständig hochgeladen. Prüfen Sie Ihre Verbindung.',
      waiting: 'Keine Verbindung. Das Hochladen wird fortgesetzt, sobald Sie wieder online sind.',
      canceled: 'Das Hochladen wurde abgebrochen.',
      removed: 'Die Datei wurde entfernt.',
      fileName: 'Eingefügter Text',
      reading: 'Ihr Lebenslauf wird gelesen, um leere Felder auszufüllen. Sie können weiterschreiben.',
      filled: 'Aus Ihrem Lebenslauf übernommen: {fields}. Bitte prüfen Sie die Angaben.',
      nothingFilled: 'Ihr Lebenslauf wurde gelesen. Es gab nichts auszufüllen.',
      filledMark: 'Aus Ihrem Lebenslauf',
      left: 'Noch {n} Zeichen',
      over: '{n} Zeichen zu viel',
      draft: 'Wir haben wiederhergestellt, was Sie auf diesem Gerät eingegeben hatten.',
      draftFiles: 'Bitte wählen Sie Ihre Datei noch einmal.',
      startOver: 'Neu beginnen',
      startedOver: 'Das Formular ist wieder leer.',
      sentBefore:
        'Sie haben dieses Formular schon gesendet. Wenn Sie es noch einmal senden, bleibt Ihre erste Bewerbung unverändert.',
      preparing: 'Das Senden wird vorbereitet. Das dauert einen Moment.',
      waitUpload: 'Das Hochladen wird noch abgeschlossen.',
      sending: 'Wird gesendet',
      sendFailed:
        'Ihre Bewerbung konnte nicht gesendet werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Es ist nichts verloren.',
    },
  },

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
