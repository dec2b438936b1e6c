#!/usr/bin/env node
// Runs on whatever Node is there; the program itself needs 24, which is an npm dependency of the project.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
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
 * npm runs this in a shell, and passes a signal to the shell alone. Without this, the program would live on when npm was
 * stopped or killed.
 */
function stopWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

if (process.env['npm_command'] !== undefined) stopWithParent()

if (Number(process.versions.node.split('.')[0]) >= 24) {
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel.unref()
  }
  // what was read and compiled once is not compiled again at the next start
  module.enableCompileCache()
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
