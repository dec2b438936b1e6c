import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LEASE_MS } from '../db/key-caches.ts'
import { ANONYMOUS } from './caller.ts'
import { KeyLease, type LeaseStore, type Renewal, TRUSTED_MS } from './key-cache.ts'

/**
 * A database, two processes with a lease each and a revocation, all in one thread: every statement is first sent, then
 * run, then its result arrives, and the order of these is chosen by the property. A process that gets no turn while time
 * passes is one that was stopped; a statement that never runs is a connection that was cut. The revocation is made by a
 * process that waits for the caches after its commit, or by one that does not know of them, for which the trigger waits.
 */
class World {
  now = 0
  isRevoked = false
  readonly leases = new Map<number, { renewedAt: number; applied: boolean }>()
  /** when the row was inserted that says that the table of leases is complete */
  completeAt: number | undefined = Number.NEGATIVE_INFINITY
  /** by the trigger, against renewals */
  isLocked = false
  readonly #sent: Statement[] = []

  /** Sends a statement: its result is that of the moment it ran. */
  send<T>(run: () => T, writesLease = false): Promise<T> {
    return new Promise(resolve => {
      const statement: Statement = {
        writesLease,
        run: () => {
          const result = run()
          statement.arrive = () => resolve(result)
        },
      }
      this.#sent.push(statement)
    })
  }

  /** Runs one of the statements that were sent, or delivers its result. */
  advance(choice: number): void {
    const statement = this.#sent[choice % this.#sent.length]
    if (!statement) return
    if (!statement.arrive) {
      if (!(this.isLocked && statement.writesLease)) statement.run()
    } else {
      this.#sent.splice(this.#sent.indexOf(statement), 1)
      statement.arrive()
    }
  }

  /** A crash of the server. */
  crash(): void {
    this.leases.clear()
    this.completeAt = undefined
    this.isLocked = false // its transaction is undone
  }

  /** The caches that a change must wait for, as it sees them. */
  isAnyStale(): boolean {
    if (this.completeAt === undefined) {
      this.completeAt = this.now
      return true
    }
    return (
      this.#isLive(this.completeAt) ||
      [...this.leases.values()].some(lease => this.#isLive(lease.renewedAt) && !lease.applied)
    )
  }

  /** The trigger, which waits before the commit. */
  isAnyLive(): boolean {
    const since = this.completeAt ?? this.now
    this.completeAt ??= this.now // the trigger sleeps instead; it takes as long
    return this.#isLive(since) || [...this.leases.values()].some(lease => this.#isLive(lease.renewedAt))
  }

  #isLive = (renewedAt: number) => renewedAt > this.now - LEASE_MS
}

interface Statement {
  writesLease: boolean
  run: () => void
  arrive?: () => void
}

class Process {
  readonly lease: KeyLease
  readonly #world: World
  readonly #store: LeaseStore
  #isRenewing = false

  constructor(world: World, id: number) {
    this.#world = world
    this.lease = new KeyLease({ monotonic: () => world.now, wall: () => world.now })
    const result = (changed: boolean): Renewal => ({ snapshot: String(world.isRevoked), changed, now: world.now })
    this.#store = {
      register: () =>
        world.send(() => {
          world.completeAt ??= world.now
          world.leases.set(id, { renewedAt: world.now, applied: world.isRevoked })
          return result(false)
        }, true),
      renew: applied =>
        world.send(() => {
          if (!world.leases.has(id)) return undefined
          world.leases.set(id, { renewedAt: world.now, applied: applied === 'true' })
          return result(world.isRevoked && applied === 'false')
        }, true),
    }
  }

  renew(): void {
    if (this.#isRenewing) return
    this.#isRenewing = true
    this.lease.renew(this.#store).then(() => (this.#isRenewing = false))
  }

  /** Whether a request is let in, as Authenticator decides it. */
  async request(): Promise<boolean> {
    const cache = this.lease.trusted()
    if (cache?.key('secret')) return true
    const isValid = await this.#world.send(() => !this.#world.isRevoked)
    if (isValid) cache?.addKey('secret', { caller: ANONYMOUS, expiresAt: null })
    return isValid
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('advance' as const), choice: fc.nat(7) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 900, 1_999, 2_999) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('renew' as const, 'request' as const), of: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('revoke' as const, 'revoke unaware' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
)

test('key cache: no request that began after the revocation returned is let in, whatever the order (property)', async () => {
  let served = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }), async steps => {
      const world = new World()
      const processes = [new Process(world, 0), new Process(world, 1)]
      let hasReturned = false
      const late: Promise<void>[] = []
      for (const [i, now] of [
        ...steps,
        { do: 'request' as const, of: 0 },
        { do: 'request' as const, of: 1 },
      ].entries()) {
        if (now.do === 'wait') world.now += now.ms
        if (now.do === 'advance') world.advance(now.choice)
        if (now.do === 'renew') processes[now.of]!.renew()
        if (now.do === 'revoke') world.isRevoked = true
        if (now.do === 'revoke unaware' && !world.isRevoked) world.isLocked = true
        if (now.do === 'crash') world.crash()
        if (now.do === 'request') {
          const began = hasReturned
          const decided = processes[now.of]!.request().then(isLetIn => {
            if (isLetIn) served++
            assert.ok(!(isLetIn && began), `step ${i} was let in`)
          })
          decided.catch(() => {})
          late.push(decided)
        }
        // the results of what arrived are handled before the next step
        for (let turn = 0; turn < 6; turn++) await undefined
        if (world.isLocked && !world.isAnyLive()) {
          world.isLocked = false
          world.isRevoked = true
          hasReturned = true
        }
        hasReturned ||= world.isRevoked && !world.isLocked && !world.isAnyStale()
      }
      // those whose statement never ran have no outcome
      for (const request of late) await Promise.race([request, Promise.resolve()])
    }),
    { numRuns: 3_000 },
  )
  assert.ok(served > 1_000, 'too few requests were let in at all')
})

test('key cache: a lease ends for its process before it ends for a change', () => {
  assert.ok(TRUSTED_MS < LEASE_MS)
})

test('key cache: trusted only after a renewal, and not after the wall clock jumped', async () => {
  const time = { monotonic: 0, wall: 1_000_000 }
  const lease = new KeyLease({ monotonic: () => time.monotonic, wall: () => time.wall })
  assert.equal(lease.trusted(), undefined)
  const renewal: Renewal = { snapshot: '1', changed: false, now: 5_000 }
  await lease.renew({ register: async () => renewal, renew: async () => renewal })
  assert.ok(lease.trusted())
  assert.equal(lease.databaseNow(), 5_000)
  time.wall += 60_000 // a suspended machine: the monotonic clock did not run
  assert.equal(lease.trusted(), undefined)
  await lease.renew({ register: async () => renewal, renew: async () => renewal })
  assert.ok(lease.trusted())
  time.monotonic += TRUSTED_MS
  assert.equal(lease.trusted(), undefined)
})

test('lease: a cache whose lease lapsed is not used again, although the renewal has seen no change', async () => {
  let now = 0
  const lease = new KeyLease({ monotonic: () => now, wall: () => now })
  const unchanged: Renewal = { snapshot: '1:1:', changed: false, now: 0 }
  const store: LeaseStore = { register: async () => unchanged, renew: async () => unchanged }
  await lease.renew(store)
  lease.trusted()!.addKey('hash', { caller: ANONYMOUS, expiresAt: null })
  now += TRUSTED_MS - 1
  await lease.renew(store)
  assert.ok(lease.trusted()!.key('hash'), 'renewed in time')
  now += TRUSTED_MS
  await lease.renew(store)
  assert.equal(lease.trusted()!.key('hash'), undefined)
})
