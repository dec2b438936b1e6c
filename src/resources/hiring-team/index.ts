export {
  askForCards,
  changeTags,
  changeTeam,
  membersWithAccess,
  type OnApplication,
  readCriteria,
  readPanel,
  readTaskCount,
  readTeam,
  readWaitingDays,
  setCriteria,
  setWaitingDays,
  writeNote,
} from './actions.ts'
export { mailNextMember } from './mail-actions.ts'
export { MAX_CRITERIA, MAX_MENTIONS } from './rules.ts'
export {
  COUNTED_TASKS,
  dueCards,
  notesPage,
  onAnyTeam,
  openMentions,
  setMentionDone,
  tagsOf,
  teamMailsWaiting,
  usedTags,
  waitingPage,
  withdrawCardRequest,
} from './store.ts'
