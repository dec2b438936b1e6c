/** The page that leads to the provider of a workspace. */
export const startPath = <W extends string>(workspace: W) => `/sign-in/company/${workspace}` as const

/** Where the provider posts that someone signed out there. */
export const logoutPath = <W extends string>(workspace: W) => `${startPath(workspace)}/logout` as const

/** Where the provider sends a browser that signed out there. */
export const signedOutPath = <W extends string>(workspace: W) => `${startPath(workspace)}/signed-out` as const
