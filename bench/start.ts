import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { median } from './kit/measure.ts'

/**
 * From the call of the command to the line that says that the service is ready, with the embedded PostgreSQL and the
 * demo: the first start loads the demo, the others find it. CPU time and resident memory are those of the process itself
 * (Linux).
 *
 *   node bench/start.ts [ROUNDS]
 */
const rounds = Number(process.argv[2] ?? 5)
const ROOT = join(import.meta.dirname, '..')
const TICK_MS = 10
const folder = mkdtempSync(join(tmpdir(), 'hiring-start-'))

async function start(): Promise<{ ms: number; cpuMs: number; mb: number }> {
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=16', join(ROOT, 'bin/hiring.js'), 'start', '--json', '--port', '0'],
    { cwd: folder, env: { PATH: process.env['PATH'], DATA_DIR: folder, LOG_LEVEL: 'error' }, stdio: 'pipe' },
  )
  child.stderr.pipe(process.stderr)
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('the service did not start')
    }),
  ])
  const ms = performance.now() - begin
  const about = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8')
  const [user, system] = about('stat').split(' ').slice(13, 15).map(Number)
  const [, kb] = /VmRSS:\s+(\d+)/.exec(about('status'))!
  child.kill('SIGTERM')
  await ended
  return { ms, cpuMs: (user! + system!) * TICK_MS, mb: Number(kb) / 1024 }
}

try {
  const first = await start()
  const warm = []
  for (let i = 0; i < rounds; i++) warm.push(await start())
  const line = ({ ms, cpuMs, mb }: typeof first) => `${ms.toFixed(0)} ms, CPU ${cpuMs} ms, ${mb.toFixed(0)} MB resident`
  console.log(`start to ready, first: ${line(first)}`)
  const middle = {
    ms: median(warm.map(w => w.ms)),
    cpuMs: median(warm.map(w => w.cpuMs)),
    mb: median(warm.map(w => w.mb)),
  }
  console.log(`start to ready, warm: ${line(middle)} (median of ${rounds})`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
