export {
  cancelInterview,
  cancelInterviewsAhead,
  changeInterview,
  forgetInterview,
  markNoShow,
  planInterview,
  removeInterviewsOfApplicant,
  removeInterviewsOfApplication,
  restoreInterview,
  restoreInterviewsOf,
  settleAnswer,
  type When,
} from './actions.ts'
export {
  answerInterview,
  type CandidateInterview,
  chooseTime,
  readOwnInterview,
  readOwnInterviews,
} from './choice-actions.ts'
export {
  type EntryTexts,
  entryForTeam,
  type Invitation,
  locationOf,
  namesAreFull,
  type Organizer,
  readInvitation,
  readOrganizer,
  teamUrl,
  titleForTeam,
  writeInvite,
  writeMemberCalendar,
} from './invitation-actions.ts'
export {
  endCalendar,
  findCalendar,
  readAvailability,
  readHours,
  renewCalendarSecret,
  setHours,
} from './member-actions.ts'
export { type InterviewData, readInterviewData, readPanelInterviews } from './read-interviews.ts'
export { interviewRoutes } from './routes.ts'
export {
  ANSWER_LENGTH,
  DEFAULT_FEEDBACK_HOURS,
  FEEDBACK_HOURS,
  interviewSealedColumns,
  MAX_INTERVIEWERS,
  MAX_OFFERED_TIMES,
} from './rules.ts'
export {
  applicationsAhead,
  type CanceledEntry,
  type EndedInterview,
  endedInterviews,
  peopleOf,
  putInterviewSettings,
  selectCalendarAddress,
  selectInterviewSettings,
  selectNextInterviews,
  takeEnded,
} from './store.ts'
