export {
  addApplicant,
  changeEmail,
  editApplicant,
  fillMissingDetails,
  importApplicant,
  subscribeApplicant,
  unsubscribeApplicant,
} from './actions.ts'
export { applicantRoutes } from './routes.ts'
export {
  type ApplicantDetails,
  applicantConsent,
  applicantsPage,
  candidatesNamed,
  countApplications,
  deleteApplicantRow,
  lockApplicantByEmail,
  lockApplicantById,
  lockPerson,
  toApplicant,
  unsubscribedAddress,
} from './store.ts'
