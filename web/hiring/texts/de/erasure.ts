import { count } from '../../../ui/numbers.ts'
import type { erasure as english } from '../en/erasure.ts'

const RECORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  applicant: ['Person', 'Personen'],
  application: ['Bewerbung', 'Bewerbungen'],
  resume: ['Lebenslauf', 'Lebensläufe'],
  person: ['Identität', 'Identitäten'],
  sourced_profile: ['Profil', 'Profile'],
  pool_profile: ['Profil im Talentpool', 'Profile im Talentpool'],
  order: ['Prüfauftrag', 'Prüfaufträge'],
  file: ['Datei', 'Dateien'],
}

export const erasure: typeof english = {
  erase: 'Daten löschen …',
  ask: 'Löschung beim Inhaber anfragen …',
  stop: 'Verarbeitung stoppen …',
  send: 'Daten an die Person senden …',
  download: 'Alle Daten herunterladen …',

  eraseOne: name => `Daten von ${name} löschen`,
  eraseNow: 'Daten löschen',
  found: records => `In diesem Workspace: ${records}.`,
  record: (object, n) => `${count.format(n)} ${RECORDS[object]?.[n === 1 ? 0 : 1] ?? object}`,
  everythingGoes: 'Datensätze, Dateien, Notizen und Nachrichten werden gelöscht. Nach zehn Sekunden ist das endgültig.',
  asksOthers: 'Inhaber anderer Workspaces mit Daten der Person werden gefragt und entscheiden selbst.',
  canReturn:
    'Es ist weder E-Mail-Adresse noch LinkedIn-Adresse bekannt. Die Person kann später erneut gespeichert werden.',
  reason: 'Grund',
  reasons: { erasure_request: 'Wunsch der Person', legal_request: 'Rechtliche Anforderung' },
  typeName: 'Nachnamen zur Bestätigung eingeben',
  nameHint: word => `Nachname: ${word}`,
  wrongName: word => `Das ist nicht der Nachname. Geben Sie ${word} ein.`,
  eraseSoon: name => `Daten von ${name} werden in 10 s gelöscht.`,

  stopOne: name => `Verarbeitung der Daten von ${name} stoppen?`,
  stopNow: 'Verarbeitung stoppen',
  stopMeans:
    'Die Datensätze bleiben, aber niemand kann sie lesen, darüber entscheiden, danach suchen oder der Person schreiben. Die Verarbeitung kann nicht wieder beginnen.',
  stopSoon: name => `Verarbeitung der Daten von ${name} stoppt in 10 s.`,

  sendOne: name => `Daten an ${name} senden`,
  sendNow: 'Link senden',
  sendMeans: 'Die Person erhält eine E-Mail mit einem Link zur Seite mit ihren Daten.',
  cannotSend: {
    stopped: 'Die Verarbeitung der Daten dieser Person wurde gestoppt. Sie erhält keine E-Mails.',
    no_address: 'Es ist keine E-Mail-Adresse dieser Person bekannt.',
    no_site: 'Die Karriereseite ist aus. Es gibt keine Seite, die die Person öffnen kann.',
  },
  linkLeaves: 'Der Link geht in 10 s.',
  linkNotSent: 'Der Link wurde nicht gesendet.',

  downloadOne: name => `Alle Daten von ${name} herunterladen`,
  downloadNow: 'ZIP herunterladen',
  downloadMeans:
    'Ein ZIP mit JSON und Dateien. Was Kollegen geschrieben haben, liegt in einem eigenen Ordner: Prüfen Sie ihn vor der Weitergabe.',
  downloaded: 'Die Daten wurden heruntergeladen.',

  askOne: name => `Löschung der Daten von ${name} anfragen`,
  askNow: 'Anfragen',
  askMeans: owners => `Wird eine Notiz mit einer Aufgabe für ${owners}.`,
  askText: 'Text',
  askDefault: 'Bitte die Daten dieser Person löschen.',
  asked: 'Die Inhaber wurden gefragt.',
  noOwner: 'Kein Inhaber dieses Workspace kann diese Bewerbung lesen. Fragen Sie den Betreiber.',

  erasesSoon: 'Wird in wenigen Sekunden gelöscht.',
  stopsSoon: 'Die Verarbeitung stoppt in wenigen Sekunden.',
  running: day => `Wird gelöscht. Partner löschen bis ${day}.`,
  unchanged: name => `${name}: alles wie zuvor.`,
  tooLate: 'Es hat begonnen oder wurde schon rückgängig gemacht.',
  erased: 'Die Daten dieser Person wurden gelöscht',
  erasedMeans: 'Notizen, Nachrichten und Dateien wurden mit gelöscht.',
}
