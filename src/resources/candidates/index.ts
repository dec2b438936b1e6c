export {
  beginSession,
  type ContactDetails,
  candidateOf,
  confirmEmailChange,
  correctDetails,
  endSession,
  ownApplication,
  ownApplications,
  ownConsents,
  ownFiles,
  ownFileUrl,
  ownSubmissions,
  readLink,
  replaceOwnResume,
  requestAccess,
  requestEmailChange,
  requestOwnErasure,
  type Self,
  setSubscription,
  settleSubmission,
  withdrawConsent,
  withdrawOwn,
} from './actions.ts'
export { type PersonalData, personalData } from './data-actions.ts'
export type { Answered, OwnApplication, OwnConsent, OwnFile } from './data-store.ts'
export { candidateMails, type MailFacts, queueMail, type WriteMail } from './mail-actions.ts'
export { LANDING_PAGES, type LandingPage, LINK_SECONDS, publicState, SESSION_SECONDS } from './rules.ts'
export { CANDIDATE_MAILS, type CandidateRow } from './store.ts'
