export { messageRoutes } from './routes.ts'
export { unsubscribeRoutes } from './unsubscribe-page.ts'
