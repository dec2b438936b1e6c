export {
  addUser,
  changeJobAccess,
  changeRole,
  changeRoleIn,
  createUser,
  endAccess,
  existingUser,
  limitedUsers,
  listUsers,
  removeUser,
  setPassword,
} from './actions.ts'
export { userRoutes } from './routes.ts'
export { dropTicketsOf, endAuthorizationsOf, endSessionsOf, userById, usersOf } from './store.ts'
