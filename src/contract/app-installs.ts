/** Who in a workspace can install apps: owners and admins who may manage keys, owners, or no one. */
export const APP_INSTALLS = ['admins', 'owners', 'off'] as const
export type AppInstalls = (typeof APP_INSTALLS)[number]
