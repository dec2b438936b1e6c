import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from './free-port.ts'
import { until } from './receiver.ts'

const BUCKET = 'files'
const ACCESS_KEY = 'AKIATESTTESTTESTTEST'
const SECRET = 'secret-of-the-test-server'

export interface S3Server {
  /** Settings for a service that uses it. */
  settings: Record<string, string>
  /** everything that the server stores */
  folder: string
}

/** Starts `program`, a Versity S3 Gateway that stores objects in a folder. */
export async function startS3Server(program: string): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'hiring-s3-'))
  const [objects, types] = [join(folder, 'objects'), join(folder, 'types')]
  mkdirSync(join(objects, BUCKET), { recursive: true })
  mkdirSync(types)
  const port = await freePort()
  const args = ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', types, objects]
  const env = { PATH: process.env['PATH'], ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET }
  const child = spawn(program, args, { env, stdio: 'ignore' })
  after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const endpoint = `http://127.0.0.1:${port}`
  await until('the S3 server listens', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  )
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: ACCESS_KEY,
    S3_SECRET_ACCESS_KEY: SECRET,
    S3_FORCE_PATH_STYLE: 'on',
  }
  return { settings, folder }
}
