import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0

/** A server of its own on a socket, which writes its log to the disk each second, as those who keep jobs in it do. */
export async function startRedis(): Promise<{ socket: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-bench-redis-'))
  const socket = join(folder, 'redis.sock')
  const settings = { port: '0', unixsocket: socket, dir: folder, save: '', appendonly: 'yes', appendfsync: 'everysec' }
  const server: ChildProcess = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: 'ignore' },
  )
  const stop = () => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !existsSync(socket); tries++) {
    if (tries > 100 || server.exitCode !== null) {
      stop()
      throw new Error('redis-server did not start')
    }
    await sleep(50)
  }
  return { socket, stop }
}
