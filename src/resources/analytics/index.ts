export { addUpFunnel, checkFunnel, type FunnelCheck, isWrong, repairFunnel } from './actions.ts'
export { analyticsRoutes } from './routes.ts'
