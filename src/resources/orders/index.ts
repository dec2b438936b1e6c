export {
  acceptOrder,
  attendDueOrders,
  attendDueOrdersOfWorkspace,
  cancelOrder,
  cancelOrdersOfApplicant,
  cancelOrdersOfApplication,
  cancelOrdersOfVendor,
  declineOrder,
  deleteOrdersOfApplication,
  extendOrder,
  failOrder,
  progressOrder,
  remindCandidate,
  sendInvitation,
} from './actions.ts'
export { checkToken, readCheckToken } from './check-link.ts'
export { type Completion, completeOrder } from './complete.ts'
export { type PlacedBy, placeOrder, placeOrdersOfStage, repeatOrder } from './place.ts'
export { ordersRelation } from './relations.ts'
export { orderReads } from './routes.ts'
export { orderById, orderDeadlines, type StoredOrder } from './store.ts'
export {
  findLeftOutReason,
  isOrderable,
  type LeftOutReason,
  type OrderSubject,
  type TeamOrder,
  teamActions,
} from './team-rules.ts'
export {
  countOrderTasks,
  type OrderMark,
  orderCandidates,
  orderMarks,
  orderSubject,
  orderTasks,
  packagesForStages,
  placersOfTasks,
  selectNotice,
  setReviewed,
  teamOrders,
  withAdverseResult,
} from './team-store.ts'
export { vendorRoutes } from './vendor-routes.ts'
export { orderWrites } from './write-routes.ts'
