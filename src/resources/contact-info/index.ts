export { contactInfoRoutes } from './routes.ts'
