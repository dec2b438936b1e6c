import assert from 'node:assert/strict'
import { type Person, signedIn } from '../console/setup.ts'
import type { TestService } from '../harness/service.ts'

/** A workspace with people of three roles and a key, for tests of sourcing. */
export async function newTeam(service: TestService) {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const enter = (role: 'owner' | 'admin' | 'member' | 'viewer') =>
    signedIn(service, workspace, { role, program: 'hiring' })
  return {
    workspace,
    key: await service.key({ workspace, userEmail }),
    owner: await enter('owner'),
    member: await enter('member'),
    viewer: await enter('viewer'),
  }
}

export async function newList(person: Person, body: object = { name: 'Welders' }) {
  const { status, body: list } = await person.post('/v1/lists', body)
  assert.equal(status, 201)
  return list as { id: string; name: string; project_id: string }
}
