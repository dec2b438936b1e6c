import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { settingsOfMember } from '../../src/resources/member-settings/store.ts'
import { removeUser, userById } from '../../src/resources/users/index.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'

let service: TestService
let workspace: string

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace()).id
})

const enter = (role: 'member' | 'viewer' = 'member') => signedIn(service, workspace, { role, program: 'hiring' })

const languageOf = async ({ cookie }: Person, accepted: string) => {
  const headers = { cookie, 'accept-language': accepted }
  const { text } = await service.call('GET', `${service.origin}/hiring/anything`, { headers })
  return /<html lang="(\w+)">/.exec(text)?.[1]
}

test('POST /member-settings: 200 sets what is named and leaves the rest; everyone has their own row, viewers too', async () => {
  const [first, second] = [await enter(), await enter('viewer')]
  assert.deepEqual((await first.get('/member-settings')).body, { language: null, time_zone: null })
  const changed = await first.post('/member-settings', { language: 'de' })
  assert.deepEqual([changed.status, changed.body], [200, { language: 'de', time_zone: null }])
  await first.post('/member-settings', { time_zone: 'Europe/Berlin' })
  assert.deepEqual((await first.post('/member-settings', { language: null })).body, {
    language: null,
    time_zone: 'Europe/Berlin',
  })
  assert.deepEqual((await second.post('/member-settings', { language: 'en' })).body, {
    language: 'en',
    time_zone: null,
  })
  const { language, time_zone } = (await first.get('/session')).body
  assert.deepEqual([language, time_zone], [null, 'Europe/Berlin'])
})

test('POST /member-settings: 400 names the field of a language or a zone that there is not, and changes nothing', async () => {
  const person = await enter()
  for (const [param, value] of [
    ['language', 'fr'],
    ['time_zone', 'Berlin'],
    ['time_zone', '+01:00'],
    ['time_zone', ''],
  ] as const) {
    const { status, body } = await person.post('/member-settings', { [param]: value })
    assert.equal(status, 400, `${param} ${value}`)
    assert.deepEqual(
      body.detail.errors.map((fault: { param: string }) => fault.param),
      [param],
    )
  }
  assert.deepEqual((await person.get('/member-settings')).body, { language: null, time_zone: null })
})

test('hiring pages: the language of the account, else the first of the browser that there is, else English', async () => {
  const person = await enter()
  assert.equal(await languageOf(person, 'de-AT,de;q=0.9,en;q=0.8'), 'de')
  assert.equal(await languageOf(person, 'fr,en;q=0.5,de;q=0.7'), 'de')
  assert.equal(await languageOf(person, 'fr'), 'en')
  await person.post('/member-settings', { language: 'en' })
  assert.equal(await languageOf(person, 'de'), 'en')
})

test('member settings: end with the membership', async () => {
  const person = await enter()
  await person.post('/member-settings', { language: 'de' })
  const { db } = service.services
  await removeUser(db, { workspace, user: person.userId })
  assert.equal(await db.one(userById(workspace, person.userId)), undefined)
  assert.equal(await db.one(settingsOfMember(workspace, person.userId)), undefined)
})
