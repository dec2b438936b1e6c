import type { activity as english } from '../en/activity.ts'

const FIELDS: Readonly<Record<string, string>> = {
  email: 'die E-Mail-Adresse',
  phone: 'die Telefonnummer',
  raw_text: 'den Text des Lebenslaufs',
  resume: 'den Lebenslauf',
}

export const activity: typeof english = {
  title: 'Verlauf',
  filter: 'Zeigen',
  filters: {
    all: 'Alle',
    notes: 'Notizen',
    messages: 'Nachrichten',
    decisions: 'Entscheidungen',
    feedback: 'Feedback',
    reads: 'Zugriffe',
  },
  nothing: 'Noch nichts.',
  older: 'Ältere',
  also: 'Auch',
  deletedJob: 'Eine gelöschte Stelle',
  outcomes: { hired: 'Eingestellt', rejected: 'Abgelehnt', withdrawn: 'Zurückgezogen' },
  former: 'Früheres Mitglied oder Schlüssel',
  automatic: 'Automatisch',
  note: 'Notiz',
  email: 'E-Mail',
  reply: 'Antwort',
  notedBy: name => `eingetragen von ${name}`,
  scorecard: 'hat eine Bewertung abgegeben',
  file: name => `Lebenslauf hinzugefügt: ${name}`,
  order: name => `hat ${name} bestellt`,
  read: field => `hat ${FIELDS[field] ?? field} geöffnet`,
  dataSent: 'hat der Person ihre Daten gesendet',
  dataDownloaded: 'hat alle Daten der Person heruntergeladen',
  applied: source => `hat sich über ${source} beworben`,
  decided: { hired: 'eingestellt', rejected: 'abgelehnt', withdrawn: 'Bewerbung zurückgezogen' },
  reopened: 'wieder geöffnet',
  moved: (to, from) => `nach ${to} verschoben, von ${from}`,
  removedStage: 'einer gelöschten Phase',
  and: ' und ',
}
