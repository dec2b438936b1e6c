export { exactMatches, recordLink, resolveAll, resolveContextOf } from './actions.ts'
export { peopleRoutes } from './routes.ts'
export { displayName } from './rules.ts'
