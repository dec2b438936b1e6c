/** The version of this package. `npm run release` writes it. */
export const VERSION = '0.2.0'
/** The version of the API that the types describe. Every request asks for it. */
export const API_VERSION = '2026-11-01'
