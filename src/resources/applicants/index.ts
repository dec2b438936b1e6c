export { addApplicant, editApplicant, fillMissingDetails, importApplicant, unsubscribeApplicant } from './actions.ts'
export { applicantRoutes } from './routes.ts'
export {
  type ApplicantDetails,
  applicantConsent,
  applicantsPage,
  countApplications,
  deleteApplicantRow,
  lockApplicantByEmail,
  lockApplicantById,
  lockPerson,
  toApplicant,
  unsubscribedAddress,
} from './store.ts'
