import { didYouMean, editDistance } from '../text/edit-distance.ts'
import { readSources } from './config.ts'
import { SETTINGS } from './settings.ts'

export interface UnknownSetting {
  name: string
  /** the setting that was most likely meant */
  meant: string | undefined
}

export const IGNORED = 'names that are not settings are ignored'

const KNOWN = Object.keys(SETTINGS)
/** Names that are read by Node, by the system or by deploy/compose.yaml, whose `.env` may be the same file. */
const OF_OTHERS =
  /^(NODE_\w+|LC_\w+|LANG|TZ|PATH|HOME|DEBUG|\w+_PROXY|COMPOSE_\w+|POSTGRES_PASSWORD|DATABASE_HOST|S3_SECRET)$/i
/** The environment has names of many programs, so only those that look like a setting with a slip are reported. */
const SLIPS = 1

/** Names in `.env` that are not settings, and names in the environment that are misspelled settings. */
export function findUnknown(
  file: Record<string, string | undefined>,
  environment: Record<string, string | undefined>,
): UnknownSetting[] {
  const isUnknown = (name: string) => !KNOWN.includes(name) && !OF_OTHERS.test(name)
  const inFile = Object.keys(file)
    .filter(isUnknown)
    .map(name => ({ name, meant: didYouMean(name, KNOWN) }))
  const inEnvironment = Object.keys(environment)
    .filter(name => isUnknown(name) && !(name in file))
    .flatMap(name => {
      const meant = KNOWN.find(known => editDistance(name, known, SLIPS) <= SLIPS)
      return meant ? [{ name, meant }] : []
    })
  return [...inFile, ...inEnvironment]
}

export function readUnknownSettings(): UnknownSetting[] {
  const { file, environment } = readSources()
  return findUnknown(file, environment)
}

export const describeUnknown = ({ name, meant }: UnknownSetting): string =>
  meant === undefined ? name : `${name} (did you mean ${meant}?)`
