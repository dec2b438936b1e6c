import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TITLES } from '../../bench/datasets/sourcing.ts'
import { FIELDS, JOB_ROLES } from '../../bench/datasets/words.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { makePage } from '../../src/kernel/http/list.ts'
import { poolProfiles } from '../../src/resources/pool/store.ts'
import { startTestService } from '../harness/service.ts'
import { load } from './fixture.ts'

const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const { id: workspace } = await service.workspace('enterprise')
const key = await service.key({ workspace })

// every tenth company is of its own name; the rare ones were seen longest ago
await db.query(sql`
  insert into pool_profiles (id, full_name, company_name, job_title, linkedin_key, last_seen_at)
  select 'pool_' || lpad(i::text, 20, '0'), 'Name ' || i,
    case when i > 19990 then 'Quixotic Zeppelins' when i % 10 = 0 then md5(i::text) else 'Common Works' end,
    case when i > 19995 then 'Vexillologist' else 'Engineer' end, 'linkedin.com/in/p' || i,
    app_now() - make_interval(secs => i)
  from generate_series(1, 20000) as i`)
await db.query(sql`select gin_clean_pending_list('pool_profiles_parts')`)
await db.query(sql`analyze pool_profiles`)

const list = async (query: string) => (await service.get(`/pool/profiles?${query}`, key)).body

test('pool index parts: rare parts of company and title are found through their index, also after many frequent ones', async () => {
  for (let i = 0; i < 20; i++) assert.equal((await list('company=works&limit=5')).data.length, 5)
  assert.equal((await list('company=XOTIC%20z')).data.length, 10)
  assert.equal((await list('title=xillo')).data.length, 5)
  assert.equal((await list('company=zeppelin&title=engin')).data.length, 5)
  assert.equal((await list('company=nowhere')).data.length, 0)
  const first = await list('company=zeppelin&limit=6')
  const next = await list(`company=zeppelin&limit=6&cursor=${first.next_cursor}`)
  assert.deepEqual(
    [...first.data, ...next.data].map((row: { full_name: string }) => row.full_name),
    Array.from({ length: 10 }, (_, i) => `Name ${19_991 + i}`),
  )
})

const planOf = async (filter: { company?: string; title?: string }) => {
  const page = makePage({ by: 'last_seen_at', tiebreaker: 'id', direction: 'desc' }, {}, undefined)
  const { text, values } = poolProfiles(filter, page)
  return JSON.stringify(await db.query({ text: `explain ${text}`, values, name: '' }))
}

test('pool index parts: the plan: a rare part by its index, a frequent one by the walk that meets it soon', async () => {
  assert.match(await planOf({ company: 'zeppelin' }), /pool_profiles_parts/)
  assert.match(await planOf({ title: 'vexillo' }), /pool_profiles_parts/)
  assert.match(await planOf({ company: 'works' }), /pool_profiles_seen/)
})

test('pool index parts: parts of one or two letters: found in any case; where they stand nowhere the profiles are not looked at', async () => {
  await load(service, [
    {
      full_name: 'Short',
      company_name: 'Ωmega Jq',
      job_title: 'ZYmurgist 火山',
      linkedin_url: 'linkedin.com/in/short',
    },
  ])
  const found = async (query: string) => (await list(query)).data.map((row: { full_name: string }) => row.full_name)
  for (const query of ['company=JQ', 'company=jq', 'title=zy', 'title=ZY', `title=${encodeURIComponent('火')}`])
    assert.deepEqual(await found(query), ['Short'], query)
  assert.deepEqual(await found(`company=jq&title=${encodeURIComponent('火山')}`), ['Short'])
  await load(service, [
    { full_name: 'Short', company_name: 'Ωmega', job_title: '§ judge', linkedin_url: 'linkedin.com/in/short' },
  ])
  assert.deepEqual(await found(`title=${encodeURIComponent('§')}`), ['Short'])
  assert.deepEqual(await found('company=jq'), [])
  // a table that cannot be read is not waited for
  const session = await db.session()
  await session.script('begin; lock table pool_profiles in access exclusive mode')
  try {
    for (const query of [`company=${encodeURIComponent('£')}`, 'title=qq', 'company=om&title=%25%25'])
      assert.deepEqual(await found(query), [], query)
  } finally {
    await session.script('rollback')
    await session.close()
  }
})

test('pool index parts: the plan: a word of many rare titles is frequent: the store takes note of all of some hundred titles', async () => {
  await db.query(sql`
    update pool_profiles p set job_title = (${TITLES}::text[])[1 + n.place * 7 % ${TITLES.length}::integer]
    from (select id, row_number() over (order by id) as place from pool_profiles) n where n.id = p.id`)
  await db.query(sql`select gin_clean_pending_list('pool_profiles_parts')`)
  await db.query(sql`analyze pool_profiles`)
  const [noted] = await db.query(sql`
    select cardinality(most_common_vals::text::text[]) as titles from pg_stats
    where tablename = 'pool_profiles' and attname = 'job_title'`)
  assert.deepEqual(noted, { titles: TITLES.length })
  for (const word of [...JOB_ROLES, ...FIELDS]) assert.match(await planOf({ title: word }), /pool_profiles_seen/, word)
  assert.match(await planOf({ title: 'vexillo' }), /pool_profiles_parts/)
})
