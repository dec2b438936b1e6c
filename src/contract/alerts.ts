/** What an alert can be about. Owners and admins choose by kind which ones they are sent. */
export const ALERT_KINDS = {
  endpoint_failing: {
    title: 'Webhook endpoint is failing',
    description:
      'An endpoint has accepted no event for an hour since its first failure, or 100 attempts in a row failed.',
  },
  endpoint_disabled: {
    title: 'Webhook endpoint was disabled',
    description: 'An endpoint was disabled after five days without a success, or because its receiver returned 410.',
  },
  personal_data_budget: {
    title: 'Personal-data budget',
    description: 'A key or an app has used 80 % or 100 % of its daily personal-data budget.',
  },
  monthly_quota: {
    title: 'Monthly quota',
    description: 'The workspace has used 80 % or 100 % of its requests of this month.',
  },
  key_expiring: { title: 'API key expires', description: 'A key expires in 14 days, and in 3 days.' },
  secret_expiring: {
    title: 'Previous secret still in use',
    description: 'The previous secret of a rotated key is about to expire, and requests still use it.',
  },
  deletion_deadline: {
    title: 'Deletion deadline',
    description: 'In 3 days, and in 1 day, partners must have confirmed that they deleted an erased person.',
  },
  order_waiting: {
    title: 'Vendor does not respond',
    description: 'A vendor has not accepted or declined an order of a check for 24 hours.',
  },
  app_suspended: {
    title: 'Installed app is suspended',
    description: 'The workspace or the operator of the service has suspended an installed app.',
  },
} as const

export type AlertKind = keyof typeof ALERT_KINDS
export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKind[]
export type AlertLevel = 'warning' | 'critical'
