import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { feedVerbs } from '../../src/cli/feed.ts'
import type { EventType } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { apply, newTenant } from '../applications/setup.ts'
import { emit } from '../harness/events.ts'
import { readFeed } from '../harness/feed.ts'
import { cloneDatabase, type TestDatabase } from '../harness/postgres.ts'
import { type Receiver, until } from '../harness/receiver.ts'
import type { TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { addProfile } from '../lists/fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: the parameters of an action, written by the tests in Python
type Input = any

/** What the tests in Python cannot do over the API, as an HTTP server: each action is a path. */
export async function startControl(service: TestService, receiver: Receiver) {
  const { db } = service.services
  const databases: TestDatabase[] = []
  const tenants = new Map<string, Awaited<ReturnType<typeof newTenant>>>()

  const actions: Record<string, (input: Input) => Promise<unknown>> = {
    async tenant({ plan }) {
      if (plan) {
        const { id, userEmail } = await service.workspace(plan)
        const { id: key_id, secret } = await service.key({ workspace: id, userEmail })
        return { workspace: id, key_id, api_key: secret }
      }
      const tenant = await newTenant(service)
      tenants.set(tenant.workspace, tenant)
      const { workspace, key, job } = tenant
      return { workspace, api_key: key.secret, key_id: key.id, job_id: job.id, stages: job.stages }
    },
    async key({ workspace, scopes }) {
      return { api_key: (await service.key({ workspace, scopes })).secret }
    },
    /** Commits events; returns the ids of all events of the workspace, in order. */
    async publish({ workspace, count }) {
      await emit(db, workspace, Array<EventType>(count).fill('job.updated'))
      return { ids: (await readFeed(service, workspace)).map(({ id }) => id) }
    },
    async lists({ workspace, count }) {
      const ids = Array.from({ length: count }, () => newHandle('list'))
      await db.query(sql`
        insert into lists (workspace_id, id, name)
        select ${workspace}, ids.id, 'List' from unnest(${ids}::text[]) as ids (id)`)
      return { ids }
    },
    async delete_list({ workspace }) {
      await db.query(sql`
        delete from lists where id in (select id from lists where workspace_id = ${workspace} limit 1)`)
    },
    async application({ workspace, email }) {
      const world = { service, ...tenants.get(workspace)! }
      const { id, applicant_id } = await apply(world, {}, { email })
      return { id, applicant_id }
    },
    async profile({ workspace }) {
      return { id: await addProfile(service, workspace) }
    },
    async erase({ email }) {
      await requestErasure(db, { email, requestedBy: 'command_line' })
    },
    async exhaust_month({ workspace }) {
      await service.services.usage.flush()
      await db.query(sql`
        insert into monthly_usage (workspace_id, month, requests)
        values (${workspace}, date_trunc('month', app_now())::date, 1000000000)
        on conflict (workspace_id, month) do update set requests = excluded.requests`)
    },
    async exhaust_budget({ workspace, key_id }) {
      await db.query(sql`
        insert into personal_data_usage (workspace_id, key_id, day, used)
        values (${workspace}, ${key_id}, app_now()::date, 1000000000)
        on conflict (workspace_id, key_id, day) do update set used = excluded.used`)
    },
    async new_epoch() {
      return (await runVerb(service, feedVerbs, 'feed new-epoch', [])).json
    },
    async exports({ workspace }) {
      return await db.one(
        sql<{ count: number }>`select count(*)::integer as count from exports where workspace_id = ${workspace}`,
      )
    },
    async database() {
      const database = await cloneDatabase()
      databases.push(database)
      const { host, port, user, password, database: name } = database.connection
      return { url: database.url, parameters: { host, port, user, password, database: name } }
    },
    /** Real deliveries: before and during the rotation of a secret. */
    async deliveries({ api_key }) {
      const event_types = ['list.created']
      const { body: endpoint } = await service.post('/webhooks/endpoints', api_key, { url: receiver.url, event_types })
      const delivered = async (name: string) => {
        const before = receiver.received.length
        await service.post('/lists', api_key, { name })
        await until('a delivery', () => receiver.received.length > before)
        const { headers, body } = receiver.received.at(-1)!
        return { signature: headers['service-signature'], body }
      }
      const first = await delivered('Größe & “quotes” 漢字')
      const path = `/webhooks/endpoints/${endpoint.id}/rotate-secret`
      const rotated = await service.post(path, api_key, { overlap_seconds: 3600 })
      const during = await delivered('Second')
      return { first, during, old_secret: endpoint.signing_secret, new_secret: rotated.body.signing_secret }
    },
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    try {
      const result = await actions[request.url!.slice(1)]!(JSON.parse(body))
      response.end(JSON.stringify(result ?? {}))
    } catch (error) {
      response.writeHead(500).end((error as Error).stack)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await Promise.all(databases.map(database => database.drop()))
    },
  }
}
