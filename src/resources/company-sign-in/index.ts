export {
  type CompanySignInInput,
  changeCompanySignIn,
  clientSecretOf,
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
} from './actions.ts'
export { FAILURES, type FailureCode, type SignInFailure } from './failure-rules.ts'
export {
  CLAIM_ROLES,
  checkedDomains,
  checkedIssuer,
  domainOf,
  isPublicMailbox,
  roleByClaims,
  SettingFault,
} from './rules.ts'
export {
  anyCompanySignIn,
  type CompanySignInRow,
  companySignInAt,
  identitiesOf,
  openCompanySignIn,
  type SignInLogRow,
} from './store.ts'
