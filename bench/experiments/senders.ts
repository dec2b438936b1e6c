// Runs in the processes that send: the service, the bare loop, and other queues.

import { readFileSync } from 'node:fs'
import { ALL_SCOPES } from '../../src/contract/scopes.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { Poster } from '../../src/kernel/net/poster.ts'
import type { Services } from '../../src/kernel/services/services.ts'
import { feedPage } from '../../src/resources/events/store.ts'
import { createKey } from '../../src/resources/keys/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { checkTarget, createEndpoint } from '../../src/resources/webhooks/index.ts'
import { createWorkspace } from '../../src/resources/workspaces/index.ts'
import { CA_FILE, DELIVERY_HEADER, HOSTNAME } from './receivers.ts'

/** How many are handed over together: events of a transaction, jobs of a call. */
export const AT_A_TIME = 500

/** Registers each receiver as the endpoint of a workspace of its own, and returns the workspaces. */
export async function register(services: Services, { ports }: { ports: number[] }): Promise<string[]> {
  const { db, keyring } = services
  const workspaces: string[] = []
  for (const port of ports) {
    const { id: workspace } = await createWorkspace(db, { name: 'Receiver', plan: 'enterprise' })
    const userEmail = `owner-${port}@bench.example`
    await createUser(db, { workspace, email: userEmail, role: 'owner', firstName: 'Olga' })
    const key = await createKey(db, { workspace, userEmail, scopes: 'all' })
    const url = await checkTarget(`https://${HOSTNAME}:${port}/hook`, services)
    const owner = { workspace, keyId: key.id, scopes: new Set(ALL_SCOPES) }
    await db.transaction(tx => createEndpoint(tx, keyring, owner, { url, eventTypes: [], description: null }))
    workspaces.push(workspace)
  }
  return workspaces
}

/** Commits events, the workspaces in turn. Each becomes one delivery. */
export async function commit(
  { db }: Services,
  { workspaces, count }: { workspaces: string[]; count: number },
): Promise<void> {
  for (let done = 0; done < count; done += AT_A_TIME) {
    const events = Array.from({ length: Math.min(AT_A_TIME, count - done) }, (_, i) => ({
      type: 'job.updated' as const,
      workspaceId: workspaces[(done + i) % workspaces.length]!,
      id: newHandle('job'),
      updatedAt: '2026-11-01T00:00:00.000Z',
      values: { status: 'published' },
      changed: ['title'],
      previous: { title: 'Engineer' },
      originKeyId: null,
    }))
    await db.transaction(tx => appendEvents(tx, events))
  }
}

/** Events of the past, as the feed keeps them. */
export async function sampleBodies(
  { db }: Services,
  { workspace, count }: { workspace: string; count: number },
): Promise<string[]> {
  const rows = await db.query(
    feedPage({
      workspace,
      after: 0,
      readable: { types: ['job.updated'], own: [], vendor: '' },
      excludeKey: undefined,
      limit: count,
    }),
  )
  return rows.map(row => row.body!)
}

export interface Sending {
  ports: number[]
  /** bodies as the service sends them, used in turn */
  bodies: string[]
  count: number
  concurrency: number
}

let poster: Poster | undefined
let sent = 0

/** The service's HTTPS client, with nothing around it. */
export async function post(port: number, body: string): Promise<void> {
  poster ??= new Poster({ ca: readFileSync(CA_FILE) })
  const headers = { 'Content-Type': 'application/json', [DELIVERY_HEADER]: String(++sent) }
  const { signal } = new AbortController()
  const request = { addresses: ['127.0.0.1'], hostname: HOSTNAME, port, path: '/hook', headers, body, signal }
  const { status } = await poster.post(request)
  if (status !== 200) throw new Error(`a receiver returned ${status}`)
}

/** Sends with this many concurrent senders, each one request after the other. */
export async function bareLoop({ ports, bodies, count, concurrency }: Sending): Promise<void> {
  let left = count
  const lane = async (i: number) => {
    while (left > 0) {
      const n = left--
      await post(ports[i % ports.length]!, bodies[n % bodies.length]!)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, i) => lane(i)))
}
