export {
  activeApp,
  checkedRedirects,
  giveConsent,
  type IssuedApp,
  isAppSecret,
  issueAppSecret,
  listApps,
  listConsents,
  registerApp,
  revokeApp,
  revokeAppIn,
  revokeConsent,
  rotateAppSecret,
} from './actions.ts'
export { APP_KINDS, APP_SCOPES, grantable, scopeInWords } from './rules.ts'
export { type AppRow, appById, consentById } from './store.ts'
