export const decisions = {
  hired: 'Hired',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  advanceTo: (stage: string) => `Advance to ${stage}`,
  moveTo: 'Move to…',
  reopen: 'Reopen',
  takeBackHire: 'Take back hire',
}
