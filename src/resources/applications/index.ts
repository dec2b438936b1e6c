export {
  addNote,
  addScorecard,
  deleteApplicant,
  deleteApplication,
  hireApplication,
  moveApplication,
  recordScreening,
  rejectApplication,
  setApplicationStatus,
  withdrawApplication,
} from './actions.ts'
export { createApplication, importApplication } from './create.ts'
export { PRESCREEN_TEXT, type PublicForm } from './form-rules.ts'
export { parseNext, parseResumeOf } from './parse-resume.ts'
export { applicationReads } from './routes.ts'
export { type AnswerValue, FORM_TEXT, type FormAnswer } from './rules.ts'
export { rescoreNext, scoreApplication } from './score-application.ts'
export {
  allApplications,
  allTransitions,
  applicationById,
  applicationsPage,
  type StoredScreening,
  selectJobStages,
  withResumeAccess,
} from './store.ts'
export { applicationWrites } from './write-routes.ts'
