export {
  askForCards,
  changeTags,
  changeTeam,
  deleteOwnNote,
  editNote,
  membersNamed,
  membersWithAccess,
  type OnApplication,
  readCriteria,
  readNotes,
  readPanel,
  readTaskCount,
  readTasks,
  readTeam,
  readWaitingDays,
  requireMembers,
  setCriteria,
  setWaitingDays,
  writeNote,
} from './actions.ts'
export { type ActivityFacts, type ActivityKind, activityPage } from './activity-store.ts'
export { askAfterInterviews, remindOfCards } from './feedback-actions.ts'
export { teamMails } from './mail-actions.ts'
export { MAX_CRITERIA, MAX_MENTIONS, tagName } from './rules.ts'
export {
  COUNTED_TASKS,
  countHiddenNotes,
  type NoteReader,
  onAnyTeam,
  selectTags,
  setMentionDone,
  TEAM_MAILS,
  usedTags,
  waitingPage,
  withdrawCardRequest,
  withdrawRequestsOf,
} from './store.ts'
