import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join, relative } from 'node:path'

/**
 * The service of the working directory for development: restarted when a source changes, and open pages are reloaded
 * after each restart. Pages are reloaded by a script that this proxy adds to them: the service itself does not know it,
 * so that it cannot be part of an installation. Both its files have the origin of the page, which the policy of all pages
 * allows.
 */
const ROOT = process.cwd()
const WATCHED = ['src', 'web', 'demo', 'docs', 'migrations'].map(folder => join(ROOT, folder)).filter(existsSync)
/** Built files, tests and the temporary files of editors. */
const IGNORED = /(^|\/)(dist|node_modules)(\/|$)|\.test\.tsx?$|(^|\/)[.#]|~$/
/** Editors and checkouts write several files at the same time. */
const SETTLE_MS = 150
const STOP_MS = 10_000

const SCRIPT_PATH = '/dev/reload.js'
const EVENTS_PATH = '/dev/events'
const SNIPPET = `<script src="${SCRIPT_PATH}" defer></script>`
const SCRIPT = `// development only
let generation
new EventSource('${EVENTS_PATH}').onmessage = ({ data }) => {
  if (generation !== undefined && generation !== data) location.reload()
  generation = data
}
`

try {
  process.loadEnvFile(join(ROOT, '.env'))
} catch {
  // there need not be one
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

interface Running {
  child: ChildProcess
  port: number
  /** false: it ended before it was ready */
  ready: Promise<boolean>
  ended: Promise<void>
}

/** The address of the proxy; links and forms of the pages lead to it. */
let origin = ''
let service: Running | undefined
let generation = 0
const pages = new Set<ServerResponse>()

async function start(): Promise<void> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(ROOT, 'bin/hiring.js'), 'start', '--json'], {
    cwd: ROOT,
    env: { DEMO: 'on', PUBLIC_URL: origin, ...process.env, HOST: '127.0.0.1', PORT: String(port) },
    // Ctrl+C reaches this process alone, which then stops the service; the channel ends it if this process is killed
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const firstLine = new Promise<string>(resolve => {
    let text = ''
    child.stdout!.on('data', chunk => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
  })
  const ready = Promise.race([firstLine.then(line => reportReady(line)), ended.then(() => false)])
  service = { child, port, ready, ended }
  const own = service
  if (!(await ready) && service === own) print('the service ended; it is started again after the next change')
}

function reportReady(line: string): boolean {
  const { key, sign_in } = JSON.parse(line) as { key?: string; sign_in?: { email: string; password: string } }
  generation++
  print(`ready: ${origin} (start ${generation})`)
  if (key) print(`key: ${key}`)
  if (sign_in) print(`sign in: ${sign_in.email}, password: ${sign_in.password}`)
  for (const page of pages) page.write(`data: ${generation}\n\n`)
  return true
}

async function stop(): Promise<void> {
  if (!service) return
  const { child, ended } = service
  service = undefined
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}

/** Restarts follow one another; changes during one lead to one more. */
let restarts = Promise.resolve()
let timer: NodeJS.Timeout | undefined
function changed(file: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    print(`changed: ${relative(ROOT, file)}`)
    restarts = restarts.then(stop).then(() => void start())
  }, SETTLE_MS)
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === SCRIPT_PATH) {
    response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' }).end(SCRIPT)
    return
  }
  if (request.url === EVENTS_PATH) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    response.write(generation > 0 ? `data: ${generation}\n\n` : ': starting\n\n')
    pages.add(response)
    response.on('close', () => pages.delete(response))
    return
  }
  await restarts
  const target = service
  if (!target || !(await target.ready)) {
    const text = `<!doctype html><title>Not running</title>${SNIPPET}<p>The service is not running; see the terminal.</p>`
    response.writeHead(502, { 'Content-Type': 'text/html; charset=utf-8' }).end(text)
    return
  }
  forward(request, response, target.port)
}

function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  // without compression, so that the script can be added
  const { 'accept-encoding': _, 'if-none-match': __, ...headers } = request.headers
  const outgoing = httpRequest({ host: '127.0.0.1', port, method: request.method, path: request.url, headers })
  outgoing.on('response', incoming => {
    if (!incoming.headers['content-type']?.startsWith('text/html')) {
      response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders)
      return void incoming.pipe(response)
    }
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString().replace('</head>', `${SNIPPET}\n</head>`)
      const { 'content-length': ___, etag: ____, ...kept } = incoming.headers
      response.writeHead(incoming.statusCode ?? 502, { ...kept, 'Cache-Control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : text)
    })
  })
  outgoing.on('error', error => {
    if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'text/plain' })
    response.end(`the service does not respond: ${error.message}\n`)
  })
  request.pipe(outgoing)
}

const proxy = createServer((request, response) => void serve(request, response))
proxy.on('error', error => {
  process.stderr.write(`dev: ${error.message}\n`)
  process.exit(1)
})
proxy.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  for (const folder of WATCHED) {
    watch(folder, { recursive: true }, (_, name) => {
      if (name && !IGNORED.test(name)) changed(join(folder, name))
    })
  }
  void start()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clearTimeout(timer)
    void restarts.then(stop).then(() => process.exit(0))
  })
}
