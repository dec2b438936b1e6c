export {
  addApplicant,
  changeEmail,
  editApplicant,
  fillMissingDetails,
  importApplicant,
  readConsent,
  subscribeApplicant,
  unsubscribeApplicant,
} from './actions.ts'
export { applicantRelation } from './read-applicants.ts'
export { applicantRoutes } from './routes.ts'
export {
  type ApplicantDetails,
  adjustApplicationCount,
  applicantsPage,
  deleteApplicantRow,
  lockApplicantByEmail,
  lockApplicantById,
  lockPerson,
  markDetailsProved,
  toApplicant,
  unsubscribedAddress,
} from './store.ts'
