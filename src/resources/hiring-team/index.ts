export {
  askForCards,
  changeTags,
  changeTeam,
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
  members,
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
