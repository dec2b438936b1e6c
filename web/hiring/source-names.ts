/** Where an application came from, as people say it: `partner_api:greenlake_ats` is "Greenlake ats". */
export function sourceName(source: string): string {
  if (source === 'public_board') return 'Careers site'
  const [kind, system] = source.split(':')
  if (!system) return kind!.replaceAll('_', ' ').replace(/^./, letter => letter.toUpperCase())
  const name = system.replaceAll('_', ' ').replace(/^./, letter => letter.toUpperCase())
  return kind === 'import' ? `${name} (import)` : name
}
