import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { demoSecret, loadDemo } from '../../demo/index.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { API_PREFIX } from '../../src/contract/version.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { startTestService } from '../harness/service.ts'

/**
 * Linters and generated clients of openapi.json. Their tools are no dependency of the service: `tools/openapi/prepare`
 * installs them, and OPENAPI_TOOLS names the folder. Without it these tests are skipped; those of Go and Java also where
 * their tools are not installed.
 */
const FOLDER = process.env['OPENAPI_TOOLS']
const skip = FOLDER === undefined ? 'OPENAPI_TOOLS names no prepared folder' : false
const ROOT = join(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'tools/openapi')
const TOOLS = resolve(ROOT, FOLDER ?? 'none')
const WORK = mkdtempSync(join(tmpdir(), 'hiring-openapi-'))
/** Generators take as long as the machine needs. */
const NO_HURRY = { timeout: 1_800_000 }

const has = (program: string) =>
  spawnSync(program, ['--version']).status === 0 || spawnSync(program, ['version']).status === 0
const generator = existsSync(TOOLS) ? readdirSync(TOOLS).find(file => file.endsWith('.jar')) : undefined
const skipGo = skip || (generator && has('go') ? false : 'go or openapi-generator is not installed')
const OAPI_CODEGEN = join(TOOLS, 'bin/oapi-codegen')
const skipOapi = skip || (existsSync(OAPI_CODEGEN) ? false : 'oapi-codegen is not installed')
const skipJava = skip || (generator && has('mvn') ? false : 'maven or openapi-generator is not installed')

interface Finished {
  code: number | null
  stdout: string
  output: string
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Finished> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...own } = process.env
  const child = spawn(program, [...args], { cwd, env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let output = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
    output += chunk
  })
  child.stderr.on('data', chunk => (output += chunk))
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', code => done({ code, stdout, output }))
  })
}

async function mustRun(...call: Parameters<typeof run>): Promise<string> {
  const { code, stdout, output } = await run(...call)
  assert.equal(code, 0, `${call[0]} ${call[1].join(' ')}\n${output.slice(-4_000)}`)
  return stdout
}

/** A program of npm in the prepared folder. */
const node = (file: string, args: readonly string[], cwd = WORK) =>
  mustRun(process.execPath, [join(TOOLS, 'node_modules', file), ...args], cwd)

const service = FOLDER === undefined ? undefined : await startTestService({ ROLES: 'api' })
let closeProxy = (): void => {}
let client: Record<string, string> = {}
/** The description of the running service, with the URL of the proxy. */
const DESCRIPTION = join(WORK, 'openapi.json')

/**
 * Between client and service: adds what a later version could add without a new version, an event of an unknown type and
 * an unknown value of an open enumeration.
 */
function addLaterThings(path: string, text: string): string {
  const body = JSON.parse(text)
  if (path.startsWith('/jobs?') && body.data?.length > 0) body.data[0].status = 'archived'
  if (path.startsWith('/events?') && body.has_more === false) {
    const last = body.data.at(-1)
    body.data.push({
      ...last,
      type: 'offer.created',
      data: { object: { ...last.data.object, object: 'offer', amount: 3, terms: { currency: 'EUR' } } },
    })
  }
  return JSON.stringify(body)
}

before(async () => {
  if (!service) return
  symlinkSync(join(TOOLS, 'node_modules'), join(WORK, 'node_modules'))
  await loadDemo(service.services)
  while ((await sequenceBatch(service.services.db)) > 0);
  const proxy = createServer(async (request, response) => {
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk)
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const reply = await fetch(service.origin + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
    })
    const path = request.url!.slice(API_PREFIX.length)
    const text = addLaterThings(path, await reply.text())
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type')! }).end(text)
  })
  await new Promise<void>(done => proxy.listen(0, '127.0.0.1', done))
  closeProxy = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${API_PREFIX}`
  client = { BASE_URL: url, API_KEY: demoSecret(service.services.keyring) }
  const { body } = await service.get('/openapi.json')
  writeFileSync(DESCRIPTION, JSON.stringify({ ...body, servers: [{ url }] }))
}, NO_HURRY)

after(() => {
  closeProxy()
  rmSync(WORK, { recursive: true, force: true })
})

/** What every client saw: jobs with a later status, every event type and a later one, its own job, a decoded error. */
function assertSeen(output: string): void {
  const seen = JSON.parse(output.trim().split('\n').at(-1)!)
  assert.equal(seen.jobs, 5)
  assert.equal(seen.statuses[0], 'archived')
  assert.deepEqual(seen.types.toSorted(), [...EVENT_TYPES, 'offer.created'].toSorted())
  assert.ok(seen.carried > EVENT_TYPES.length)
  assert.match(seen.pushed, /^job_/)
  assert.equal(seen.error, 'invalid_request')
}

function folder(name: string): string {
  const path = join(WORK, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** The rules of Redocly on <folder>/openapi.json; its configuration lists findings by a path relative to itself. */
const redocly = (at: string) => {
  const config = ['--config', join(at, 'tools/openapi/redocly.yaml')]
  const args = [join(TOOLS, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', join(at, 'openapi.json'), ...config]
  return run(process.execPath, args, WORK, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' })
}

test('openapi: the recommended rules of Redocly find nothing but the listed paths', { skip, ...NO_HURRY }, async () => {
  const { code, output } = await redocly(ROOT)
  assert.equal(code, 0, output)
  assert.doesNotMatch(output, /warning/i)
})

test('openapi: Redocly reports a new ambiguous path', { skip, ...NO_HURRY }, async () => {
  const at = folder('redocly')
  for (const file of ['redocly.yaml', '.redocly.lint-ignore.yaml'])
    cpSync(join(SOURCES, file), join(at, 'tools/openapi', file))
  const description = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  description.paths['/jobs/by-title/{slug}'] = description.paths['/jobs/by-slug/{slug}']
  writeFileSync(join(at, 'openapi.json'), JSON.stringify(description))
  const { output } = await redocly(at)
  assert.match(output, /ambiguous paths: `\/jobs\/\{job_handle\}\/sections` and `\/jobs\/by-title\/\{slug\}`/)
  assert.doesNotMatch(output, /ambiguous paths: `\/jobs\/by-slug/)
})

test('openapi: the rules of Spectral find nothing', { skip, ...NO_HURRY }, async () => {
  const ruleset = ['--ruleset', join(SOURCES, 'spectral.yaml'), '--fail-severity', 'hint']
  await node('@stoplight/spectral-cli/dist/index.js', ['lint', join(ROOT, 'openapi.json'), ...ruleset])
})

const TSC = ['--strict', '--noUncheckedIndexedAccess', '--target', 'es2022', '--lib', 'es2022,dom', '--types', 'node']

test('openapi-typescript: the client compiles and works with the service', { skip, ...NO_HURRY }, async () => {
  const at = folder('openapi-typescript')
  await node('openapi-typescript/bin/cli.js', [DESCRIPTION, '-o', join(at, 'schema.d.ts')])
  cpSync(join(SOURCES, 'clients/openapi-typescript.mts'), join(at, 'client.ts'))
  writeFileSync(join(at, 'package.json'), '{"type":"module"}')
  await node('typescript/bin/tsc', [...TSC, '--module', 'es2022', '--moduleResolution', 'bundler', 'client.ts'], at)
  assertSeen(await mustRun(process.execPath, ['client.js'], at, client))
})

test('hey-api: the client compiles and works with the service', { skip, ...NO_HURRY }, async () => {
  const at = folder('hey-api')
  await node('@hey-api/openapi-ts/bin/run.js', ['-i', DESCRIPTION, '-o', join(at, 'generated'), '--silent'], at)
  cpSync(join(SOURCES, 'clients/hey-api.mts'), join(at, 'client.ts'))
  writeFileSync(join(at, 'package.json'), '{"type":"commonjs"}')
  await node('typescript/bin/tsc', [...TSC, '--module', 'commonjs', '--moduleResolution', 'node10', 'client.ts'], at)
  assertSeen(await mustRun(process.execPath, ['client.js'], at, client))
})

test('openapi-python-client: the client passes mypy and works with the service', { skip, ...NO_HURRY }, async () => {
  const at = folder('openapi-python-client')
  const bin = join(TOOLS, 'venv/bin')
  const config = ['--config', join(SOURCES, 'openapi-python-client.yaml'), '--meta', 'none', '--fail-on-warning']
  const path = { PATH: `${bin}:${process.env['PATH']}` }
  const args = ['generate', '--path', DESCRIPTION, '--output-path', join(at, 'generated'), ...config, '--overwrite']
  await mustRun(join(bin, 'openapi-python-client'), args, at, path)
  cpSync(join(SOURCES, 'clients/openapi_python_client.py'), join(at, 'client.py'))
  await mustRun(join(bin, 'python'), ['-m', 'mypy', '--follow-imports=silent', 'client.py'], at)
  assertSeen(await mustRun(join(bin, 'python'), ['client.py'], at, client))
})

const generate = (args: readonly string[], at: string) =>
  mustRun('java', ['-jar', join(TOOLS, generator!), 'generate', '-i', DESCRIPTION, ...args], at)

test('openapi-generator, Go: the client compiles and works with the service', {
  skip: skipGo,
  ...NO_HURRY,
}, async () => {
  const at = folder('go')
  const properties = '--additional-properties=packageName=hiring,withGoMod=false,generateInterfaces=false'
  await generate(['-g', 'go', '-o', join(at, 'client'), properties, '--global-property', GENERATED], at)
  writeFileSync(join(at, 'client/go.mod'), 'module hiring.example/client\n\ngo 1.23\n')
  mkdirSync(join(at, 'client/cmd'))
  cpSync(join(SOURCES, 'clients/main.go'), join(at, 'client/cmd/main.go'))
  const env = { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' }
  await mustRun('go', ['mod', 'tidy'], join(at, 'client'), env)
  assertSeen(await mustRun('go', ['run', './cmd'], join(at, 'client'), { ...env, ...client }))
})

test('oapi-codegen, Go: the client compiles and works with the service', { skip: skipOapi, ...NO_HURRY }, async () => {
  const at = folder('oapi-codegen')
  // without skip-prune it leaves out types that only webhooks use
  const what = ['-generate', 'types,client,skip-prune', '-package', 'hiring', '-o', join(at, 'client.go')]
  await mustRun(OAPI_CODEGEN, [...what, DESCRIPTION], at)
  writeFileSync(join(at, 'go.mod'), 'module hiring.example/client\n\ngo 1.23\n')
  mkdirSync(join(at, 'cmd'))
  cpSync(join(SOURCES, 'clients/oapi-codegen.go'), join(at, 'cmd/main.go'))
  const env = { GOFLAGS: '-mod=mod' }
  await mustRun('go', ['mod', 'tidy'], at, env)
  assertSeen(await mustRun('go', ['run', './cmd'], at, { ...env, ...client }))
})

test('openapi-generator, Java: the client compiles and works with the service', {
  skip: skipJava,
  ...NO_HURRY,
}, async () => {
  const at = folder('java')
  const properties =
    '--additional-properties=invokerPackage=example.hiring,apiPackage=example.hiring.api,modelPackage=example.hiring.model,hideGenerationTimestamp=true'
  await generate(['-g', 'java', '--library', 'okhttp-gson', '-o', at, properties, '--global-property', GENERATED], at)
  cpSync(join(SOURCES, 'clients/Main.java'), join(at, 'src/main/java/Main.java'))
  const quiet = ['--quiet', '--batch-mode', '-DskipTests', '-Dmaven.javadoc.skip=true', '-Dmaven.source.skip=true']
  const level = ['-Dmaven.compiler.source=17', '-Dmaven.compiler.target=17', '-Djava.version=17']
  await mustRun('mvn', [...quiet, ...level, 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], at)
  const classes = await mustRun('cat', ['classpath'], at)
  assertSeen(await mustRun('java', ['-cp', `target/classes:${classes.trim()}`, 'Main'], at, client))
})

/** No tests and no documentation of the generated code. */
const GENERATED = 'models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false'
