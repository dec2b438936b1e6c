import type { common as english } from '../en/common.ts'

export const common: typeof english = {
  save: 'Speichern',
  cancel: 'Abbrechen',
  close: 'Schließen',
  remove: 'Entfernen',
  undo: 'Rückgängig',
  retry: 'Erneut versuchen',
  loading: 'Wird geladen',
  failed: 'Laden fehlgeschlagen. Nichts ging verloren.',
  forbidden: 'Kein Zugriff. Fragen Sie einen Inhaber oder Admin.',
  tooMany: 'Mehr als 10.000. Bitte filtern.',
  open: 'Offen',
  all: 'Alle',
  filter: 'Filter',
  sort: 'Sortieren',
  you: 'Sie',
  refused: (actor, candidate, stage) =>
    `${actor} hat ${candidate} nach ${stage} verschoben. Ihre Änderung wurde nicht ausgeführt.`,
}
