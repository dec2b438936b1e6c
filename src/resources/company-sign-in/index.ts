export {
  type CompanySignInInput,
  changeCompanySignIn,
  companySealedColumns,
  disconnectMember,
  domainRecord,
  type FoundMember,
  mailConnected,
  memberForPerson,
  type ProvidedPerson,
  provedDomains,
  readCompanyLog,
  readCompanySignIn,
  recordFailure,
  removeCompanySignIn,
  unsealClientSecret,
} from './actions.ts'
export { describeReason, FAILURES, type FailureCode, type SignInFailure } from './failure-rules.ts'
export {
  CLAIM_ROLES,
  checkedDomains,
  checkedIssuer,
  emailDomainOf,
  isPublicMailbox,
  roleByClaims,
  SettingFault,
} from './rules.ts'
export {
  anyCompanySignIn,
  type CompanySignInRow,
  companySignInAt,
  openCompanySignIn,
  type SignInLogRow,
  selectCompanyIdentities,
} from './store.ts'
