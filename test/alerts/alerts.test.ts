import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { alertVerbs } from '../../src/cli/alerts.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ALL_ROWS } from '../../src/kernel/http/list.ts'
import { composer } from '../../src/kernel/mail/compose.ts'
import { type MailServices, sendNextMails } from '../../src/kernel/mail/queue.ts'
import { SmtpMailer } from '../../src/kernel/mail/smtp.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { alertMails, checkAlerts, describeAlert, selectAlerts } from '../../src/resources/alerts/index.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { revokeKey, rotateKey } from '../../src/resources/keys/index.ts'
import { changeRole } from '../../src/resources/users/index.ts'
import { sweepOnce } from '../../src/workers/prune-rows.ts'
import { apply, newJob } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { personalIn } from '../harness/personal-data.ts'
import { startTestService } from '../harness/service.ts'
import { startMailServer } from '../harness/smtp.ts'
import { runVerb } from '../harness/verb.ts'

const service = await startTestService({ ROLES: 'api' })
const { db, outbox } = service.services
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A workspace of its own, so that alerts of other tests are not in sight. */
async function newWorld(plan: 'starter' | 'none' = 'starter') {
  const { id: workspace, userEmail } = await service.workspace(plan)
  const owner = await signedIn(service, workspace)
  const key = await service.key({ workspace, userEmail, name: 'Sync' })
  // not over HTTP: sessions end when the clock is moved
  const alerts = async (state: 'open' | 'resolved' = 'open') =>
    (await db.query(selectAlerts(workspace, state, ALL_ROWS))).map(row => ({ ...row, ...describeAlert(row) }))
  const kinds = async (state?: 'open' | 'resolved') =>
    (await alerts(state)).map(({ kind, level }) => `${kind} ${level}`)
  return { workspace, userEmail, owner, key, alerts, kinds }
}

const check = async () => assert.ok(await checkAlerts(db), 'no other process checks')

/** Time is moved in a test, and back at its end. */
const later = async (ms: number, work: () => Promise<void>) => {
  clock.advance(ms)
  try {
    await work()
  } finally {
    clock.advance(-ms)
  }
}
after(() => clock.reset())

/** An endpoint as the sender leaves it. */
async function addEndpoint(
  { workspace, key }: { workspace: string; key: { id: string } },
  state: { failures: number; sinceMinutes: number; disabled?: 'failing' | 'gone' | 'manual' },
): Promise<string> {
  const { failures, sinceMinutes, disabled = null } = state
  const row = await db.one(sql<{ id: string }>`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types, consecutive_failures, first_failure_at,
      enabled, disabled_at, disabled_reason)
    values (${workspace}, gen_random_uuid(), ${key.id}, 'https://hooks.partner.example/in?token=s3cret' || ${disabled ?? ''}, '{}',
      ${failures}::integer, app_now() - ${sinceMinutes}::integer * interval '1 minute', ${disabled === null},
      case when ${disabled}::text is not null then app_now() end, ${disabled})
    returning id`)
  return row!.id
}
const setEndpoint = (id: string, failures: number, sinceMinutes: number) =>
  db.query(sql`
    update webhook_endpoints set consecutive_failures = ${failures}::integer,
      first_failure_at = app_now() - ${sinceMinutes}::integer * interval '1 minute' where id = ${id}::uuid`)

test('alerts: an endpoint without a success for an hour opens one alert, checked twice or by two processes; a success resolves it', async () => {
  const world = await newWorld()
  const id = await addEndpoint(world, { failures: 4, sinceMinutes: 59 })
  await check()
  assert.deepEqual(await world.alerts(), [])
  await later(2 * 60_000, async () => {
    const both = await Promise.all([checkAlerts(db), checkAlerts(db), checkAlerts(db)])
    assert.ok(both.some(result => result !== undefined))
    await check()
  })
  const [alert, ...more] = await world.alerts()
  assert.deepEqual(more, [])
  assert.deepEqual([alert!.kind, alert!.level, alert!.path], ['endpoint_failing', 'warning', `/webhooks/${id}`])
  assert.match(
    alert!.text,
    /^The endpoint at hooks\.partner\.example of the key Sync has accepted no event since .* 4 attempts/,
  )
  assert.doesNotMatch(JSON.stringify(alert), /s3cret/, 'a query may hold a secret of the receiver')

  await db.query(
    sql`update webhook_endpoints set consecutive_failures = 0, first_failure_at = null where id = ${id}::uuid`,
  )
  await check()
  assert.deepEqual(await world.kinds(), [])
  assert.deepEqual(await world.kinds('resolved'), ['endpoint_failing warning'])

  // a streak that begins on another day is another alert
  await later(DAY, async () => {
    await setEndpoint(id, 1, 61)
    await check()
  })
  assert.deepEqual(await world.kinds(), ['endpoint_failing warning'])
  assert.equal((await world.kinds('resolved')).length, 1)
})

test('alerts: 100 failures in a row open an alert before the hour is over', async () => {
  const world = await newWorld()
  const id = await addEndpoint(world, { failures: 99, sinceMinutes: 1 })
  await check()
  assert.deepEqual(await world.kinds(), [])
  await setEndpoint(id, 100, 2)
  await check()
  assert.deepEqual(await world.kinds(), ['endpoint_failing warning'])
})

test('alerts: an endpoint that was disabled as failing or gone is critical and replaces the earlier alert; by a person it is none', async () => {
  const world = await newWorld()
  const id = await addEndpoint(world, { failures: 4, sinceMinutes: 90 })
  await addEndpoint(world, { failures: 1, sinceMinutes: 90, disabled: 'manual' })
  await check()
  assert.deepEqual(await world.kinds(), ['endpoint_failing warning'])
  await db.query(sql`
    update webhook_endpoints set enabled = false, disabled_at = app_now(), disabled_reason = 'gone'
    where id = ${id}::uuid`)
  await check()
  assert.deepEqual(await world.kinds(), ['endpoint_disabled critical'])
  assert.match((await world.alerts())[0]!.text, /because its receiver returned 410/)
  await revokeKey(db, world.key.id)
  await check()
  assert.deepEqual(await world.kinds(), [])
})

const useBudget = (world: { workspace: string; key: { id: string } }, used: number) =>
  db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${world.workspace}, ${world.key.id}, app_now()::date, ${used}::integer)
    on conflict (workspace_id, key_id, day) do update set used = excluded.used`)

test('alerts: 80 % and 100 % of the personal-data budget open one alert each, one after the other; the next day resolves them', async () => {
  const world = await newWorld()
  await useBudget(world, 3_999)
  await check()
  assert.deepEqual(await world.kinds(), [])
  await useBudget(world, 4_000)
  await check()
  assert.deepEqual(await world.kinds(), ['personal_data_budget warning'])
  assert.match((await world.alerts())[0]!.text, /^Sync has read 4,000 of 5,000 personal values/)
  await useBudget(world, 5_000)
  await check()
  assert.deepEqual(await world.kinds(), ['personal_data_budget critical'])
  await later(DAY, async () => {
    await check()
    assert.deepEqual(await world.kinds(), [])
    await useBudget(world, 4_500)
    await check()
    assert.deepEqual(await world.kinds(), ['personal_data_budget warning'])
  })
  assert.equal((await world.kinds('resolved')).length, 2)
})

test('alerts: 80 % and 100 % of the monthly quota, by the plan of the workspace; without a limit there is none', async () => {
  const world = await newWorld('none')
  const use = (workspace: string, requests: number) =>
    db.query(sql`
      insert into monthly_usage (workspace_id, month, requests)
      values (${workspace}, date_trunc('month', app_now() at time zone 'UTC')::date, ${requests}::bigint)
      on conflict (workspace_id, month) do update set requests = excluded.requests`)
  const { id: unlimited } = await service.workspace('enterprise')
  await use(unlimited, 90_000_000)
  await use(world.workspace, 7_999)
  await check()
  assert.deepEqual(await world.kinds(), [])
  await use(world.workspace, 8_000)
  await check()
  assert.deepEqual(await world.kinds(), ['monthly_quota warning'])
  await use(world.workspace, 10_000)
  await check()
  assert.deepEqual(await world.kinds(), ['monthly_quota critical'])
  // a plan with a larger quota removes the cause
  await db.query(sql`update workspaces set plan = 'starter' where id = ${world.workspace}`)
  await check()
  assert.deepEqual(await world.kinds(), [])
  assert.deepEqual(await db.query(sql`select 1 from alerts where workspace_id = ${unlimited}`), [])
})

test('alerts: a key opens one 14 days and one 3 days before it expires, unless it was issued for less', async () => {
  const world = await newWorld()
  const key = await service.key({ workspace: world.workspace, name: 'Yearly', expiresInDays: 365 })
  await service.key({ workspace: world.workspace, name: 'Two days', expiresInDays: 2 })
  await check()
  assert.deepEqual(await world.kinds(), [])
  await later(350 * DAY, async () => {
    await check()
    assert.deepEqual(await world.kinds(), [])
    await later(DAY, async () => {
      await check()
      assert.deepEqual(await world.kinds(), ['key_expiring warning'])
      assert.equal((await world.alerts())[0]!.path, `/keys/${key.id}`)
    })
    await later(12 * DAY, async () => {
      await check()
      assert.deepEqual(await world.kinds(), ['key_expiring critical'])
    })
    // after its end it stays for a week, so that a weekend does not hide it
    await later(20 * DAY, async () => {
      await check()
      assert.deepEqual(await world.kinds(), ['key_expiring critical'])
    })
    await later(23 * DAY, async () => {
      await check()
      assert.deepEqual(await world.kinds(), [])
    })
  })
})

test('alerts: a previous secret that is used in the second half of its overlap opens one; in the first half it does not', async () => {
  const world = await newWorld()
  await rotateKey(db, world.key.id, 24)
  const use = async () => {
    assert.equal((await service.get('/me', world.key)).status, 200)
    await service.services.usage.flush()
  }
  await use()
  await check()
  assert.deepEqual(await world.kinds(), [])
  await later(13 * HOUR, async () => {
    await use()
    await check()
    assert.deepEqual(await world.kinds(), ['secret_expiring warning'])
  })
  await later(25 * HOUR, async () => {
    await check()
    assert.deepEqual(await world.kinds(), [])
  })
})

test('alerts: partners who have not confirmed a deletion: 3 days and 1 day before the deadline, until all have confirmed', async () => {
  const world = await newWorld()
  const job = await newJob(service, world.workspace)
  const email = 'deadline@example.org'
  await apply({ service, key: world.key, job }, {}, { email, first_name: 'Zenobia' })
  await service.services.usage.flush()
  const { id } = await requestErasure(db, { email, requestedBy: 'command_line' })
  await runErasure(service.services, id)
  await check()
  assert.deepEqual(await world.kinds(), [])
  await later(4 * DAY + HOUR, async () => {
    await check()
    assert.deepEqual(await world.kinds(), ['deletion_deadline warning'])
    const [alert] = await world.alerts()
    assert.match(alert!.title, /^Erasure request: deletion not confirmed by Sync, due \d+ \w+ \d{4}$/)
    assert.match(alert!.text, /^A person asked for erasure\. Deleted here: .*1 application\b/)
    assert.match(alert!.text, /One key has not confirmed that its copies are deleted: Sync\./)
    assert.match(alert!.text, new RegExp(`POST /suppressions/${alert!.subject_id}/acknowledge\\.$`))
    assert.equal(personalIn(JSON.stringify(alert)), undefined)
    assert.doesNotMatch(JSON.stringify(alert), /Zenobia|deadline@/)
    // the page that it leads to says the same
    const page = await (await signedIn(service, world.workspace)).get(alert!.path)
    assert.deepEqual([page.status, page.body.unconfirmed], [200, 1])
  })
  await later(8 * DAY, async () => {
    await check()
    assert.deepEqual(await world.kinds(), ['deletion_deadline critical'])
    const [{ id: suppression }] = (await service.get('/suppressions', world.key)).body.data
    const deleted_at = new Date(clock.now()).toISOString()
    const acknowledged = await service.post(`/suppressions/${suppression}/acknowledge`, world.key, { deleted_at })
    assert.ok(acknowledged.status < 300, acknowledged.text)
    await check()
    assert.deepEqual(await world.kinds(), [])
  })
})

test('alerts: deletions for different reasons, records and partners have different texts, each with what to do', async () => {
  const world = await newWorld()
  const job = await newJob(service, world.workspace)
  const { userEmail, workspace } = world
  const others = await Promise.all(
    ['CRM', 'Job board', 'Payroll'].map(name => service.key({ workspace, userEmail, name })),
  )
  await addEndpoint({ workspace, key: others[0]! }, { failures: 0, sinceMinutes: 0 })
  for (const key of others.slice(1)) assert.equal((await service.get('/me', key)).status, 200)
  const reasons = ['erasure_request', 'legal_request', 'stop_processing'] as const
  for (const reason of reasons) {
    const email = `${reason.replace('_', '-')}@example.org`
    await apply({ service, key: world.key, job }, {}, { email, first_name: 'Zenobia' })
    await service.services.usage.flush()
    const { id } = await requestErasure(db, { email, reason, requestedBy: 'command_line' })
    if (reason !== 'stop_processing') await runErasure(service.services, id)
  }
  await later(8 * DAY, async () => {
    await check()
    const alerts = await world.alerts()
    assert.equal(new Set(alerts.map(({ title }) => title)).size, 3)
    const text = (words: RegExp) => alerts.find(({ title }) => words.test(title))!.text
    assert.match(text(/^Legal request: deletion not confirmed by 4 keys, overdue since/), /^A legal request required/)
    assert.match(text(/^Stop of processing/), /Retained here but no longer used: /)
    for (const { text, subject_id } of alerts) {
      assert.match(text, /: CRM \(endpoint at hooks\.partner\.example\), Job board, Payroll and 1 more\./)
      assert.ok(
        text.includes(`POST /suppressions/${subject_id}/acknowledge. If there is no response, revoke the keys.`),
      )
      assert.doesNotMatch(text, /Zenobia|@example|token|s3cret/)
    }
  })
})

test('alerts: a deletion deadline that version 0.2 stored without partners and records has a text', () => {
  const details = { keys: 2, delete_by: '2026-11-05T07:08:09.000Z', overdue: true }
  const facts = { kind: 'deletion_deadline', level: 'critical', subject_id: 'id', details } as const
  const { title, text } = describeAlert(facts)
  assert.equal(title, 'Erasure request: deletion not confirmed by 2 keys, overdue since 5 Nov 2026')
  assert.match(
    text,
    /2 keys have not confirmed that their copies are deleted\. The deadline was 5 Nov 2026, 07:08 UTC\./,
  )
})

test('alerts: a cause that comes back in its period opens the same alert again and sends nothing', async () => {
  const world = await newWorld()
  await useBudget(world, 4_500)
  await check()
  const [alert] = await world.alerts()
  const plan = (code: string) => db.query(sql`update workspaces set plan = ${code} where id = ${world.workspace}`)
  await plan('growth')
  await check()
  assert.deepEqual(await world.kinds(), [])
  await plan('starter')
  await check()
  assert.deepEqual(
    (await world.alerts()).map(({ id }) => id),
    [alert!.id],
  )
  const queued = await db.query(sql`select 1 from alert_notifications where workspace_id = ${world.workspace}`)
  assert.equal(queued.length, 0, 'what was not sent was canceled when it was resolved')
})

test('alerts: resolved ones are deleted after 90 days, open ones never', async () => {
  const world = await newWorld()
  await useBudget(world, 4_500)
  await addEndpoint(world, { failures: 4, sinceMinutes: 90 })
  await check()
  await later(DAY, check)
  await later(92 * DAY, async () => {
    await sweepOnce(db)
    assert.deepEqual([await world.kinds('resolved'), await world.kinds()], [[], ['endpoint_failing warning']])
  })
})

// Who is sent them

const mailsTo = async (who: Person) => (await outbox.list()).filter(mail => mail.to === who.email)
const mailAll = async (services: MailServices = service.services) => {
  while (await sendNextMails(services, alertMails));
}

test('alert mail: owners and admins get one email for what happens together, no one else any, and never twice', async () => {
  const world = await newWorld()
  const admin = await signedIn(service, world.workspace, { role: 'admin' })
  const member = await signedIn(service, world.workspace, { role: 'member' })
  await useBudget(world, 4_500)
  await addEndpoint(world, { failures: 4, sinceMinutes: 90 })
  await check()
  await Promise.all([mailAll(), mailAll(), mailAll()])
  for (const who of [world.owner, admin]) {
    const [mail, ...more] = await mailsTo(who)
    assert.equal(more.length, 0)
    assert.equal(mail!.subject, '2 alerts of Test workspace')
    assert.match(mail!.text, /Personal-data budget almost exhausted: Sync/)
    assert.match(mail!.text, /Webhook endpoint is failing: hooks\.partner\.example/)
    assert.ok(mail!.text.includes(`${service.origin}/console/alerts/settings`))
    assert.equal(personalIn(mail!.subject + mail!.text), undefined)
  }
  assert.deepEqual(await mailsTo(member), [])
  await check()
  await later(6 * HOUR, () => mailAll())
  assert.equal((await mailsTo(admin)).length, 1)
})

/** Until noon (UTC) of the next day, so that a few hours before and after are the same day. */
const untilNoon = () => DAY - (clock.now() % DAY) + 12 * HOUR

test('alert mail: an endpoint that its partner enables and disables again and again is one email and one alert a day', async () => {
  const world = await newWorld()
  const disabled = await addEndpoint(world, { failures: 1, sinceMinutes: 1, disabled: 'manual' })
  const failing = await addEndpoint(world, { failures: 0, sinceMinutes: 0 })
  const enable = (id: string) =>
    db.query(sql`
      update webhook_endpoints set enabled = true, disabled_at = null, disabled_reason = null, consecutive_failures = 0,
        first_failure_at = null where id = ${id}::uuid`)
  const round = async () => {
    await db.query(sql`
      update webhook_endpoints set enabled = false, disabled_at = app_now(), disabled_reason = 'gone'
      where id = ${disabled}::uuid`)
    await setEndpoint(failing, 100, 1)
    await check()
    assert.deepEqual((await world.kinds()).toSorted(), ['endpoint_disabled critical', 'endpoint_failing warning'])
    await mailAll()
    await enable(disabled)
    await enable(failing)
    await check()
    assert.deepEqual(await world.kinds(), [])
  }
  await later(untilNoon(), async () => {
    for (let i = 0; i < 3; i++) await later(i * 60_000, round)
    assert.equal((await mailsTo(world.owner)).length, 1)
    assert.equal((await world.kinds('resolved')).length, 2)
    await later(DAY, round)
    assert.equal((await mailsTo(world.owner)).length, 2)
  })
})

test('alert mail: endpoints that a partner deletes and creates again are ten emails a day for its key; other keys are not affected', async () => {
  const world = await newWorld()
  const other = { ...world, key: await service.key({ workspace: world.workspace, name: 'Other' }) }
  const round = async (of: typeof other | typeof world) => {
    const id = await addEndpoint(of, { failures: 1, sinceMinutes: 1, disabled: 'gone' })
    await check()
    assert.deepEqual(await world.kinds(), ['endpoint_disabled critical'])
    await mailAll()
    await db.query(sql`delete from webhook_endpoints where id = ${id}::uuid`)
    await check()
  }
  for (let i = 0; i < 12; i++) await round(world)
  assert.equal((await mailsTo(world.owner)).length, 10)
  await round(other)
  assert.equal((await mailsTo(world.owner)).length, 11)
  await later(DAY + HOUR, () => round(world))
  assert.equal((await mailsTo(world.owner)).length, 12)
})

test('alert mail: of the URL that a partner chose, texts have the host name alone: no link, no path, no more than 80 characters', () => {
  const describe = (url: string) => [
    describeAlert({
      kind: 'endpoint_failing',
      level: 'warning',
      subject_id: 'x',
      details: { url, key_name: 'Sync', since: '2026-11-01T10:00:00Z', failures: 4 },
    }),
    describeAlert({
      kind: 'endpoint_disabled',
      level: 'critical',
      subject_id: 'x',
      details: { url, key_name: 'Sync', reason: 'gone', at: '2026-11-01T10:00:00Z' },
    }),
  ]
  const shown = {
    'https://a:b@hooks.partner.example:8443/pay/now#x': 'hooks.partner.example',
    'https://www.partner.example/sign-in': 'partner.example',
    'https://in.www.www.partner.example/sign-in': 'in.partner.example',
    'https://pаrtner.example/': 'xn--prtner-3nf.example',
    [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`]: `…${'a'.repeat(10)}.${'b'.repeat(60)}.example`,
  }
  for (const [url, host] of Object.entries(shown)) {
    for (const { title, text } of describe(url)) {
      assert.ok(title.endsWith(`: ${host}`), title)
      assert.ok(text.startsWith(`The endpoint at ${host} of the key Sync `), text)
      assert.doesNotMatch(title + text, /:\/\/|www\./)
    }
  }
})

test('alert mail: preferences: none at all, or not of one kind; those of one person are not those of another', async () => {
  const world = await newWorld()
  const admin = await signedIn(service, world.workspace, { role: 'admin' })
  const other = await signedIn(service, world.workspace)
  assert.deepEqual((await admin.get('/alert-settings')).body, { mail: true, muted_kinds: [], webhook: null })
  const saved = await admin.post('/alert-settings', { mail: false, muted_kinds: [] })
  assert.deepEqual([saved.status, saved.body.mail], [200, false])
  await other.post('/alert-settings', { mail: true, muted_kinds: ['endpoint_failing'] })
  const wrong = await other.post('/alert-settings', { mail: true, muted_kinds: ['weather'] })
  assert.deepEqual([wrong.status, wrong.body.detail.code], [400, 'invalid_request'])
  await addEndpoint(world, { failures: 4, sinceMinutes: 90 })
  await useBudget(world, 4_500)
  await check()
  await mailAll()
  assert.equal((await mailsTo(world.owner)).length, 1)
  assert.deepEqual(await mailsTo(admin), [])
  assert.deepEqual(
    (await mailsTo(other)).map(mail => mail.subject),
    ['Personal-data budget almost exhausted: Sync'],
  )
})

test('alert mail: SMTP that refuses is retried later; a connection lost after the text is not', async () => {
  const mails = await startMailServer()
  const compose = composer({ name: 'Hiring', address: 'no-reply@mail.test' })
  const services = { ...service.services, mailer: new SmtpMailer({ url: mails.url, timeoutSeconds: 5, compose }) }
  const world = await newWorld()
  const owners = (await world.owner.get('/people')).body.data.length
  await useBudget(world, 4_500)
  await check()
  mails.behaviour = 'refuse recipient'
  await mailAll(services)
  assert.deepEqual([mails.arrived.length, await sendNextMails(services, alertMails)], [0, false])
  mails.behaviour = 'accept'
  await later(2 * 60_000, () => mailAll(services))
  assert.equal(mails.arrived.length, owners)
  mails.behaviour = 'cut after data'
  await useBudget(world, 5_000)
  await check()
  await mailAll(services)
  const begun = mails.begun
  await later(2 * DAY, () => mailAll(services))
  assert.equal(mails.begun, begun)
})

test('alert mail: a process that died with an email in hand loses none: it is sent when the lease is over', async () => {
  const world = await newWorld()
  await useBudget(world, 4_500)
  await check()
  // as a kill leaves it: claimed, and nothing recorded
  await db.query(sql`
    update alert_notifications set due_at = app_now() + interval '5 minutes', attempt = 1
    where workspace_id = ${world.workspace}`)
  await mailAll()
  assert.deepEqual(await mailsTo(world.owner), [])
  await later(6 * 60_000, () => mailAll())
  assert.equal((await mailsTo(world.owner)).length, 1)
})

test('alert mail: someone who is a member by the time it would be sent gets none, and the others get theirs', async () => {
  const world = await newWorld()
  const admin = await signedIn(service, world.workspace, { role: 'admin' })
  await useBudget(world, 4_500)
  await check()
  await changeRole(db, { workspace: world.workspace, user: admin.userId }, 'member')
  await mailAll()
  assert.deepEqual([(await mailsTo(admin)).length, (await mailsTo(world.owner)).length], [0, 1])
})

// In the console

test('console alerts: acknowledged by name and time, counted no more, and open until the cause is gone; of another workspace 404', async () => {
  const world = await newWorld()
  const stranger = await newWorld()
  await addEndpoint(world, { failures: 4, sinceMinutes: 90 })
  await useBudget(world, 5_000)
  await check()
  assert.deepEqual((await world.owner.get('/alerts/count')).body, { waiting: 2, critical: 1 })
  assert.deepEqual((await stranger.owner.get('/alerts/count')).body, { waiting: 0, critical: 0 })
  const [alert] = (await world.owner.get('/alerts')).body.data
  assert.deepEqual(Object.keys(alert), [
    ...[
      'id',
      'kind',
      'level',
      'title',
      'text',
      'path',
      'opened_at',
      'acknowledged_at',
      'acknowledged_by',
      'resolved_at',
    ],
  ])
  const refused = await stranger.owner.post(`/alerts/${alert!.id}/acknowledge`)
  const missing = await stranger.owner.post('/alerts/00000000-0000-4000-8000-000000000000/acknowledge')
  assert.deepEqual([refused.status, refused.body.detail.message], [404, missing.body.detail.message])
  const { status, body } = await world.owner.post(`/alerts/${alert!.id}/acknowledge`)
  assert.deepEqual([status, body.acknowledged_by], [200, 'Pia'])
  const again = await world.owner.post(`/alerts/${alert!.id}/acknowledge`)
  assert.equal(again.body.acknowledged_at, body.acknowledged_at)
  assert.equal((await world.owner.get('/alerts/count')).body.waiting, 1)
  assert.equal((await world.alerts()).length, 2)
  await check()
  const [first] = (await world.owner.get('/alerts?state=open')).body.data
  assert.deepEqual([first.id, first.acknowledged_by], [alert.id, 'Pia'])
})

test('console alerts: 403 for members, and without the CSRF token nothing changes', async () => {
  const world = await newWorld()
  const member = await signedIn(service, world.workspace, { role: 'member' })
  assert.equal((await member.get('/alerts')).status, 403)
  await useBudget(world, 4_500)
  await check()
  const [alert] = await world.alerts()
  const forged = await world.owner.post(`/alerts/${alert!.id}/acknowledge`, undefined, { 'x-csrf-token': 'no' })
  assert.equal(forged.status, 403)
  assert.equal((await world.alerts())[0]!.acknowledged_by, null)
})

test('hiring alerts list: the open alerts of a workspace, what no one has acknowledged first', async () => {
  const world = await newWorld()
  await useBudget(world, 5_000)
  await addEndpoint(world, { failures: 4, sinceMinutes: 90 })
  await check()
  const [first] = await world.alerts()
  await world.owner.post(`/alerts/${first!.id}/acknowledge`)
  const { json, text } = await runVerb(service, alertVerbs, 'alerts list', [], { workspace: world.workspace })
  const rows = json as { id: string; title: string }[]
  assert.deepEqual([rows.length, rows.at(-1)!.id], [2, first!.id])
  assert.match(text, /critical +\w+ +\S+ +wsp_\w+ \(Test workspace\) +Personal-data budget exhausted: Sync/)
  const none = await runVerb(service, alertVerbs, 'alerts list', [], { workspace: 'wsp_none' })
  assert.deepEqual([none.json, none.text], [[], 'no open alerts'])
})
