export {
  activeApp,
  giveConsent,
  type IssuedApp,
  isAppSecret,
  listApps,
  listConsents,
  registerApp,
  revokeApp,
  revokeConsent,
  rotateAppSecret,
} from './actions.ts'
export { APP_KINDS, APP_SCOPES, grantable, scopeInWords } from './rules.ts'
export { type AppRow, appById, consentById } from './store.ts'
