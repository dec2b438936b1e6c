export { grantCredits, spendCredits } from './actions.ts'
export { MAX_GRANT, NotEnoughCredits } from './rules.ts'
export { balanceOf, type CreditEntry, entriesOf } from './store.ts'
