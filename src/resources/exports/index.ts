export { dropExports, dropExportsNeeding, dropExportsOf, exportAsked } from './actions.ts'
export { exportRoutes } from './routes.ts'
export { runNextExport } from './run-export.ts'
export { expireExports, forgetExports } from './store.ts'
