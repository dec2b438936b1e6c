import { detectSandbox, type Sandbox } from '../../packages/resume-parser/src/index.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { parseNext } from '../resources/applications/index.ts'
import { cleanStoredProfiles } from '../resources/resumes/index.ts'

/** Parses résumés, one at a time in each process, workspace by workspace, and scores their applications. */
const POLL_MS = 1_000

/** Returns the sandbox in which the given folders are hidden. */
export type ChooseSandbox = (folders: readonly string[]) => Promise<Sandbox>

export const parseResumes = (
  { db, blobs, log, config }: Pick<Services, 'db' | 'blobs' | 'log' | 'config'>,
  chooseSandbox: ChooseSandbox = detectSandbox,
): Worker => ({
  name: 'parse-resumes',
  async run(signal) {
    const sandbox = await chooseSandbox([config.DATA_DIR])
    const chosen = { sandbox: sandbox.name, network: sandbox.network ? 'blocked' : 'open' }
    log[sandbox.network ? 'info' : 'warn'](chosen, 'résumé parser: sandbox selected')
    const limits = { fileSeconds: config.RESUME_SECONDS, hourlySeconds: config.RESUME_SECONDS_PER_HOUR }
    // first, profiles that an earlier version stored: they may contain contact details
    while (!signal.aborted && (await cleanStoredProfiles(db)));
    while (!signal.aborted) {
      const busy = await parseNext(db, blobs, log, { limits, sandbox, signal })
      // a process of an earlier version may still be storing profiles
      if (!busy && !(await cleanStoredProfiles(db))) await pause(POLL_MS, signal)
    }
  },
})
