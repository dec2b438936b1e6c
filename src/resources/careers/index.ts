export { addSite } from './actions.ts'
export { type SiteRow, siteBySlug } from './store.ts'
