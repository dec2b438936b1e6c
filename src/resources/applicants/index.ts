export {
  addApplicant,
  addFurtherEmails,
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
  type KnownPerson,
  lockApplicantByEmail,
  lockApplicantById,
  lockPerson,
  markDetailsProved,
  peopleByKeys,
  toApplicant,
  unsubscribedAddress,
  unsubscribedAmong,
} from './store.ts'
