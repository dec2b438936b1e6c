import type { ReadinessReport } from '../services/readiness.ts'
import type { ProcessGroup } from './group.ts'

/**
 * Ready if a process that serves requests is, or one that does background work where there is no other. Parts that fail in
 * one process, and processes that do not reply, are reported and take no other out of service.
 */
export const groupReadiness = (group: Pick<ProcessGroup, 'ask'>) => ({
  report: async (): Promise<ReadinessReport> => {
    const replies = await group.ask('readiness')
    const checks: ReadinessReport['checks'] = { processes: replies.every(({ reply }) => reply) ? 'ok' : 'failing' }
    for (const { reply } of replies) {
      for (const [name, result] of Object.entries(reply?.checks ?? {})) {
        if (checks[name] !== 'failing') checks[name] = result
      }
    }
    const serving = replies.filter(({ name }) => name.startsWith('api-'))
    return { ready: (serving.length > 0 ? serving : replies).some(({ reply }) => reply?.ready), checks }
  },
})
