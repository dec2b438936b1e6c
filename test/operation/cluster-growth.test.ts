import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClusterModel, simulate } from '../../bench/kit/simulation.ts'

const MODEL: ClusterModel = {
  cost: { service: 100, coordinator: 50, worker: 400 },
  roundTrips: 1,
  workers: 1,
  cores: 4,
  apiCores: 64,
  networkUs: 50,
  workspaces: 1_000,
  shards: 64,
  skew: 0,
  callers: 400,
  requests: 20_000,
}
const near = (actual: number, expected: number, part: number) =>
  assert.ok(Math.abs(actual / expected - 1) < part, `${actual} is not near ${expected}`)

test('simulation of a cluster: the rate is that of the cores that are the limit', () => {
  near(simulate(MODEL).rate, 4 / 400e-6, 0.03)
  near(simulate({ ...MODEL, cost: { ...MODEL.cost, coordinator: 800 } }).rate, 4 / 800e-6, 0.03)
  near(simulate({ ...MODEL, cost: { ...MODEL.cost, service: 16_000 } }).rate, 64 / 16_000e-6, 0.03)
})

test('simulation of a cluster: with a single caller a response takes the CPU of all parts and the way between them', () => {
  const { rate } = simulate({ ...MODEL, roundTrips: 3, callers: 1 })
  near(rate, 1e6 / (100 + 50 + 400 + 3 * 4 * 50), 0.03)
})

test('simulation of a cluster: workers add to the rate until the coordinator is the limit', () => {
  const rates = [1, 2, 4, 8, 16].map(workers => simulate({ ...MODEL, workers }).rate)
  for (const [i, rate] of rates.entries()) if (i > 0) assert.ok(rate > rates[i - 1]! * 0.98)
  near(rates[1]! / rates[0]!, 2, 0.15)
  near(rates[4]!, 4 / 50e-6, 0.03)
})

test('simulation of a cluster: the worker with the largest workspace is the limit if the workspaces differ', () => {
  const even = simulate({ ...MODEL, workers: 8 })
  const skewed = simulate({ ...MODEL, workers: 8, skew: 1.2 })
  assert.ok(skewed.rate < even.rate)
  assert.ok(Math.max(...skewed.busy.workers) > 0.95)
  assert.ok(Math.min(...skewed.busy.workers) < 0.8)
})
