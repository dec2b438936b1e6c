import type { notes as english } from '../en/notes.ts'

export const notes: typeof english = {
  title: 'Notizen',
  newNote: 'Neue Notiz',
  placeholder: 'Mit @ erwähnen Sie jemanden.',
  add: 'Notiz hinzufügen',
  added: 'Notiz hinzugefügt',
  none: 'Noch keine Notizen',
  older: 'Ältere Notizen',
  former: 'Früheres Mitglied',
  members: 'Mitglieder',
  whoReads: 'Wer sie liest',
  visibilities: { team: 'Team', private: 'Privat' },
  readers: {
    team: 'Alle, die an dieser Stelle arbeiten. Interviewer lesen sie nach ihrer Bewertung.',
    private: 'Nur Sie, Erwähnte, Inhaber und Admins.',
  },
  edited: 'bearbeitet',
  edit: 'Notiz bearbeiten',
  changed: 'Notiz geändert',
  remove: 'Notiz löschen',
  removed: 'Notiz gelöscht',
  backInForm: 'Der Text steht wieder im Formular.',
  hidden: (n: number) => `${n === 1 ? '1 Notiz' : `${n} Notizen`}. Sichtbar nach Abgabe Ihrer Bewertung.`,
  seesNoNames: 'sieht keine Namen',
  notAsked: 'nicht zu dieser Person gefragt',
}
