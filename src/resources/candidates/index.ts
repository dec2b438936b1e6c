export { queueMail } from './actions.ts'
