export {
  acknowledgeAlert,
  alertSealedColumns,
  changePreferences,
  checkAlerts,
  readPreferences,
  removeWebhook,
  rotateAlertWebhookSecret,
  saveWebhook,
} from './actions.ts'
export { alertMails, postDueAlerts, testAlertWebhook } from './notify.ts'
export { describeAlert } from './rules.ts'
export {
  ALERT_STATES,
  type AlertRow,
  countAlerts,
  notificationsWaiting,
  openAlerts,
  selectAlerts,
  selectAlertWebhook,
} from './store.ts'
