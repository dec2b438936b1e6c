import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { loadVerbs } from '../../src/cli/verbs.ts'
import { SETTINGS } from '../../src/kernel/config/settings.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')

/** Ruby reads YAML as it comes from Debian. */
const skip = spawnSync('ruby', ['--version']).error ? 'Ruby is not installed' : false
// biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
const documents = (file: string): any[] =>
  JSON.parse(
    execFileSync('ruby', ['-ryaml', '-rjson', '-e', 'puts YAML.load_stream($stdin.read).to_json'], {
      input: read(file).replaceAll(/<<: \*hiring/g, 'merged: *hiring'),
      encoding: 'utf8',
    }),
  )
/** Those that are not settings of the service. */
const FOREIGN = new Set(['NODE_ENV', 'NODE_OPTIONS'])
const assertSettings = (names: readonly string[], file: string) =>
  assert.deepEqual(
    names.filter(name => !(name in SETTINGS) && !FOREIGN.has(name)),
    [],
    `${file} sets what the service does not know`,
  )

test('Containerfile: settings of the service, not root, a health check at a path that every role serves', () => {
  const text = read('Containerfile')
  const [, settings = ''] = /^ENV (.*)$/m.exec(text) ?? []
  assertSettings(
    settings.split(' ').map(pair => pair.split('=')[0]!),
    'Containerfile',
  )
  assert.match(text, /^USER node$/m)
  assert.match(settings, /METRICS_PORT=9464/)
  assert.match(text, /HEALTHCHECK[\s\S]*127\.0\.0\.1:9464\/readyz/)
})

test('memory for new objects: npm start, the command, the image and the unit of systemd set the same limit', () => {
  const limit = '--max-semi-space-size=16'
  for (const file of ['../package.json', '../bin/hiring.js', 'Containerfile', 'systemd/hiring.service'])
    assert.ok(read(file).includes(limit), file)
})

test('Containerfile: data, settings and secrets of a checkout stay out of the build, with Docker and with Podman', () => {
  const root = join(DEPLOY, '..')
  // the engines read the first of these that exists, and only this one is known to both
  for (const first of ['.containerignore', 'deploy/Containerfile.dockerignore', 'deploy/Containerfile.containerignore'])
    assert.ok(!existsSync(join(root, first)), first)
  const lines = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
  const isLeftOut = (path: string) =>
    lines('.dockerignore').reduce((out, line) => {
      const pattern = line.replace(/^!/, '')
      const matches = matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)
      return matches ? !line.startsWith('!') : out
    }, false)
  const data = `${SETTINGS.DATA_DIR.default}/secret.key`
  for (const path of [data, 'data/secret.key', '.env', '.env.local', '.git/config', 'node_modules/pg/package.json'])
    assert.ok(isLeftOut(path), path)
  for (const path of ['packages/sdk/dist/index.js', 'web/dist/programs/a.js', 'npm-debug.log'])
    assert.ok(isLeftOut(path), path)
  // what git does not keep is not built from either
  for (const line of lines('.gitignore')) assert.ok(isLeftOut(line.replace(/\/$/, '').replace('*', 'a')), line)
  for (const path of ['.env.example', '.npmrc', 'package-lock.json', 'src/main.ts', 'demo/data.br'])
    assert.ok(!isLeftOut(path), path)
})

test('compose.yaml: services with settings of the service, read-only, and every secret asked for', { skip }, () => {
  const [compose] = documents('compose.yaml')
  const own = compose['x-hiring']
  assertSettings(Object.keys(own.environment), 'compose.yaml')
  assert.equal(own.read_only, true)
  const commands = ['api', 'worker', 'migrate'].map(name => compose.services[name].command)
  assert.deepEqual(commands, [['start', '--roles', 'api'], ['start', '--roles', 'worker'], ['migrate']])
  for (const name of ['SECRET_KEY', 'S3_SECRET_ACCESS_KEY']) assert.match(own.environment[name], /^\$\{\w+:\?/)
  // browsers reach the files, and the store accepts what pages of the service send
  const { environment, ports } = compose.services.files
  assert.match(own.environment.S3_PUBLIC_ENDPOINT, /:-http:\/\/localhost:9000\}$/)
  assert.deepEqual(ports, ['9000:9000'])
  assert.equal(environment.MINIO_API_CORS_ALLOW_ORIGIN, own.environment.PUBLIC_URL)
  for (const service of ['database', 'limits', 'files', 'mail']) assert.ok(compose.services[service].image, service)
  // only who asks for it gets a search cluster
  assert.match(own.environment.SEARCH_URL, /^\$\{SEARCH_URL:-\}$/)
  assert.deepEqual(compose.services.search.profiles, ['opensearch'])
})

test('compose.yaml: the profile citus is a coordinator with two nodes, which know each other before the migrations run', {
  skip,
}, () => {
  const [{ 'x-hiring': own, services, volumes }] = documents('compose.yaml')
  const all = Object.entries(services) as [name: string, service: typeof own][]
  assert.deepEqual(
    all.filter(([, { profiles }]) => profiles?.includes('citus')).map(([name]) => name),
    ['coordinator', 'node-1', 'node-2', 'cluster'],
  )
  assert.match(own.environment.DATABASE_URL, /@\$\{DATABASE_HOST:-database\}:5432\/hiring$/)
  const { environment: plain } = services.database
  for (const name of ['coordinator', 'node-1', 'node-2']) {
    const { environment, volumes: folders, healthcheck, command } = services[name]
    assert.equal(environment.POSTGRES_USER, plain.POSTGRES_USER)
    for (const secret of ['POSTGRES_PASSWORD', 'PGPASSWORD'])
      assert.equal(environment[secret], plain.POSTGRES_PASSWORD, `${secret} of ${name}`)
    assert.deepEqual(folders, [`${name}:/var/lib/postgresql/data`])
    assert.ok(environment.PGDATA.startsWith('/var/lib/postgresql/data/'))
    assert.ok(name in volumes && healthcheck.test && command.includes('wal_level=logical'), name)
    assert.equal(services.cluster.depends_on[name].condition, 'service_healthy')
  }
  const statements: string[] = services.cluster.command
  assert.match(statements[0]!, /citus_set_coordinator_host\('coordinator'\)/)
  for (const node of ['node-1', 'node-2'])
    assert.ok(statements.some(statement => statement.includes(`citus_add_node('${node}', 5432)`)))
  assert.deepEqual(services.migrate.depends_on.cluster, {
    condition: 'service_completed_successfully',
    required: false,
  })
  // without the profile nothing waits for what is not started
  for (const [name, { depends_on = {}, profiles = [] }] of all)
    for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) {
      assert.ok(other in services, `${name} needs ${other}`)
      const starts = (services[other].profiles ?? []).every((profile: string) => profiles.includes(profile))
      assert.ok(starts || depends_on[other].required === false, `${name} needs ${other}`)
    }
})

test('hiring.service: settings of the service, and an exposure that systemd calls OK', () => {
  const text = read('systemd/hiring.service')
  const [, settings = ''] = /^Environment=(.*)$/m.exec(text) ?? []
  assertSettings(
    settings.split(' ').map(pair => pair.split('=')[0]!),
    'hiring.service',
  )
  const { error, stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=yes', join(DEPLOY, 'systemd/hiring.service')],
    { encoding: 'utf8' },
  )
  if (error) return // another system
  const [, level] = /exposure level for hiring\.service: ([\d.]+)/.exec(stdout) ?? []
  assert.ok(Number(level) < 4, stdout.slice(-200))
})

test('Kubernetes: settings of the service, probes, no privileges, a disruption budget for each role', { skip }, () => {
  const found = documents('kubernetes/hiring.yaml')
  const kinds = (kind: string) => found.filter(document => document.kind === kind)
  assertSettings(
    [...Object.keys(kinds('ConfigMap')[0].data), ...Object.keys(kinds('Secret')[0].stringData)],
    'hiring.yaml',
  )
  const pods = [...kinds('Deployment'), ...kinds('Job')]
  assert.equal(pods.length, 3)
  for (const { kind, spec } of pods) {
    const pod = spec.template.spec
    const [container] = pod.containers
    assert.match(container.image, /^hiring:\d/)
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    if (kind === 'Job') assert.deepEqual(container.args, ['migrate'])
    else {
      assert.deepEqual(container.args, ['start', '--roles', spec.selector.matchLabels.role])
      assert.equal(container.readinessProbe.httpGet.path, '/readyz')
      assert.equal(container.livenessProbe.httpGet.path, '/healthz')
      // a named port that the container has
      const names = container.ports.map(({ name }: { name: string }) => name)
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        assert.ok(names.includes(container[probe].httpGet.port), probe)
    }
  }
  assert.deepEqual(
    kinds('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels.role),
    ['api', 'worker'],
  )
})

test('backup.yaml and hiring-backup.service: commands and settings of the service, no privileges', {
  skip,
}, async () => {
  const [job] = documents('kubernetes/backup.yaml')
  const pod = job.spec.jobTemplate.spec.template.spec
  const containers = [...pod.initContainers, ...pod.containers]
  const unit = read('systemd/hiring-backup.service')
  const commands = [
    ...containers.map(({ args }) => args),
    ...[...unit.matchAll(/^ExecStart=\S+\/hiring (.*)$/gm)].map(([, line]) => line!.split(' ')),
  ]
  assert.equal(commands.length, 4)
  const verbs = (await loadVerbs()).toSorted((a, b) => b.name.length - a.name.length)
  for (const words of commands) {
    const verb = verbs.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))!
    assert.ok(['backup', 'backup prune'].includes(verb.name), words.join(' '))
    for (const option of words.filter((word: string) => word.startsWith('--')))
      assert.ok(option.slice(2) in verb.options!, option)
  }
  assert.equal(pod.securityContext.runAsNonRoot, true)
  for (const { securityContext } of containers) assert.equal(securityContext.allowPrivilegeEscalation, false)
  const settings = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(' '))
  assertSettings(
    settings.map(pair => pair.split('=')[0]!),
    'hiring-backup.service',
  )
})
