import { parseArgs } from 'node:util'
import { simulate } from './kit/simulation.ts'

const HELP = `Calculates how the rate of requests grows with the workers of a Citus cluster, by a simulation.

  node bench/cluster-growth.ts --service US --coordinator US --workers US [options]

  --service US        CPU of a request in the service, in microseconds, as \`node bench/cluster.ts\` prints it
  --coordinator US    CPU of a request on the coordinator
  --workers US        CPU of a request on the workers, all together
  --round-trips N     statements, one after another, of a request (1)
  --counts LIST       numbers of workers to compare (1,2,4,8,16)
  --cores N           of each server (16)
  --api-cores N       of all machines that serve requests, together (128)
  --network-us N      from one machine to another, one way, in microseconds (100)
  --workspaces N      (100000)
  --shards N          (512)
  --skew S            the workspace at rank r has a share of the requests in proportion to 1 / r^S (0.6)
  --callers N         each sends its next request when it has the response to the last (4000)
  --requests N        that are simulated for each number of workers (200000)
  --help              this text

What is assumed: the CPU of a request does not change with the size of the cluster; it is spread evenly over the round
trips, and varies like a Poisson process; cores of a server take what waits in the order of arrival; every request is
about one workspace, whose shards are on one worker; shards are spread evenly over the workers, whatever their load; disks, locks
and connections are never the limit.`

const number = (value: string) => {
  const of = Number(value)
  if (!(of >= 0)) throw new Error(`${value} is not a number`)
  return of
}

const { values } = parseArgs({
  options: {
    service: { type: 'string' },
    coordinator: { type: 'string' },
    workers: { type: 'string' },
    'round-trips': { type: 'string', default: '1' },
    counts: { type: 'string', default: '1,2,4,8,16' },
    cores: { type: 'string', default: '16' },
    'api-cores': { type: 'string', default: '128' },
    'network-us': { type: 'string', default: '100' },
    workspaces: { type: 'string', default: '100000' },
    shards: { type: 'string', default: '512' },
    skew: { type: 'string', default: '0.6' },
    callers: { type: 'string', default: '4000' },
    requests: { type: 'string', default: '200000' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else if (!values.service || !values.coordinator || !values.workers) {
  console.error('give --service, --coordinator and --workers: --help says what they are')
  process.exitCode = 2
} else {
  const cost = {
    service: number(values.service),
    coordinator: number(values.coordinator),
    worker: number(values.workers),
  }
  let first: number | undefined
  for (const workers of values.counts.split(',').map(number)) {
    const { rate, p50Ms, p99Ms, busy } = simulate({
      cost,
      roundTrips: number(values['round-trips']),
      workers,
      cores: number(values.cores),
      apiCores: number(values['api-cores']),
      networkUs: number(values['network-us']),
      workspaces: number(values.workspaces),
      shards: number(values.shards),
      skew: number(values.skew),
      callers: number(values.callers),
      requests: number(values.requests),
    })
    first ??= rate
    const percent = (share: number) => `${(share * 100).toFixed(0)} %`
    console.log(
      `${workers} workers: ${rate.toFixed(0)} requests/s, ${(rate / first).toFixed(2)} of the first; p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; busy: service ${percent(busy.service)}, coordinator ${percent(busy.coordinator)}, busiest worker ${percent(Math.max(...busy.workers))}, idlest ${percent(Math.min(...busy.workers))}`,
    )
  }
}
