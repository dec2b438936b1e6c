import type { settings as english } from '../en/settings.ts'

export const settings: typeof english = {
  title: 'Ihr Konto',
  description: 'Wie die Seiten für Sie aussehen und welche E-Mails Sie bekommen.',
  language: 'Sprache',
  asBrowser: 'Wie im Browser',
  timeZone: 'Zeitzone',
  timeZoneHint: 'In ihr werden Zeiten gezeigt und Interviews geplant.',
  signIn: 'Passwort, zweiter Faktor und Sitzungen',
}
