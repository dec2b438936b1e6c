export {
  addNote,
  addScorecard,
  changeBelongings,
  deleteApplicant,
  deleteApplication,
  hireApplication,
  moveApplication,
  recordScreening,
  rejectApplication,
  setApplicationStatus,
  withdrawApplication,
} from './actions.ts'
export {
  type AddedCandidate,
  type AddingTo,
  addCandidates,
  type CheckedCandidate,
  checkCandidates,
} from './adding-actions.ts'
export type { TeamCandidate } from './adding-rules.ts'
export { answerFileRoutes } from './answer-file-routes.ts'
export { applyOnForm, findFormFaults, replaceResume } from './apply-on-form.ts'
export {
  type BoardFilter,
  boardCards,
  boardCardsById,
  boardCounts,
  boardJob,
  boardNeighbors,
  boardSelection,
  boardStages,
  judgeResumeAccess,
  SORTED_BY,
  sortedBoardCards,
  sortedBoardNeighbors,
} from './board-store.ts'
export { clearStage } from './clear-stage.ts'
export { createApplication, importApplication } from './create.ts'
export type { PublicForm, Submission } from './form-rules.ts'
export { toExportedApplication, toExportedRow } from './hide-stopped.ts'
export { allTransitions, type HistoryStep, latestSteps } from './history-store.ts'
export { LOCK_WAIT_MS } from './locked-change.ts'
export { changeOwner, releaseCandidates } from './owner.ts'
export { parseNext, parseOneResume } from './parse-resume.ts'
export { discardSubmission, noteProof, useSubmission } from './pending-actions.ts'
export { hasUnprovedDetails, type WaitingSubmission, waitingSubmissions } from './pending-store.ts'
export { applicationRelation, applicationsRelation } from './relations.ts'
export { applicationReads } from './routes.ts'
export { type AnswerValue, FORM_TEXT, type FormAnswer } from './rules.ts'
export { rescoreNext, scoreApplication } from './score-application.ts'
export {
  allApplications,
  applicationById,
  BY_APPLIED,
  BY_SCORE,
  type StoredScreening,
  selectJobStages,
} from './store.ts'
export {
  changeStartDate,
  moveWithStatus,
  type PersonsChange,
  reopenByTeam,
  undoLastStep,
  unhire,
} from './team-decisions.ts'
export { transferApplication } from './transfer-actions.ts'
export { applicationWrites } from './write-routes.ts'
