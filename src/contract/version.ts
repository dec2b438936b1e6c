/** The version changes only for a breaking change; each past version stays listed until its sunset. */
export const API_VERSION = '2026-11-01'

export const API_PREFIX = '/api/partner/v1'

export interface ApiVersion {
  version: string
  status: 'current' | 'supported' | 'deprecated'
  released_at: string
  sunset_at: string | null
}

export const VERSIONS: readonly ApiVersion[] = [
  { version: API_VERSION, status: 'current', released_at: '2026-11-01T00:00:00.000Z', sunset_at: null },
]

export const isKnownVersion = (version: string): boolean => VERSIONS.some(v => v.version === version)
