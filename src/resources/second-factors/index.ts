export {
  beginTotp,
  confirmTotp,
  type Factors,
  pendingTotp,
  readFactors,
  removeTotp,
  renewRecoveryCodes,
  resetFactors,
  secondFactorSealedColumns,
  useCode,
} from './actions.ts'
export { mailChange } from './mail-actions.ts'
export {
  addPasskey,
  authenticationOptions,
  passkeySite,
  registrationOptions,
  removePasskey,
  usePasskey,
} from './passkey-actions.ts'
export { type PasskeyRow, selectPasskey, selectPasskeys } from './passkey-store.ts'
export { RECOVERY_CODES } from './recovery-rules.ts'
export { type Factor, SIGN_IN_CHANGES, type SignInChange } from './rules.ts'
export { type ChangeRow, insertChange, markSessionProved, membersWithFactor, selectSignInChanges } from './store.ts'
export { base32, totpAddress } from './totp-rules.ts'
