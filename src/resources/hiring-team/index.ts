export {
  changeTags,
  changeTeam,
  deleteOwnNote,
  editNote,
  membersNamed,
  membersWithAccess,
  type OnApplication,
  readCriteria,
  readNotes,
  readTeam,
  readWaitingDays,
  requireMembers,
  setCriteria,
  setWaitingDays,
  writeNote,
} from './actions.ts'
export { type ActivityFacts, type ActivityKind, activityPage } from './activity-store.ts'
export { addCandidatesWithNotes, checkCandidatesWithNotes, type NewCandidate } from './adding-actions.ts'
export {
  addRemark,
  askForCards,
  readCardDraft,
  readCardSummaries,
  readPanel,
  saveCardDraft,
  withdrawRequest,
} from './card-actions.ts'
export type { CardSummary } from './cards-store.ts'
export { askAfterInterviews, remindOfCards } from './feedback-actions.ts'
export { copyJob, readInterviewDefaults, readKits, setKit } from './kit-actions.ts'
export { teamMails } from './mail-actions.ts'
export { KIT_MINUTES, MAX_CRITERIA, MAX_KIT_PEOPLE, MAX_KIT_QUESTIONS, MAX_MENTIONS, tagName } from './rules.ts'
export {
  countHiddenNotes,
  type NoteReader,
  selectTags,
  TEAM_MAILS,
  usedTags,
  WRITTEN_SINCE,
  withdrawRequestsOf,
} from './store.ts'
