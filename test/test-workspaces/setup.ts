import type { NewKey } from '../../src/resources/keys/actions.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { createTestWorkspace } from '../../src/resources/test-workspaces/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { type Job, newJob } from '../applications/setup.ts'
import type { TestService } from '../harness/service.ts'

/** The capture domain of a service on loopback. */
export const DOMAIN = 'mailbox.hiring.internal'

export interface TestTenant {
  service: TestService
  workspace: string
  userId: string
  userEmail: string
  key: IssuedKey
  job: Job
}

export const createFor = (service: TestService, of: string | null, name = 'Sandbox') =>
  createTestWorkspace(service.services.db, { name, of, mailboxDomain: DOMAIN })

let owners = 0

/** A test workspace with an owner whose mailbox is real, a full key and a published job. */
export async function newTestTenant(service: TestService, of: string | null = null): Promise<TestTenant> {
  const { id: workspace } = await createFor(service, of)
  const userEmail = `owner-${++owners}@people.dev`
  const user = await createUser(service.services.db, { workspace, email: userEmail, role: 'owner', firstName: 'Olga' })
  const key = await service.key({ workspace, userEmail })
  return { service, workspace, userId: user.id, userEmail, key, job: await newJob(service, workspace) }
}

export const keyFor = ({ service, workspace, userEmail }: TestTenant, more: Partial<NewKey> = {}) =>
  service.key({ workspace, userEmail, ...more })
