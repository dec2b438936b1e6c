export { endInstallation, suspendInstallation } from './actions.ts'
export {
  approveApp,
  type ChangedInstallable,
  changeInstallable,
  endAppsOfWorkspace,
  readInstallable,
  registerInstallable,
  registerOwnApp,
  revokeInstallable,
  rotateInstallableWebhook,
  submitApp,
  suspendApp,
} from './app-actions.ts'
export { type InstallableApp, type Registration, selectInstallables } from './app-store.ts'
export {
  appRefusal,
  exchangeCode,
  type Installed,
  installerRefusal,
  issueCode,
  planBudget,
  readInstallation,
  readInstalled,
  readInstaller,
} from './install-actions.ts'
export { installationRoutes } from './routes.ts'
export { DEFAULT_BUDGET, isChallenge, isUnpaid, knownScopes } from './rules.ts'
export { type InstallationRow, selectInstallations } from './store.ts'
export { readAppWebhooks, type WantedWebhooks } from './webhook-actions.ts'
