import { readFileSync } from 'node:fs'

const own = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9

/** Seconds of CPU of a process and of all that it started; 0 if it has ended (Linux). */
export function cpuOfTree(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    return children.reduce((sum, child) => sum + cpuOfTree(child), own(pid))
  } catch {
    return 0
  }
}

/** Seconds of CPU of several processes; undefined where the system does not tell. */
export function cpuOfAll(pids: readonly number[]): number | undefined {
  try {
    return pids.reduce((sum, pid) => sum + own(pid), 0)
  } catch {
    return undefined
  }
}
