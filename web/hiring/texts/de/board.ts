import type { board as english } from '../en/board.ts'

export const board: typeof english = {
  board: 'Board',
  table: 'Tabelle',
  empty: 'Noch keine Bewerbungen.',
  addCandidate: 'Bewerbung anlegen',
  findInPool: 'Im Talentpool suchen',
  copyJobLink: 'Link zur Stelle kopieren',
  setUp: 'Einrichten',
  share: 'Teilen',
  history: 'Änderungen',
  team: 'Team',
  outcomes: 'Ergebnisse',
  withdrawEach: 'Bewerbungen bitte einzeln zurückziehen.',
}
