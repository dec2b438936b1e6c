export { addSite } from './actions.ts'
export { publicJobPath } from './rules.ts'
export { type SiteRow, siteBySlug } from './store.ts'
