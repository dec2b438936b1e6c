#!/usr/bin/env node
// Runs on whatever Node is there; the program itself needs 24, which is an npm dependency of the project.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(import.meta.url)

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
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(node)) {
    console.error('hiring: Node 24 is missing; run `npm ci` first')
    process.exit(1)
  }
  // the channel tells the program when this wrapper is gone, however it went
  const child = spawn(node, [own, ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}
