export { addUpFunnel, checkFunnel, type FunnelCheck, hasDifferences, repairFunnel } from './actions.ts'
export { analyticsRoutes } from './routes.ts'
export { outcomeStatuses, resolveWindow, windowFaults } from './rules.ts'
export { countedApplications } from './store.ts'
