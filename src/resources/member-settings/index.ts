export { readMemberSettings, setMemberSettings } from './actions.ts'
