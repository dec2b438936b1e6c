export { messageRoutes } from './routes.ts'
export { unsubscribeToken } from './unsubscribe-link.ts'
export { unsubscribeRoutes } from './unsubscribe-page.ts'
