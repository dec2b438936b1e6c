import type { decisions as english } from '../en/decisions.ts'

export const decisions: typeof english = {
  hired: 'Eingestellt',
  rejected: 'Abgelehnt',
  withdrawn: 'Zurückgezogen',
  advanceTo: stage => `Weiter zu ${stage}`,
  moveTo: 'Verschieben nach …',
  reopen: 'Wieder öffnen',
  takeBackHire: 'Einstellung zurücknehmen',
}
