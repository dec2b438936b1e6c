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
export { dropUserTickets, endUserAuthorizations, endUserSessions, selectUsers, userById } from './store.ts'
