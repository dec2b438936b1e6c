export { dropExports, dropExportsNeeding, dropExportsOf, exportRequested } from './actions.ts'
export { exportRoutes } from './routes.ts'
export { runNextExport } from './run-export.ts'
export { deleteOldExports, expireExports, exportsWaiting } from './store.ts'
