import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atFileEnd } from './file-end.ts'
import { until } from './receiver.ts'

export const hasHaproxy = (): boolean => !spawnSync('haproxy', ['-v']).error

const ending: (() => void)[] = []
atFileEnd(() => {
  for (const end of ending.splice(0)) end()
})

/** Runs HAProxy with these sections; `port` is one that they bind. */
export async function startHaproxy(sections: string, port: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, `${sections}\n`)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  ending.push(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await until('HAProxy listens', async () => {
    if (child.exitCode !== null) throw new Error(said)
    return listens(port)
  })
}

const listens = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
