import { readFileSync } from 'node:fs'

/** CPU seconds of a process with those of the programs that it started and that have ended. Linux counts them; elsewhere 0. */
export function readCpuSeconds(pid: number | 'self'): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return 0
  }
}
