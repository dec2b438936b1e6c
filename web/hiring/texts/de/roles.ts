import type { roles as english } from '../en/roles.ts'

export const roles: typeof english = {
  names: {
    recruiter: 'Recruiter',
    hiring_manager: 'Fachverantwortlich',
    interviewer: 'Interviewer (nur Feedback)',
  },
  roleOf: (name: string) => `Rolle von ${name} in dieser Stelle`,
  joined: (name: string) => `${name} ist im Team`,
  left: (name: string) => `${name} ist nicht mehr im Team`,
  changed: (name: string, role: string) => `${name} ist in dieser Stelle ${role}`,
  notSaved: 'Nicht gespeichert',
  limited: 'Auf ihre Stellen begrenzt',
  limitedMeans:
    'Diese Personen sehen diese Stelle und ihre Bewerbungen nur, solange sie im Team sind. Wer begrenzt ist, legen Admins in der Konsole unter People fest.',
  noLimited: 'Niemand ist auf bestimmte Stellen begrenzt',
  everywhere: 'Mit Zugriff auf alle Stellen',
  everywhereMeans:
    'Im Team finden sie die Wartenden dieser Stelle in ihren Aufgaben. Wer in keinem Team ist, findet die aller Stellen. Wer nicht im Team ist, handelt als Recruiter.',
  keys: 'Rollen gelten auf diesen Seiten. Ein Mitglied mit Zugriff auf alle Stellen behält die Rechte seines API-Schlüssels. Soll die Rolle überall gelten, begrenzen Sie die Person auf ihre Stellen: Schlüssel begrenzter Personen lesen keine Bewerbungen.',
  noEverywhere: 'Niemand hat Zugriff auf alle Stellen',
  meaning: {
    recruiter: 'Recruiter dürfen in der Stelle alles.',
    hiring_manager:
      'Fachverantwortliche entscheiden über Bewerbungen und schreiben Nachrichten; sie stellen nicht ein und ändern die Einrichtung nicht.',
    interviewer:
      'Interviewer sehen, mit wem sie sprechen oder zu wem sie gefragt wurden, und geben Feedback: keine Kontaktdaten, Nachrichten oder Entscheidungen.',
  },
  smaller: 'Auch die Rolle im Arbeitsbereich zählt: Die kleinere gilt. Inhaber und Admins dürfen alles.',
}
