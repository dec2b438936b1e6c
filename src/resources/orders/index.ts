export {
  acceptOrder,
  attendDueOrders,
  attendOrdersOf,
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
export { resultOf } from './results-store.ts'
export { orderReads } from './routes.ts'
export { orderById, orderDeadlines, type StoredOrder } from './store.ts'
export { isOrderable, type LeftOut, leftOutOf, type OrderSubject, type TeamOrder, teamActions } from './team-rules.ts'
export {
  countOrderTasks,
  noticeOf,
  type OrderMark,
  orderCandidates,
  orderMarks,
  orderSubject,
  orderTasks,
  packagesForStages,
  setReviewed,
  teamOrders,
  withAdverseResult,
} from './team-store.ts'
export { vendorRoutes } from './vendor-routes.ts'
export { orderWrites } from './write-routes.ts'
