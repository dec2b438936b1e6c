export { messageRoutes } from './routes.ts'
export { isReservedAddress } from './rules.ts'
export { unsubscribeToken } from './unsubscribe-link.ts'
export { unsubscribeRoutes } from './unsubscribe-page.ts'
