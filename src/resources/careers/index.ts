export { addSite, changeSite, readSite, removeLogo, type Site, setLogo } from './actions.ts'
export { LOGO_LIMITS, logoFault } from './logo-format.ts'
export { publicJobPath, type SiteChanges, siteChanges } from './rules.ts'
export { frontSite, SITE_COLUMNS, type SiteRow, siteBySlug } from './store.ts'
