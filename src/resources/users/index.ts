export {
  addUser,
  changeJobAccess,
  changeRole,
  changeRoleIn,
  createUser,
  endAccess,
  existingUser,
  listUsers,
  removeUser,
  setPassword,
} from './actions.ts'
export { userRoutes } from './routes.ts'
export { dropTicketsOf, endAuthorizationsOf, endSessionsOf, limitedUsers, userById, usersOf } from './store.ts'
