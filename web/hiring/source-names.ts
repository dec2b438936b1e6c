import { t } from './texts/index.ts'

/** A name of a system as people write it: `greenlake_ats` is "Greenlake ATS". */
const systemName = (system: string): string =>
  system
    .replaceAll('_', ' ')
    .replace(/^./, letter => letter.toUpperCase())
    .replace(/\bats\b/i, 'ATS')

/** Where an application came from. */
export function sourceName(source: string): string {
  if (source === 'public_board') return 'Careers site'
  const ofTheTeam: Readonly<Record<string, string>> = t.adding.sources
  if (ofTheTeam[source] !== undefined) return ofTheTeam[source]
  const [kind = source, system] = source.split(':')
  if (!system) return systemName(kind)
  return kind === 'import' ? `${systemName(system)} (import)` : systemName(system)
}
