import { type Downloads, findDownload, type ListedDownload } from './downloads.ts'

/** The SDKs by the names that they send as their user agent. */
const SDKS = {
  'hiring-partner-sdk': { title: 'TypeScript SDK', file: 'sdk' },
  'hiring-partner-sdk-python': { title: 'Python SDK', file: 'wheel' },
} as const

const isSdk = (name: string): name is keyof typeof SDKS => Object.hasOwn(SDKS, name)

export interface NewerSdk {
  title: string
  used: string
  offered: ListedDownload
}

/** The SDK that this service offers, if it is newer than the one that `userAgent` names. */
export function findNewerSdk(downloads: Downloads, userAgent: string): NewerSdk | undefined {
  const [, name = '', used = ''] = /^([\w-]+)\/(\S+)/.exec(userAgent) ?? []
  if (!isSdk(name)) return undefined
  const { title, file } = SDKS[name]
  const offered = findDownload(downloads, file)
  return isNewer(offered.version, used) ? { title, used, offered } : undefined
}

/** Compares versions as npm or as Python writes them. One that cannot be read is not newer, and none is newer than it. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)]
  if (!a || !b) return false
  const differs = a.findIndex((part, i) => part !== b[i])
  return differs >= 0 && (a[differs] ?? 0) > (b[differs] ?? 0)
}

/** Three numbers, and the count of commits: a release comes after the builds that lead to it. */
function partsOf(version: string): number[] | undefined {
  const [, major, minor, patch, commits] =
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-.]dev\.?(\d{1,9}))?(?:\+[\w.]*)?$/.exec(version) ?? []
  if (major === undefined) return undefined
  return [Number(major), Number(minor), Number(patch), commits === undefined ? Infinity : Number(commits)]
}
