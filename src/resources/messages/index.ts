export {
  readMessageFacts,
  readMessages,
  resubscribe,
  type Subscription,
  subscription,
  unsubscribe,
} from './actions.ts'
export { messageRoutes } from './routes.ts'
export { setTemplateName } from './store.ts'
export { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-link.ts'
