export const board = {
  board: 'Board',
  table: 'Table',
  empty: 'No candidates yet.',
  addCandidate: 'Add candidate',
  findInPool: 'Find in talent pool',
  copyJobLink: 'Copy link to the job',
  setUp: 'Set up',
  share: 'Share',
  history: 'History',
  team: 'Team',
  outcomes: 'How it ended',
  withdrawEach: 'Withdraw candidates one by one.',
}
