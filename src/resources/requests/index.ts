export { requestRoutes } from './routes.ts'
export { chosenRequests, type RequestFilters } from './store.ts'
