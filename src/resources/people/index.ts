export { buildResolveContext, exactMatches, recordLink, resolveAll } from './actions.ts'
export { peopleRoutes } from './routes.ts'
export { displayName } from './rules.ts'
