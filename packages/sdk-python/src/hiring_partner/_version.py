#: written by `npm run release`
VERSION = "0.2.0"
API_VERSION = "2026-11-01"
