export { dropExports, dropExportsNeeding, dropKeyExports, expireDueExports, exportRequested } from './actions.ts'
export { exportRoutes } from './routes.ts'
export { runNextExport } from './run-export.ts'
export { deleteOldExports, exportsWaiting } from './store.ts'
