export {
  closeDueJobs,
  closeDueJobsOfWorkspace,
  createJob,
  deleteJob,
  editJob,
  moveJob,
  pushJob,
  scoresOutdated,
} from './actions.ts'
export { duplicateJob } from './duplicate.ts'
export { emitTemplateForms } from './emit-template-forms.ts'
export { historyOfJob, insertCriteriaHistory, jobExists, latestChange } from './history-store.ts'
export {
  countJobs,
  JOB_ORDERS,
  type JobSort,
  jobsOverview,
  type LeadingRole,
  leadersOf,
  noteVisit,
  type OverviewFilters,
} from './overview-store.ts'
export { type PublicFormField, type PublicFormView, readPublicForm } from './public-form.ts'
export { readSiteUrl } from './read-job.ts'
export { readJobForm, readQuestions, readStages, readTemplateForm } from './read-setup.ts'
export { jobRelation, stageRelation } from './relations.ts'
export { jobRoutes } from './routes.ts'
export { searchByWords, searchNear } from './search.ts'
export { jobRank } from './search-store.ts'
export {
  type FormFieldInput,
  formBody,
  type QuestionInput,
  questionsBody,
  stagesBody,
  versionBody,
} from './sections-input.ts'
export { setForm, setQuestions, setTemplateForm, useTemplateForm } from './set-sections.ts'
export { setStages } from './set-stages.ts'
export { allJobs, closingTimes, listJobs, toJob, toJobRow } from './store.ts'
export { jobDescription, jobStageCounts, jobWords } from './team-store.ts'
