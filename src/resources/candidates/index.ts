export {
  beginCandidateSession,
  type ContactDetails,
  confirmEmailChange,
  correctDetails,
  endCandidateSession,
  ownApplication,
  ownApplications,
  ownChecks,
  ownConsents,
  ownFiles,
  ownFileUrl,
  ownSubmissions,
  readCandidate,
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
  writeToCompany,
} from './actions.ts'
export { copyForTeam, readCannotSend, sendDataLink, undoDataLink } from './copy-actions.ts'
export { type CandidateData, personalData } from './data-actions.ts'
export {
  type Answered,
  type InvitedCheck,
  invitedCheck,
  type OwnApplication,
  type OwnCheck,
  type OwnConsent,
  type OwnFile,
} from './data-store.ts'
export { candidateMails, type MailFacts, queueMail, type WriteMail } from './mail-actions.ts'
export {
  isCheckMail,
  isInterviewMail,
  isLandingPage,
  LANDING_PAGES,
  type LandingPage,
  LINK_SECONDS,
  type ProvenPage,
  publicCheckState,
  publicState,
  SESSION_SECONDS,
} from './rules.ts'
export { CANDIDATE_MAILS, type CandidateRow } from './store.ts'
