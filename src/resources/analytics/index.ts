export { addUpFunnel, checkFunnel, type FunnelCheck, hasDifferences, repairFunnel } from './actions.ts'
export { analyticsRoutes } from './routes.ts'
export { outcomeStatuses, windowFaults, windowOf } from './rules.ts'
export { countedApplications } from './store.ts'
