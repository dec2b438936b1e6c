export { changeRole, createUser, listUsers, removeUser, setPassword } from './actions.ts'
export { userRoutes } from './routes.ts'
export { endSessionsOf, userById, usersOf } from './store.ts'
