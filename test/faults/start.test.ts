// The start is stopped or killed at many moments: nothing that it started may survive it, and the next start works. Every
// start of a test is on what the interrupted ones before it left.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { freePort } from '../harness/free-port.ts'
import { hiring, temporaryFolder } from '../harness/process.ts'
import {
  cpuSeconds,
  type Interruptible,
  interrupt,
  isReady,
  nothingLeft,
  ROOT,
  reach,
  SERVICE,
  startAndStop,
  startInterruptible,
} from './interrupted.ts'

const MOMENTS = 20
/** A test starts the service up to forty times. */
const LONG = { timeout: 600_000 }
const prepared = temporaryFolder()
/** The CPU seconds of a start in one process and in several: unlike its time, they are the same on a busy machine. */
const costs = { '1': 0, '2': 0 }

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const outcome = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => undefined)
  socket.destroy()
  return outcome?.length === 0
}

/** A service that has been started before. */
function copyOfPrepared(): string {
  const folder = temporaryFolder()
  // with the modes of folders, which cpSync does not copy
  execFileSync('cp', ['-a', `${prepared}/.`, folder])
  return folder
}

before(async () => {
  // the first creates the database and the console, so that the others are like all that follow
  for (const PROCESSES of ['1', '1', '2'] as const) {
    const started = startInterruptible(SERVICE, { DATA_DIR: prepared, PROCESSES })
    await reach(started, 'ready', () => isReady(started))
    costs[PROCESSES] = cpuSeconds(started.child.pid!)
    await interrupt(started, 'SIGTERM', 'ready')
  }
})

describe('start', { concurrency: 3, timeout: 900_000 }, () => {
  for (const PROCESSES of ['1', '2'] as const) {
    const words = PROCESSES === '1' ? 'one process' : 'several processes'
    for (const [kind, signals] of [
      ['killed', ['SIGKILL']],
      ['stopped', ['SIGTERM', 'SIGINT']],
    ] as const) {
      test(
        `start in ${words}: ${kind} at ${MOMENTS} moments, nothing survives and the next start works`,
        LONG,
        async () => {
          const env = { DATA_DIR: copyOfPrepared(), PROCESSES }
          for (let i = 0; i < MOMENTS; i++) {
            // the last moments are those of a service that has just started
            const target = (costs[PROCESSES] * i) / (MOMENTS - 3)
            const started = startInterruptible(SERVICE, env)
            const moment = `${target.toFixed(2)} CPU seconds`
            await reach(started, moment, () => cpuSeconds(started.child.pid!) >= target || isReady(started))
            await interrupt(started, signals[i % signals.length]!, moment)
          }
          await startAndStop(env)
        },
      )
    }

    test(
      `first start in ${words}: killed and stopped in each phase, nothing survives and the next start goes further`,
      LONG,
      async () => {
        let env = { DATA_DIR: temporaryFolder(), PROCESSES, DEMO: 'on' }
        const seen = new Set<string>()
        const interruptIn = async (
          moment: string,
          watch: (typeof PHASES)[string],
          signals: readonly NodeJS.Signals[],
        ) => {
          for (const signal of signals) {
            const isReached = watch(env.DATA_DIR)
            const started = startInterruptible(SERVICE, env)
            // an interrupted start may have finished the phase, so that the next one does not have it
            await reach(started, moment, () => isReached(started) || isReady(started))
            if (isReached(started)) seen.add(moment)
            await interrupt(started, signal, moment)
          }
        }
        for (const [moment, watch] of Object.entries(PHASES)) await interruptIn(moment, watch, ['SIGKILL', 'SIGTERM'])
        // on a busy machine a start goes through several phases between two looks: those are met in a folder of their own
        for (let round = 0; round < 5 && seen.size < Object.keys(PHASES).length; round++) {
          for (const [moment, watch] of Object.entries(PHASES)) {
            if (seen.has(moment)) continue
            env = { ...env, DATA_DIR: temporaryFolder() }
            await interruptIn(moment, watch, ['SIGKILL'])
          }
        }
        await startAndStop(env)
        assert.deepEqual(seen, new Set(Object.keys(PHASES)), 'a phase was seen in none of its starts')
        const { code, stdout, stderr } = await hiring(['workspaces', 'list', '--json'], env)
        assert.equal(code, 0, stderr)
        assert.ok(JSON.parse(stdout).length > 0, 'the demo is there')
      },
    )

    test(
      `stop in ${words}: killed or signaled again while it stops, nothing survives and the next start works`,
      LONG,
      async () => {
        const env = { DATA_DIR: copyOfPrepared(), PROCESSES }
        const pidFile = join(env.DATA_DIR, 'postgres/data/postmaster.pid')
        const immediately = () => true
        const serverStops = () => !existsSync(pidFile) || /stopping/.test(readFileSync(pidFile, 'utf8'))
        for (const [signal, isReached] of [
          ['SIGKILL', immediately],
          ['SIGTERM', immediately],
          ['SIGINT', serverStops],
          ['SIGKILL', serverStops],
        ] as const) {
          const started = startInterruptible(SERVICE, env)
          await reach(started, 'ready', () => isReady(started))
          started.child.kill('SIGTERM')
          while (!isReached() && started.child.exitCode === null) await new Promise(setImmediate)
          started.child.kill(signal)
          await started.ended
          await nothingLeft(started, `${signal} while it stops`)
        }
        await startAndStop(env)
      },
    )

    test(
      `start in ${words}: stopped as soon as it listens, it ends what it runs before the database`,
      LONG,
      async () => {
        const env = { DATA_DIR: copyOfPrepared(), PROCESSES, PORT: String(await freePort()), LOG_LEVEL: 'warn' }
        for (let i = 0; i < 3; i++) {
          const started = startInterruptible(SERVICE, env)
          while (!(await isListening(Number(env.PORT)))) assert.equal(started.child.exitCode, null)
          await interrupt(started, 'SIGTERM', 'it listens')
          assert.equal(started.output().stderr, '')
        }
      },
    )

    test(
      `npm start in ${words}: npm is stopped, interrupted in its terminal or killed, nothing survives`,
      LONG,
      async () => {
        const env = { DATA_DIR: copyOfPrepared(), PROCESSES }
        for (const [signal, to, moment] of [
          ['SIGTERM', 'npm', 'starting'],
          ['SIGINT', 'all', 'starting'],
          ['SIGKILL', 'npm', 'starting'],
          ['SIGTERM', 'npm', 'ready'],
          ['SIGINT', 'all', 'ready'],
          ['SIGKILL', 'npm', 'ready'],
        ] as const) {
          const started = startInterruptible(['npm', 'start', '--', '--json'], env, ROOT)
          const isStarting = () => existsSync(join(env.DATA_DIR, 'postgres/data/postmaster.pid'))
          await reach(started, moment, moment === 'ready' ? () => isReady(started) : isStarting)
          process.kill(to === 'all' ? -started.child.pid! : started.child.pid!, signal)
          await started.ended
          await nothingLeft(started, `${signal} to ${to}, ${moment}`)
        }
        await startAndStop(env)
      },
    )
  }

  test('start by npm: a shell that is killed before the program runs takes it along', LONG, async () => {
    const env = { DATA_DIR: copyOfPrepared(), PROCESSES: '1', npm_command: 'start' }
    // as npm does: a shell that stays the parent
    const started = startInterruptible(['sh', '-c', `"$0" "$@" & echo begun; wait`, ...SERVICE], env)
    await reach(started, 'begun', () => started.output().stdout.includes('begun'))
    started.child.kill('SIGKILL')
    await started.ended
    await nothingLeft(started, 'SIGKILL of the shell')
    assert.ok(!isReady(started))
  })

  test('start in several processes: one that fails leaves none of them, nor its database', LONG, async () => {
    const DATA_DIR = copyOfPrepared()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    for (const setting of ['PORT', 'METRICS_PORT']) {
      const started = startInterruptible(SERVICE, { DATA_DIR, PROCESSES: '2', [setting]: String(port) })
      const [code] = await started.ended
      assert.equal(code, 1)
      assert.match(started.output().stderr, /EADDRINUSE/, setting)
      await nothingLeft(started, `${setting} is in use`)
    }
    taken.close()
  })
})

/**
 * What a first start does, one after the other: how to see that a start on this folder has come there, from now on. All but
 * the first can still be seen when the start is further.
 */
const PHASES: Record<string, (dataDir: string) => (started: Interruptible) => boolean> = {
  'the data folder is being created': dataDir => {
    const halves = () => globSync('postgres/init-*/base', { cwd: dataDir })
    const earlier = new Set(halves())
    return () => halves().some(name => !earlier.has(name))
  },
  'the server starts': dataDir => {
    const file = join(dataDir, 'postgres/data/postmaster.pid')
    const content = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    const earlier = content()
    return () => ![earlier, ''].includes(content())
  },
  'tables are being created': dataDir => {
    const earlier = new Set(filesOfTables(dataDir))
    return () => filesOfTables(dataDir).filter(name => !earlier.has(name)).length > FILES_OF_FIRST_TABLE
  },
  'files of the demo are being written': dataDir => {
    const since = Date.now()
    const folders = () => globSync('files/blobs/{*,*/*,*/*/*}', { cwd: dataDir }).map(name => join(dataDir, name))
    return () => folders().some(folder => statSync(folder).mtimeMs > since)
  },
  ready: () => isReady,
}

/** PostgreSQL gives the tables of a database that are not its own numbers from here on, and their files these names. */
const FIRST_OWN_NUMBER = 16_384
/** More than the table of migrations has, which is there before the others: with its index and its long values. */
const FILES_OF_FIRST_TABLE = 20

const filesOfTables = (dataDir: string): string[] => {
  const names = globSync('*/*', { cwd: join(dataDir, 'postgres/data/base') })
  return names.filter(name => Number.parseInt(basename(name), 10) >= FIRST_OWN_NUMBER)
}
