import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { pause } from '../../src/kernel/time/pause.ts'
import { emit } from '../harness/events.ts'
import { freePort } from '../harness/free-port.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'
import { RECEIVER_TLS } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const skip = spawnSync('promtool', ['--version']).error ? 'Prometheus is not installed' : false
const run = promisify(execFile)
const DEPLOY = join(import.meta.dirname, '../../deploy')
const ALERTS = join(DEPLOY, 'prometheus/alerts.yml')

interface Panel {
  id: number
  title: string
  targets: { expr: string }[]
}
const BACKUP_HELP =
  'Look at the timer or job that runs "hiring backup". Remove this rule if you back up by other means.'
const BACKUP_RUNBOOK = 'https://hiring.example.com/docs/operating/runbook#hiringbackupold'
const CERTIFICATE = 'hiring_certificate_expiry_timestamp_seconds'
const panels: Panel[] = JSON.parse(readFileSync(join(DEPLOY, 'grafana/hiring.json'), 'utf8')).panels
/** Grafana fills this in by the width of the picture. */
const expressionsOf = (panel: Panel) => panel.targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m'))

/** Metrics by their names; those of a histogram without the ending of its parts. */
const namesIn = (text: string): string[] =>
  (text.match(/\b(hiring|nodejs|process)_\w+/g) ?? []).map(name => name.replace(/_(bucket|count|sum)$/, ''))

/** Metrics that a process has, also those without a value yet. */
async function metricsOf(url: string): Promise<Set<string>> {
  const text = await (await fetch(url)).text()
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
}

test('dashboard and alert rules: every metric that they name is served', async () => {
  const database = await cloneDatabase()
  const service = await startTestService({ METRICS_PORT: '0', DATABASE_REPLICA_URL: database.url }, { database })
  // exists with the first span
  service.services.metrics.spans('sent', 1)
  const served = await metricsOf(service.metricsUrl!)
  const texts = [...panels.flatMap(expressionsOf), readFileSync(ALERTS, 'utf8')]
  const named = new Set(texts.flatMap(namesIn))
  assert.ok(named.size >= 12)
  const unknown = [...named].filter(name => !served.has(name))
  assert.deepEqual(unknown, [])
})

test('dashboard: has a panel for every metric that operating.md describes and for every one that an alert names', () => {
  const shown = new Set(namesIn(panels.flatMap(expressionsOf).join('\n')))
  const table = readFileSync(join(DEPLOY, '../docs/operating.md'), 'utf8')
    .split('| Metric | Counts |')[1]!
    .split('\n\n')[0]!
  const described = namesIn(table.replaceAll(/^\| (.*?) \|.*$/gm, '$1'))
  assert.ok(described.length > 20)
  const needed = new Set([...described, ...namesIn(readFileSync(ALERTS, 'utf8'))])
  assert.deepEqual(
    [...needed].filter(name => !shown.has(name)),
    [],
  )
  assert.deepEqual(
    panels.map(({ id }) => id),
    panels.map((_, i) => i + 1),
  )
})

test('alert rules: each has a link to its section of the runbook, which the service serves, and each section an alert', async () => {
  const rules = readFileSync(ALERTS, 'utf8')
    .split(/(?=- alert: )/)
    .slice(1)
  const links = rules.map(rule => {
    const name = /- alert: (\w+)/.exec(rule)![1]!
    const link = /^ +runbook_url: https:\/\/hiring\.example\.com(\S+)#(\S+)$/m.exec(rule)
    assert.ok(link, `${name} has a runbook_url`)
    return { name, path: link[1]!, id: link[2]! }
  })
  assert.deepEqual(new Set(links.map(({ path }) => path)), new Set(['/docs/operating/runbook']))
  const service = await startTestService({ ROLES: 'api' })
  const page = await (await fetch(`${service.origin}/docs/operating/runbook`)).text()
  const sections = [...page.matchAll(/<h2 id="([^"]+)">.*?<\/a>([^<]*)<\/h2>/g)].map(([, id, name]) => ({ name, id }))
  assert.deepEqual(
    sections,
    links.map(({ name, id }) => ({ name, id })),
  )
})

test('metrics: every name is one that promtool accepts; disk and certificate are among them', async t => {
  const tls = join(import.meta.dirname, '../harness/tls')
  const service = await startTestService({
    METRICS_PORT: '0',
    TLS_CERT: join(tls, 'receiver.pem'),
    TLS_KEY: join(tls, 'receiver.key'),
  })
  const text = await (await fetch(service.metricsUrl!)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  assert.ok(figure('hiring_disk_free_bytes') > 0)
  assert.ok(figure('hiring_disk_size_bytes') >= figure('hiring_disk_free_bytes'))
  assert.equal(figure(CERTIFICATE), Date.parse(new X509Certificate(RECEIVER_TLS.cert).validTo) / 1000)
  if (skip) return t.skip(skip)
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
})

test('alert rules: each alert begins after its time and not before, and a healthy service has none', {
  skip,
}, async () => {
  const file = join(temporaryFolder(), 'rules.json')
  const queue = (name: string) => `hiring_queue_oldest_seconds{queue="${name}",job="hiring"}`
  const failures = (code: string) => `hiring_http_failures_total{code="${code}",job="hiring"}`
  /** alert, series, values of a service in trouble, values of a healthy one, minutes until it fires */
  const cases: [string, string, string, string, number][] = [
    ['HiringProcessDown', 'up{job="hiring"}', '0x30', '1x30', 1],
    ['HiringFeedLate', queue('feed'), '31x30', '29x30', 1],
    ['HiringWebhooksLate', queue('webhooks'), '301x30', '299x30', 5],
    ['HiringResumesLate', queue('resumes'), '901x30', '899x30', 5],
    ['HiringMailsLate', queue('team_mails'), '901x30', '899x30', 5],
    ['HiringExportsLate', queue('exports'), '3601x30', '3599x30', 5],
    ['HiringErasuresLate', queue('erasures'), '901x30', '899x30', 5],
    ['HiringDeletionsLate', queue('workspace_deletions'), '21601x30', '21599x30', 5],
    ['HiringDeletionsLate', queue('retention'), '21601x30', '21599x30', 5],
    ['HiringWorkersFailing', 'hiring_workers_failing{job="hiring"}', '1x30', '0x30', 5],
    ['HiringServerErrors', failures('internal_error'), '0+6x30', '0x30', 7],
    ['HiringDatastoreUnavailable', failures('datastore_unavailable'), '0+6x30', '0x30', 4],
    ['HiringRequestsSlow', 'hiring_http_request_seconds_bucket{le="+Inf",job="hiring"}', '0+60x30', '0+60x30', 12],
    ['HiringConnectionsExhausted', 'hiring_database_connections{state="waiting",job="hiring"}', '1x30', '0 1 0x30', 0],
    ['HiringEventLoopBlocked', 'nodejs_eventloop_lag_p99_seconds{job="hiring"}', '0.3x30', '0.2x30', 10],
    ['HiringRequestLogIncomplete', 'hiring_request_log_dropped_total{job="hiring"}', '0+1x30', '7x30', 0],
    ['HiringDiskFull', 'hiring_disk_free_bytes{job="hiring"}', '9e9x30', '11e9x30', 10],
    ['HiringCertificateExpires', `${CERTIFICATE}{job="hiring",instance="a"}`, '1209000x40', '1219600x40', 10],
    ['HiringReplicaLate', 'hiring_replica_lag_seconds{job="hiring"}', '31x30', '29x30', 5],
    // a replica that is not reached, and one that is reached again
    ['HiringReplicaLate', 'hiring_replica_lag_seconds{job="hiring"}', 'NaN '.repeat(31).trim(), 'NaN NaN NaN 0x30', 5],
    // the clock of these tests starts at 0
    ['HiringBackupOld', 'hiring_backup_last_success_timestamp_seconds{job="hiring"}', '-93601x30', '-91000x30', 10],
  ]
  const declared = [...readFileSync(ALERTS, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(cases.map(([alert]) => alert))], declared)
  // the middle of a histogram: all requests above a second, or all below
  const bucket = (values: string) => ({
    series: 'hiring_http_request_seconds_bucket{le="2.5",job="hiring"}',
    values,
  })
  const firing = (alert: string, evalTime: string) => ({ eval_time: evalTime, alertname: alert })
  const tests = cases.flatMap(([alert, series, trouble, well, minutes]) => {
    const slow = alert === 'HiringRequestsSlow'
    const low = { series: 'hiring_http_request_seconds_bucket{le="0.01",job="hiring"}', values: '0+60x30' }
    const input = (values: string, healthy: boolean) => [
      { series, values },
      ...(slow ? [bucket('0+60x30'), ...(healthy ? [low] : [])] : []),
      ...(alert === 'HiringDiskFull' ? [{ series: 'hiring_disk_size_bytes{job="hiring"}', values: '100e9x30' }] : []),
    ]
    return [
      {
        name: `${alert} in trouble`,
        interval: '1m',
        input_series: input(trouble, false),
        // none before its time
        alert_rule_test: minutes > 0 ? [{ ...firing(alert, '30s'), exp_alerts: [] }] : [],
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: `${minutes + 3}m`,
            exp_samples: [{ labels: '{}', value: 1 }],
          },
        ],
      },
      {
        name: `${alert} healthy`,
        interval: '1m',
        input_series: input(well, true),
        alert_rule_test: [{ ...firing(alert, '20m'), exp_alerts: [] }],
      },
    ]
  })
  const summaryOf = (values: string, summary: string) => ({
    name: `HiringBackupOld: ${summary}`,
    interval: '1m',
    input_series: [{ series: 'hiring_backup_last_success_timestamp_seconds{job="hiring"}', values }],
    alert_rule_test: [
      {
        ...firing('HiringBackupOld', '20m'),
        exp_alerts: [
          {
            exp_labels: { severity: 'warning' },
            exp_annotations: { summary, description: BACKUP_HELP, runbook_url: BACKUP_RUNBOOK },
          },
        ],
      },
    ],
  })
  const summaries = [
    summaryOf('-93600x30', 'The last backup is 1d 2h 20m 0s old'),
    // at any time of this century, a metric of 0 looks like this
    summaryOf('-1700000000x30', 'There has never been a backup'),
  ]
  // JSON is YAML
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [ALERTS], evaluation_interval: '30s', tests: [...tests, ...summaries] }),
  )
  await run('promtool', ['test', 'rules', file]).catch(error => assert.fail(`${error.stdout}\n${error.stderr}`))
})

test('Prometheus: collects a running service, loads the rules, and has data for every panel of the dashboard', {
  skip,
}, async () => {
  const database = await cloneDatabase()
  const settings = { METRICS_PORT: '0', ROLES: 'api', DATABASE_REPLICA_URL: database.url }
  const service = await startTestService(settings, { database })
  const folder = temporaryFolder()
  const { host } = new URL(service.metricsUrl!)
  for (const name of ['prometheus.yml', 'alerts.yml'])
    copyFileSync(join(DEPLOY, 'prometheus', name), join(folder, name))
  const config = readFileSync(join(folder, 'prometheus.yml'), 'utf8')
  writeFileSync(
    join(folder, 'prometheus.yml'),
    config.replace('127.0.0.1:9464', host).replace('scrape_interval: 15s', 'scrape_interval: 1s'),
  )
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  after(async () => {
    child.kill()
    await ended
  })
  const ask = async (path: string, params: Record<string, string> = {}) => {
    const url = `http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(params)}`
    const response = await fetch(url).catch(() => undefined)
    // it replays its log before it serves
    if (!response || response.status === 503) return undefined
    const body = (await response.json()) as { status: string; data: never; error?: string }
    assert.equal(body.status, 'success', `${path}: ${body.error}`)
    return body.data as Record<string, unknown[]>
  }
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  await emit(service.services.db, workspace, ['job.updated'])
  for (const panel of panels) {
    for (const query of expressionsOf(panel)) {
      // a rate needs two samples of a counter that has begun to count
      for (let found = 0; found === 0; await pause(found ? 0 : 200)) {
        await service.get('/me', key)
        await service.get('/me')
        service.services.metrics.webhookAttempt('delivered')
        service.services.metrics.personalDataUnits(1)
        service.services.metrics.spans('sent', 1)
        found = (await ask('query', { query }))?.['result']?.length ?? 0
      }
    }
  }
  const rules = (await ask('rules'))!['groups'] as { rules: { name: string; health: string; lastError?: string }[] }[]
  assert.equal(rules.flatMap(group => group.rules).length, 19)
  assert.deepEqual(
    rules.flatMap(group => group.rules).filter(rule => rule.lastError),
    [],
  )
})
