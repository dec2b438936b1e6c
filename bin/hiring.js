#!/usr/bin/env node
// Runs on whatever Node is there; the program itself needs 24, which is an npm dependency of the project.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(import.meta.url)
// Node keeps up to 128 MB for new objects on a machine with much memory; a quarter is enough
const MEMORY = '--max-semi-space-size=16'

/** In a checkout below it, in a package next to it: where Node looks for every dependency. */
function findNode() {
  try {
    const node = join(dirname(module.createRequire(own).resolve('node/package.json')), 'bin/node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/**
 * npm runs the service in a shell, and passes a signal to the shell alone; killed, it passes nothing to anyone. Without
 * this, the service would live on when npm or its shell has ended.
 */
function stopWithNpm() {
  const started = startedByNpm()
  const hasLostParent = ({ pid, parent }) => readProcess(pid).parent !== parent
  const stopWithReason = () => {
    process.stderr.on('error', () => {}) // whoever read it may have ended, too
    process.stderr.write('hiring: npm has ended, so the service stops\n')
    stop()
  }
  if (started.some(isOrphan)) return stopWithReason()
  const watch = setInterval(() => {
    if (!started.some(hasLostParent)) return
    clearInterval(watch)
    stopWithReason()
  }, 250)
  watch.unref()
}

/**
 * This process, and the shell in which npm runs it, unless npm runs it without one. A process that leads a session is
 * meant to live on without its parent.
 */
function startedByNpm() {
  const self = readProcess(process.pid)
  const shell = isShellOfNpm(self.parent) ? [readProcess(self.parent)] : []
  return [self, ...shell].filter(({ pid, session }) => session !== pid)
}

/**
 * Whether its parent had ended before this process looked. Then another process has adopted it, which is in another
 * session: a parent and its children are in the same one.
 */
function isOrphan({ parent, session }) {
  const other = readProcess(parent).session
  return session !== undefined && other !== undefined && session !== other
}

/** Systems without /proc know the parent of this process only. */
function readProcess(pid) {
  try {
    // the name, in parentheses, may hold anything; state, parent, group and session follow it
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { pid, parent: Number(fields[1]), session: Number(fields[3]) }
  } catch {
    return { pid, parent: pid === process.pid ? process.ppid : undefined }
  }
}

function isShellOfNpm(pid) {
  try {
    const [, option] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return option === '-c' && `\0${readFileSync(`/proc/${pid}/environ`)}`.includes('\0npm_command=')
  } catch {
    return false
  }
}

/**
 * The program has hundreds of modules, which import each other by relative paths with their endings. Node looks for each of
 * them, and for the package that it belongs to, on disk: a fifth of the CPU time of loading them.
 */
function resolveOwnModules() {
  const root = new URL('..', import.meta.url).href
  const dependencies = `${root}node_modules/`
  // JavaScript where the program was installed as a package
  const formats = { '.ts': 'module-typescript', '.js': 'module' }
  module.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      const isOwn = specifier.startsWith('.') && parentURL.startsWith(root) && !parentURL.startsWith(dependencies)
      const format = isOwn && formats[specifier.slice(-3)]
      return format ? { url: new URL(specifier, parentURL).href, format, shortCircuit: true } : next(specifier, context)
    },
  })
}

function stop() {
  process.kill(process.pid, 'SIGTERM')
}

// `connected` is undefined for a process that another one of this program did not start
const isServiceOfNpm = process.argv[2] === 'start' && process.env['npm_command'] !== undefined
if (isServiceOfNpm && process.connected === undefined) stopWithNpm()

if (Number(process.versions.node.split('.')[0]) >= 24) {
  if (process.connected === false) stop()
  process.once('disconnect', stop)
  process.channel?.unref()
  // what was read and compiled once is not compiled again at the next start
  module.enableCompileCache()
  resolveOwnModules()
  const { main } = await import('../src/cli/main.ts')
  await main(process.argv.slice(2))
} else {
  const node = findNode()
  if (!node) {
    console.error('hiring: Node 24 is missing; run `npm ci` first')
    process.exit(1)
  }
  // the channel tells the program when this wrapper is gone, however it went
  const child = spawn(node, [MEMORY, own, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}
