export { addUpFunnel, checkFunnel, type FunnelCheck, hasDifferences, repairFunnel } from './actions.ts'
export { analyticsRoutes } from './routes.ts'
