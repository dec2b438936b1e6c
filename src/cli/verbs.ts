import type { Verb } from './verb.ts'

/** Files of verbs, by the first words of their names. A call loads those of its own word: each needs other parts of the service. */
const FILES: readonly { words: string; load: () => Promise<readonly Verb[]> }[] = [
  { words: 'start', load: async () => [(await import('./start.ts')).startVerb] },
  {
    words: 'migrate demo',
    load: async () => {
      const { migrateVerb, demoVerb, demoCredentialsVerb } = await import('./operate.ts')
      return [migrateVerb, demoVerb, demoCredentialsVerb]
    },
  },
  { words: 'doctor', load: async () => [(await import('./doctor.ts')).doctorVerb] },
  { words: 'backup restore', load: async () => (await import('./backup.ts')).backupVerbs },
  { words: 'cluster', load: async () => (await import('./cluster.ts')).clusterVerbs },
  { words: 'sending', load: async () => [(await import('./sending.ts')).sendingVerb] },
  { words: 'secret', load: async () => (await import('./secret.ts')).secretVerbs },
  { words: 'feed', load: async () => (await import('./feed.ts')).feedVerbs },
  { words: 'search', load: async () => (await import('./search.ts')).searchVerbs },
  { words: 'funnel', load: async () => (await import('./funnel.ts')).funnelVerbs },
  { words: 'reindex', load: async () => (await import('./reindex.ts')).reindexVerbs },
  { words: 'workspaces', load: async () => (await import('./workspaces.ts')).workspaceVerbs },
  { words: 'workspaces', load: async () => (await import('./deletions.ts')).deletionVerbs },
  { words: 'retention', load: async () => (await import('./retention.ts')).retentionVerbs },
  { words: 'opt-outs', load: async () => (await import('./opt-outs.ts')).optOutVerbs },
  { words: 'careers', load: async () => (await import('./careers.ts')).careersVerbs },
  { words: 'company-sign-in', load: async () => (await import('./company-sign-in.ts')).companySignInVerbs },
  { words: 'credits', load: async () => (await import('./credits.ts')).creditVerbs },
  { words: 'users', load: async () => (await import('./users.ts')).userVerbs },
  { words: 'keys', load: async () => (await import('./keys.ts')).keyVerbs },
  { words: 'apps', load: async () => (await import('./apps.ts')).appVerbs },
  { words: 'packages', load: async () => (await import('./packages.ts')).packageVerbs },
  { words: 'import', load: async () => (await import('./import.ts')).importVerbs },
  { words: 'erase', load: async () => [(await import('./erase.ts')).eraseVerb] },
  { words: 'erasures', load: async () => (await import('./erasures.ts')).erasureVerbs },
  { words: 'alerts', load: async () => (await import('./alerts.ts')).alertVerbs },
  { words: 'trigger simulate', load: async () => (await import('./activity.ts')).activityVerbs },
  { words: 'listen events resend mcp', load: async () => (await import('./partner.ts')).partnerVerbs },
]

/** The verbs whose names begin with this word, or all of them, in the order of the overview. */
export async function loadVerbs(word?: string): Promise<readonly Verb[]> {
  const files = FILES.filter(({ words }) => word === undefined || words.split(' ').includes(word))
  const verbs = (await Promise.all(files.map(({ load }) => load()))).flat()
  return word === undefined ? verbs : verbs.filter(({ name }) => name.split(' ')[0] === word)
}
