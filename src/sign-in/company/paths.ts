/** The page that leads to the provider of a workspace. */
export const startPath = (workspace: string): string => `/sign-in/company/${workspace}`
