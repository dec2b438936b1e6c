/** The version of this package. `npm run release` writes it. */
export const VERSION = '0.2.0'
