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
    eeoTextRequired:
      'Ihre Angaben werden getrennt von Ihrer Bewerbung gespeichert und den Personen, die über sie entscheiden, niemals gezeigt.',
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
  candidate: {
    ask: {
      title: 'Ihre Bewerbungen',
      intro: company =>
        `Sehen Sie Ihre Bewerbungen bei ${company}, korrigieren Sie Ihre Angaben, ziehen Sie eine Bewerbung zurück oder lassen Sie sich Ihre Daten zeigen und löschen. Ein Passwort brauchen Sie nicht: Wir senden Ihnen einen Link.`,
      email: 'E-Mail-Adresse',
      emailHint: 'Die Adresse, mit der Sie sich beworben haben',
      send: 'Link senden',
      fault: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      sentTitle: 'Sehen Sie in Ihr Postfach',
      sent: company =>
        `Wenn Sie sich mit dieser Adresse bei ${company} beworben haben, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert einmal, innerhalb von 30 Minuten.`,
      sentAgain:
        'Nach einigen Minuten noch keine E-Mail? Sehen Sie im Spam-Ordner nach oder versuchen Sie es mit einer anderen Adresse, die Sie verwendet haben könnten.',
      again: 'Noch einen Link anfordern',
      ended: 'Sie wurden abgemeldet. Fordern Sie einen neuen Link an, um fortzufahren.',
      signedOut: 'Sie sind abgemeldet.',
      tooMany: minutes =>
        minutes === 1
          ? 'Zu viele Anfragen. Versuchen Sie es in einer Minute wieder.'
          : `Zu viele Anfragen. Versuchen Sie es in ${minutes} Minuten wieder.`,
    },
    link: {
      openTitle: 'Bewerbungen öffnen',
      openText: 'Noch ein Schritt: So kann kein Programm, das E-Mails prüft, Ihren Link verbrauchen.',
      openButton: 'Meine Bewerbungen öffnen',
      changeTitle: 'Neue E-Mail-Adresse bestätigen',
      changeText: (address, company) => `${company} schreibt Ihnen künftig an ${address}.`,
      changeButton: 'Adresse bestätigen',
      expiredTitle: 'Dieser Link funktioniert nicht mehr',
      expiredText:
        'Ein Link funktioniert einmal und nur für begrenzte Zeit. Fordern Sie einen neuen an, das dauert eine Minute.',
      changedTitle: 'Ihre E-Mail-Adresse wurde geändert',
      changedText:
        'Ab jetzt verwenden wir diese Adresse. Sie wurden abgemeldet; fordern Sie einen Link an, um fortzufahren.',
      failedTitle: 'Diese E-Mail-Adresse kann nicht verwendet werden',
      failedText:
        'Es wurde nichts geändert. Vielleicht haben Sie sich mit dieser Adresse schon einmal beworben: Fordern Sie dann mit ihr einen Link an, um jene Bewerbungen zu sehen.',
      ask: 'Link anfordern',
    },
    refusedTitle: 'Dieses Formular kann nicht verwendet werden',
    refusedText:
      'Es wurde nicht von dieser Seite gesendet, oder Sie wurden abgemeldet. Öffnen Sie die Seite neu und versuchen Sie es noch einmal.',
    title: 'Ihre Bewerbungen',
    signedInAs: address => `Sie sehen diese Seite als ${address}.`,
    signOut: 'Abmelden',
    back: 'Zurück zu Ihren Bewerbungen',
    applications: 'Bewerbungen',
    noApplications: 'Hier gibt es keine Bewerbungen von Ihnen.',
    findJobs: 'Offene Stellen ansehen',
    appliedOn: date => `Gesendet am ${date}`,
    states: {
      received: 'Eingegangen',
      in_review: 'In Prüfung',
      decided: 'Entschieden',
      withdrawn: 'Von Ihnen zurückgezogen',
    },
    stateTexts: {
      received: 'Ihre Bewerbung ist angekommen und wird noch gelesen.',
      in_review: 'Ihre Bewerbung wird geprüft.',
      decided: 'Es wurde entschieden. Das Unternehmen teilt Ihnen die Entscheidung mit.',
      withdrawn: 'Sie haben diese Bewerbung zurückgezogen.',
    },
    withdraw: {
      action: 'Zurückziehen',
      of: job => `Bewerbung als ${job} zurückziehen`,
      title: 'Bewerbung zurückziehen?',
      text: job =>
        `Das Unternehmen berücksichtigt Sie für „${job}“ nicht mehr. Das lässt sich nicht rückgängig machen. Ihre anderen Bewerbungen bleiben unverändert.`,
      reason: 'Grund',
      reasonHint: 'Nur das Unternehmen sieht ihn. Höchstens 2.000 Zeichen.',
      optional: 'freiwillig',
      tooLong: 'Kürzen Sie den Grund auf 2.000 Zeichen.',
      button: 'Bewerbung zurückziehen',
      keep: 'Nicht zurückziehen',
      done: 'Ihre Bewerbung wurde zurückgezogen.',
      notPossible:
        'Diese Bewerbung kann nicht mehr zurückgezogen werden: Sie wurde schon zurückgezogen, oder es wurde entschieden.',
    },
    documents: 'Dokumente, die Sie gesendet haben',
    noDocuments: 'Sie haben keine Dokumente gesendet.',
    resume: 'Lebenslauf',
    document: 'Dokument',
    download: 'Herunterladen',
    downloadOf: file => `${file} herunterladen`,
    details: {
      title: 'Ihre Kontaktdaten',
      change: 'Angaben korrigieren',
      firstName: 'Vorname',
      lastName: 'Nachname',
      email: 'E-Mail-Adresse',
      phone: 'Telefon',
      location: 'Wohnort',
      linkedin: 'LinkedIn-Profil',
      portfolio: 'Portfolio oder Website',
      none: 'nicht angegeben',
      save: 'Speichern',
      saved: 'Ihre Angaben wurden gespeichert.',
      faults: 'Bitte prüfen Sie Ihre Eingabe',
      name: 'Geben Sie mindestens einen Namen ein.',
      long: most => `Verwenden Sie höchstens ${most} Zeichen.`,
      phoneFault: 'Verwenden Sie nur Ziffern, Leerzeichen und + ( ) . -',
      linkedinFault: 'Geben Sie die Adresse Ihres Profils ein, zum Beispiel https://www.linkedin.com/in/name.',
      urlFault: 'Geben Sie eine vollständige Web-Adresse ein, zum Beispiel https://example.com.',
      notStored: 'Diese Angaben können nicht gespeichert werden. Es wurde nichts geändert.',
      emailTitle: 'E-Mail-Adresse ändern',
      emailText: 'Wir senden einen Link an die neue Adresse. Bevor Sie ihn dort öffnen, ändert sich nichts.',
      newEmail: 'Neue E-Mail-Adresse',
      emailButton: 'Link senden',
      emailSent: 'Sehen Sie in das Postfach der neuen Adresse und öffnen Sie dort innerhalb einer Stunde den Link.',
      emailSame: 'Das ist Ihre jetzige Adresse.',
      emailFault: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      emailTooMany: 'Sie haben heute schon mehrere Änderungen angefordert. Versuchen Sie es morgen wieder.',
    },
    emails: {
      title: 'E-Mails',
      on: company => `${company} darf Ihnen E-Mails zu Ihren Bewerbungen senden.`,
      off: company => `Sie erhalten keine E-Mails von ${company}, außer Links, die Sie selbst anfordern.`,
      unsubscribe: 'Abbestellen',
      subscribe: 'Wieder zustimmen',
      unsubscribed: 'Sie erhalten keine E-Mails mehr.',
      subscribed: 'Sie erhalten wieder E-Mails.',
    },
    data: {
      title: 'Ihre Daten',
      text: 'Sehen Sie alles, was hier über Sie gespeichert ist, oder nehmen Sie es als Datei mit.',
      see: 'Alle Daten ansehen',
      json: 'Als JSON herunterladen',
      pageTitle: company => `Was ${company} über Sie gespeichert hat`,
      madeAt: time => `Stand: ${time}`,
      print: 'Sie können diese Seite mit Ihrem Browser drucken oder als PDF speichern.',
      person: 'Über Sie',
      contacts: 'Kontaktdaten',
      provenance: 'Woher die Daten stammen',
      applications: 'Bewerbungen',
      answers: 'Antworten',
      consents: 'Einwilligungen',
      equalOpportunity: 'Angaben zur Chancengleichheit',
      prescreen: 'Antworten auf Vorabfragen',
      score: 'Automatischer Abgleich mit der Stelle',
      screening: 'Vorgespräch am Telefon',
      files: 'Dateien',
      profiles: 'Was in Ihrem Lebenslauf gelesen wurde',
      sourced: 'Profile aus anderen Quellen',
      emails: 'E-Mails an Sie',
      recipients: 'Wer über die Schnittstelle für Partner Daten erhalten hat',
      preferences: 'E-Mails, die Sie erlauben',
      none: 'Nichts.',
      yes: 'ja',
      no: 'nein',
      internal: 'Was das Unternehmen über Sie geschrieben hat',
      internalText: company =>
        `Mitglieder von ${company} können zu Bewerbungen Notizen und Bewertungen schreiben und sie zwischen internen Schritten bewegen. Auch das sind Ihre Daten. Weil sie zugleich andere Menschen betreffen können, muss jemand sie ansehen, bevor Sie eine Kopie erhalten; deshalb stehen sie nicht auf dieser Seite. Fragen Sie das Unternehmen: Es muss innerhalb eines Monats antworten. Vorhanden sind:`,
      internalCounts: (notes, scorecards, changes) =>
        `${notes} Notizen, ${scorecards} Bewertungen, ${changes} Wechsel des internen Schritts`,
      sourcedText:
        'Profile, die das Unternehmen unter Ihrer E-Mail-Adresse gefunden hat. Es kann weitere haben, die Sie anders benennen: Fragen Sie das Unternehmen.',
      times: times => (times === 1 ? 'einmal' : `${times}-mal`),
    },
    erasure: {
      title: 'Daten löschen',
      text: 'Lassen Sie alles löschen, was hier über Sie gespeichert ist. Offene Bewerbungen enden damit.',
      start: 'Meine Daten löschen',
      pageTitle: 'Alle Ihre Daten löschen?',
      what: company => [
        `${company} löscht Ihre Angaben, Bewerbungen, Dokumente, Antworten und Nachrichten. Das beginnt sofort und lässt sich nicht rückgängig machen.`,
        'Ihre offenen Bewerbungen enden.',
        'Partner des Unternehmens, die Kopien haben, werden aufgefordert, sie innerhalb von 7 Tagen zu löschen.',
        'Andere Unternehmen, die diesen Dienst nutzen, erfahren nichts von Ihren Bewerbungen hier. Wenn sie Daten zu derselben Adresse haben, werden auch sie um Löschung gebeten und entscheiden selbst.',
        'Es bleibt ein Fingerabdruck Ihrer E-Mail-Adresse, damit niemand Sie versehentlich wieder speichert. Solange es ihn gibt, können Sie sich hier mit dieser Adresse nicht bewerben.',
      ],
      keep: 'Wenn Sie nur eine Bewerbung beenden wollen, ziehen Sie sie zurück. Wenn Sie nur keine E-Mails möchten, bestellen Sie sie ab.',
      confirm: 'Ja, alle meine Daten löschen',
      confirmFault: 'Setzen Sie das Häkchen, wenn Ihre Daten gelöscht werden sollen.',
      button: 'Meine Daten endgültig löschen',
      cancel: 'Daten behalten',
      begunTitle: 'Ihre Daten werden gelöscht',
      begun: date =>
        `Die Löschung hat begonnen und dauert meist wenige Minuten. Partner müssen ihre Kopien bis zum ${date} gelöscht haben.`,
      begunAfter: 'Sie wurden abgemeldet und erhalten keine E-Mails mehr. Sie müssen nichts weiter tun.',
      failed:
        'Die Löschung konnte nicht begonnen werden. Es wurde nichts geändert. Versuchen Sie es später wieder oder schreiben Sie dem Unternehmen.',
    },
  },

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
