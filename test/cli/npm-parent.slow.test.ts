import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../harness/process.ts'
import { until } from '../harness/receiver.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hiring.js')

// as a process manager does that npx started: its daemon began a session, whose first process has ended
for (const args of [['--version'], ['start', '--help']]) {
  test(`hiring ${args.join(' ')}: runs below a daemon that npx started and that has lived on without it`, async () => {
    const folder = temporaryFolder()
    const [output, code] = [join(folder, 'output'), join(folder, 'code')]
    const daemon = join(folder, 'daemon.sh')
    writeFileSync(daemon, `sleep 0.2; "$@" > ${output}; echo $? > ${code}.new; mv ${code}.new ${code}`)
    spawn('setsid', ['sh', '-c', 'sh "$0" "$@" & exit 0', daemon, process.execPath, PROGRAM, ...args], {
      env: { ...process.env, npm_command: 'exec' },
      stdio: 'ignore',
    })
    await until('the command has ended', () => existsSync(code))
    assert.deepEqual([readFileSync(code, 'utf8'), readFileSync(output, 'utf8').length > 0], ['0\n', true])
  })
}
