export {
  createKey,
  createKeyIn,
  endLostScopes,
  followRights,
  type IssuedKey,
  listKeys,
  revokeKey,
  revokeKeyIn,
  rotateKey,
  rotateKeyIn,
} from './actions.ts'
export { corporateDomain, keyState, mayManageKeys } from './rules.ts'
export { type KeyRow, keyById, previousSecretExpiry, secretsOfKey, workspacePlan } from './store.ts'
