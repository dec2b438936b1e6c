export {
  addUser,
  changeJobAccess,
  changeRole,
  changeRoleIn,
  createUser,
  endAccess,
  listUsers,
  removeUser,
  setPassword,
} from './actions.ts'
export { userRoutes } from './routes.ts'
export { endSessionsOf, limitedUsers, userById, usersOf } from './store.ts'
