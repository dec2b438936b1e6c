export { isTimeZone, readMemberSettings, readSettingsOf, setMemberSettings } from './actions.ts'
export type { MemberSettings } from './store.ts'
