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
} from './actions.ts'
export { createApplication, importApplication } from './create.ts'
export { parseNext, parseResumeOf } from './parse-resume.ts'
export { applicationReads } from './routes.ts'
export type { AnswerValue, FormAnswer, FormField } from './rules.ts'
export { rescoreNext, scoreApplication } from './score-application.ts'
export {
  allApplications,
  allTransitions,
  applicationById,
  applicationsPage,
  formOf,
  jobForApplying,
  type StoredScreening,
  selectJobStages,
  withResumeAccess,
} from './store.ts'
export { applicationWrites } from './write-routes.ts'
