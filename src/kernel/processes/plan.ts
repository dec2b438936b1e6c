import type { Config } from '../config/config.ts'

export interface PlannedProcess {
  /** a label in metrics and logs, the same for every process that takes this place */
  name: string
  role: 'api' | 'worker'
}

/** The processes of `hiring start`; a single one does everything and needs no group. */
export function planProcesses(
  config: Pick<Config, 'ROLES' | 'processes' | 'WORKER_PROCESSES'>,
  most = Number.POSITIVE_INFINITY,
): PlannedProcess[] {
  const places = (role: PlannedProcess['role'], count: number) =>
    Array.from({ length: config.ROLES.has(role) ? count : 0 }, (_, i) => ({ name: `${role}-${i + 1}`, role }))
  const workers = places('worker', config.WORKER_PROCESSES)
  return [...places('api', Math.max(1, Math.min(config.processes, most - workers.length))), ...workers]
}

/** One process has both roles where one of each is asked for. */
export const needsGroup = (config: Parameters<typeof planProcesses>[0]): boolean =>
  config.processes * Number(config.ROLES.has('api')) > 1 ||
  config.WORKER_PROCESSES * Number(config.ROLES.has('worker')) > 1
