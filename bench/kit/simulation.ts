import { createHash } from 'node:crypto'

export interface ClusterModel {
  /** microseconds of CPU for a request */
  cost: { service: number; coordinator: number; worker: number }
  /** statements of a request, one after another */
  roundTrips: number
  workers: number
  /** Each server of the database has this many. */
  cores: number
  /** All machines that serve requests have these together. */
  apiCores: number
  /** one way, from one machine to another */
  networkUs: number
  workspaces: number
  shards: number
  /** exponent of the workspaces' shares of the requests */
  skew: number
  /** each sends its next request when it has the response to the last */
  callers: number
  requests: number
}

export interface Simulated {
  /** requests per second */
  rate: number
  p50Ms: number
  p99Ms: number
  /** share of the time of their cores */
  busy: { service: number; coordinator: number; workers: number[] }
}

/** Share of the requests that is not counted: until queues have the length that they keep. */
const WARM_UP = 0.1

interface Caller {
  worker: Station
  sentAt: number
  /** Where the caller is on its way through the stations. */
  step: number
}

/** Cores that take what waits in the order of arrival. */
class Station {
  readonly cores: number
  readonly meanUs: number
  readonly waiting: Caller[] = []
  #next = 0
  free: number
  busyUs = 0

  constructor(cores: number, meanUs: number) {
    this.cores = cores
    this.meanUs = meanUs
    this.free = cores
  }

  take(): Caller | undefined {
    if (this.#next === this.waiting.length) return undefined
    const caller = this.waiting[this.#next++]!
    if (this.#next > 10_000) {
      this.waiting.splice(0, this.#next)
      this.#next = 0
    }
    return caller
  }
}

/** What happens later, the earliest first. */
class Agenda {
  readonly #heap: { at: number; run: () => void }[] = []

  add(at: number, run: () => void): void {
    const heap = this.#heap
    let i = heap.push({ at, run }) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (heap[parent]!.at <= at) break
      ;[heap[i], heap[parent]] = [heap[parent]!, heap[i]!]
      i = parent
    }
  }

  next(): { at: number; run: () => void } {
    const heap = this.#heap
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      for (let i = 0; ; ) {
        let child = 2 * i + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++
        if (heap[child]!.at >= heap[i]!.at) break
        ;[heap[i], heap[child]] = [heap[child]!, heap[i]!]
        i = child
      }
    }
    return first
  }
}

/** The same numbers in each run, so that two models differ by what was changed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 15), z | 1)
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61)
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Which worker has the workspace of the next request. */
function nextWorker(model: ClusterModel, random: () => number): () => number {
  const upTo = new Float64Array(model.workspaces)
  const at = new Uint32Array(model.workspaces)
  let sum = 0
  for (let i = 0; i < model.workspaces; i++) {
    sum += (i + 1) ** -model.skew
    upTo[i] = sum
    const shard = createHash('sha256').update(`workspace ${i}`).digest().readUInt32BE() % model.shards
    at[i] = shard % model.workers
  }
  return () => {
    const share = random() * sum
    let low = 0
    let high = model.workspaces - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (upTo[middle]! > share) high = middle
      else low = middle + 1
    }
    return at[low]!
  }
}

/**
 * Requests of callers that wait for their responses: each goes from the service over the coordinator to the worker of its
 * workspace and back, once for each of its statements.
 */
export function simulate(model: ClusterModel): Simulated {
  const random = randomNumbers(1)
  const chooseWorker = nextWorker(model, random)
  const { cost, roundTrips } = model
  // a visit before and one after each statement
  const service = new Station(model.apiCores, cost.service / (roundTrips + 1))
  const coordinator = new Station(model.cores, cost.coordinator / (2 * roundTrips))
  const workers = Array.from({ length: model.workers }, () => new Station(model.cores, cost.worker / roundTrips))
  const agenda = new Agenda()
  const skipped = Math.floor(model.requests * WARM_UP)
  const latencies: number[] = []
  let now = 0
  let done = 0
  let from = 0

  const wayOf = (caller: Caller) => [service, coordinator, caller.worker, coordinator][caller.step % 4]!
  const begin = (station: Station, caller: Caller) => {
    station.free--
    const us = -Math.log(1 - random()) * station.meanUs
    agenda.add(now + us, () => {
      station.free++
      if (done >= skipped) station.busyUs += us
      const waiting = station.take()
      if (waiting) begin(station, waiting)
      leave(caller)
    })
  }
  const arrive = (caller: Caller) => {
    const station = wayOf(caller)
    if (station.free > 0) begin(station, caller)
    else station.waiting.push(caller)
  }
  const leave = (caller: Caller) => {
    if (caller.step === 4 * roundTrips) {
      if (++done === skipped) from = now
      else if (done > skipped) latencies.push(now - caller.sentAt)
      send(caller)
    } else {
      caller.step++
      agenda.add(now + model.networkUs, () => arrive(caller))
    }
  }
  const send = (caller: Caller) => {
    caller.worker = workers[chooseWorker()]!
    caller.sentAt = now
    caller.step = 0
    arrive(caller)
  }

  for (let i = 0; i < model.callers; i++) send({ worker: coordinator, sentAt: 0, step: 0 })
  while (done < model.requests) {
    const { at, run } = agenda.next()
    now = at
    run()
  }
  latencies.sort((a, b) => a - b)
  const us = now - from
  const share = (station: Station) => station.busyUs / us / station.cores
  const percentile = (part: number) => latencies[Math.floor(latencies.length * part)]! / 1_000
  return {
    rate: (latencies.length / us) * 1e6,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    busy: { service: share(service), coordinator: share(coordinator), workers: workers.map(share) },
  }
}
