export { grantCredits, grantPlayCredits, spendCredits } from './actions.ts'
export { MAX_GRANT, NotEnoughCredits } from './rules.ts'
export { type CreditEntry, selectBalance, selectCreditEntries } from './store.ts'
