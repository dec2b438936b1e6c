export { addSite, changeSite, readSite, removeLogo, type Site, setLogo } from './actions.ts'
export { LOGO_LIMITS, logoFault, logoNotes } from './logo-format.ts'
export { jobBelow, type SiteChanges, siteChanges, sitePathOf } from './rules.ts'
export { frontSite, type SiteRow, selectSite, siteBySlug } from './store.ts'
