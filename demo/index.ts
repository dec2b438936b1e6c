/** The only file of the demo that the service imports: from the command line and from `app.ts`. */
export { OPERATIONS, operationList } from './activity/operations.ts'
export { Scene } from './activity/scene.ts'
export { type SimulationResult, simulate } from './activity/simulate.ts'
export { trigger } from './activity/trigger.ts'
export { type DemoCredentials, demoCredentials, demoKeyExists, demoSecret, demoWorkspace } from './credentials.ts'
export { type DemoSummary, loadDemo } from './load.ts'
export { seeded } from './random.ts'
export { type DemoReceiver, openReceiver } from './receiver.ts'
