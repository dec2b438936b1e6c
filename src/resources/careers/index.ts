export { addSite } from './actions.ts'
export { frontSite, SITE_COLUMNS, type SiteRow, siteBySlug } from './store.ts'
