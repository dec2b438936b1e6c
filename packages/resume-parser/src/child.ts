import { Console } from 'node:console'
import { Worker } from 'node:worker_threads'
import { extractText } from './extract.ts'
import { requireModestSize } from './inflated-size.ts'
import { parseProfile } from './profile.ts'
import { readContact } from './read-contact.ts'
import { Unreadable } from './unreadable.ts'

/**
 * A process of its own for one file of a stranger: the file comes in on stdin, its text and profile go out on stdout.
 * It has no secrets, may read nothing but its own code, and is killed when it grows too large (SIGKILL) or computes too
 * long (SIGALRM): a second thread watches the process, since a parser that is busy cannot watch itself.
 */
const [mime = '', today = '', maxRssBytes = '0', maxCpuMicroseconds = '0'] = process.argv.slice(2)

const WATCH = `
  const { workerData } = require('node:worker_threads')
  const { maxRss, maxCpu } = workerData
  setInterval(() => {
    if (process.memoryUsage.rss() > maxRss) process.kill(process.pid, 'SIGKILL')
    const { user, system } = process.cpuUsage()
    if (user + system > maxCpu) process.kill(process.pid, 'SIGALRM')
  }, 10)`
const workerData = { maxRss: Number(maxRssBytes), maxCpu: Number(maxCpuMicroseconds) }
new Worker(WATCH, { eval: true, workerData }).unref()

// stdout carries only the result; output of parsers must not mix with it
globalThis.console = new Console(process.stderr)

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)

let result: unknown
try {
  const file = Buffer.concat(chunks)
  requireModestSize(file)
  const text = await extractText(file, mime)
  result = { text, profile: parseProfile(text, today), contact: readContact(text) }
} catch (error) {
  // whatever a reader stumbles over lies in the file
  const { message, reason } = error instanceof Unreadable ? error : new Unreadable('the file cannot be read')
  result = { unreadable: message, reason }
}
process.stdout.write(JSON.stringify(result), () => process.exit(0))
