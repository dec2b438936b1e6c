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
  },

  // list of jobs
  list: {},

  // page of a job
  job: {},

  // feeds and link previews
  feeds: {},

  // application form
  apply: {
    title: job => `Bewerbung: ${job}`,
    applyFor: 'Auf diese Stelle bewerben',
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
    closedNow: 'Diese Stelle ist geschlossen, oder es werden zurzeit keine Bewerbungen angenommen.',
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
  mail: {},
}
