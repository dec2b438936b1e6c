export { createKey, followRole, type IssuedKey, listKeys, revokeKey, revokeKeyIn, rotateKey } from './actions.ts'
export { corporateDomain, keyState, mayManageKeys } from './rules.ts'
export { type KeyRow, keyById, previousSecretExpiry, secretsOf, workspacePlan } from './store.ts'
