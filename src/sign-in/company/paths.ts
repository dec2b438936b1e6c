/** The page that leads to the provider of a workspace. */
export const startPath = (workspace: string): string => `/sign-in/company/${workspace}`

/** Where the provider posts that someone signed out there. */
export const logoutPath = (workspace: string): string => `${startPath(workspace)}/logout`

/** Where the provider sends a browser that signed out there. */
export const signedOutPath = (workspace: string): string => `${startPath(workspace)}/signed-out`
