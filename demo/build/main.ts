/**
 * Makes the demo's data: plays what happened in three companies through the product's own actions and interface, with a
 * clock that is moved, into an empty store, and writes its rows and files to `demo/data.br`. Run it with
 * `npm run demo:build` after a change of the schema, of the rules or of what the demo shows.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { Authenticator } from '../../src/kernel/access/authenticate.ts'
import { KeyLease } from '../../src/kernel/access/key-cache.ts'
import { WorkspaceSelector } from '../../src/kernel/access/workspace.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { startService } from '../../src/main.ts'
import { rescoreNext } from '../../src/resources/applications/index.ts'
import { closeDueJobs, emitTemplateForms } from '../../src/resources/jobs/index.ts'
import { createKey } from '../../src/resources/keys/index.ts'
import { ageResumeAccess } from '../../src/resources/resumes/index.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { OPERATIONS } from '../activity/operations.ts'
import { Scene } from '../activity/scene.ts'
import { DATA_FILE } from '../data.ts'
import { createPeople, type Person } from '../people.ts'
import { seeded } from '../random.ts'
import { startReceiver } from '../receiver.ts'
import { planApplications } from './applications.ts'
import { planCareers } from './careers.ts'
import { planChecks } from './checks.ts'
import { planErasures } from './data-subjects.ts'
import { dump } from './dump.ts'
import { ACME_JOBS, GLOBEX_JOBS, INITECH_JOBS } from './job-plans.ts'
import { planJobs } from './jobs.ts'
import { acceptMail, callerWith, MAILABLE_DOMAIN, planMessages, planRequests } from './partner.ts'
import { DAY, daysAgo, END, MINUTE, Replay } from './replay.ts'
import { planLists, planPool, planProfiles } from './sourcing.ts'
import { planTeam } from './team.ts'
import { outcomeInReplay, planWebhooks, resolveInReplay, settleEvents } from './webhooks.ts'
import { createKeys, createWorkspaces } from './workspaces.ts'

const POOL_SIZE = 2000
/** The first workspace has so many sourced profiles, and so many of them are in the pool too. */
const SOURCED = 220
const SOURCED_IN_POOL = 70
/** So many applicants were sourced before, and the pool knows so many others. */
const APPLIED_AND_SOURCED = 24
const APPLIED_AND_IN_POOL = 20

const ACME_PROJECTS = [
  ['Autonomy hiring', 'Everyone for the next robot generation.'],
  ['Field operations', null],
  ['University programme', 'Interns and graduates.'],
] as const

const ACME_LISTS = [
  {
    name: 'Senior robotics, Europe',
    description: 'People who would move to Zurich.',
    project: 0,
    members: 40,
    labels: ['Warm intro'],
  },
  { name: 'Perception leads', description: null, project: 0, members: 25, labels: [] },
  { name: 'Field technicians', description: 'Austin and Seattle.', project: 1, members: 15, labels: ['Needs visa'] },
  { name: 'Conference contacts', description: 'Met in spring.', project: null, members: 20, labels: [] },
  { name: 'Next summer', description: null, project: null, members: 0, labels: [] },
] as const

/** Another file to compare it with the one that is there. */
const file = process.argv[2] ?? DATA_FILE
const dataDir = mkdtempSync(join(tmpdir(), 'hiring-demo-build-'))
const receiver = await startReceiver(path => outcomeInReplay(path, Date.now()))
const config = readConfig({
  PORT: '0',
  DATA_DIR: dataDir,
  DEMO: 'off',
  ROLES: 'api',
  LOG_LEVEL: 'error',
  // counts by the clock of the replay
  LIMITER: 'postgres',
})
const service = await startService(config, { resolveName: async host => resolveInReplay(host, Date.now()) })
service.services.ownReceiver = receiver
// read for each request, together with the time of the replay: a lease that is never renewed caches nothing
service.services.authenticator = new Authenticator(service.services.db, new KeyLease())
service.services.workspaces = new WorkspaceSelector(service.services.db, new KeyLease())
const replay = new Replay(service.services)

try {
  await replay.freeze()
  const companies = await createWorkspaces(replay)
  const { acme, globex, initech } = companies
  const keys = await createKeys(replay, companies)
  const partners = await Promise.all(
    [globex, initech].map(({ id, users }) =>
      createKey(replay.db, { workspace: id, scopes: 'all', name: 'Sync', userEmail: users[0]!.email }),
    ),
  )
  const call = callerWith(replay, keys.demo.secret)
  const mails = acceptMail(replay)

  const people = createPeople()
  const some = (count: number): Person[] => Array.from({ length: count }, () => people.next())
  const pool = some(POOL_SIZE)
  const sourced = [...pool.slice(0, SOURCED_IN_POOL), ...some(SOURCED - SOURCED_IN_POOL)]
  const half = APPLIED_AND_SOURCED / 2
  const everywhere = sourced.slice(0, half)
  const acquaintances = seeded('acquaintances').shuffled([
    ...everywhere,
    ...sourced.slice(SOURCED_IN_POOL, SOURCED_IN_POOL + half),
    ...pool.slice(SOURCED_IN_POOL, SOURCED_IN_POOL + APPLIED_AND_IN_POOL),
  ])

  planCareers(replay, companies)
  const jobs = planJobs(replay, acme, ACME_JOBS, keys.sync.id)
  planTeam(replay, acme, jobs)
  planChecks(replay, acme, keys, jobs)
  const count = 340
  const applications = planApplications(replay, {
    workspace: acme,
    jobs,
    people: mailableNow(people),
    acquaintances,
    syncKeyId: keys.sync.id,
    ats: 'greenlake_ats',
    count,
    spanDays: 200,
    cases: {
      30: 'unlocked',
      45: 'unlocked',
      [count - 20]: 'unreadable',
      [count - 10]: 'no résumé',
      [count - 9]: 'scheduled call',
      [count - 8]: 'call in progress',
      [count - 5]: 'stopped before parsing',
      [count - 4]: 'stopped during parsing',
      [count - 3]: 'stopped before parsing',
    },
  })
  const profiles = planProfiles(replay, acme, sourced, 150)
  planPool(replay, pool)
  planLists(replay, acme, ACME_PROJECTS, ACME_LISTS, profiles, keys.demo.id)

  const inGlobex = [...everywhere.slice(0, 4), ...some(16)]
  planApplications(replay, {
    workspace: globex,
    jobs: planJobs(replay, globex, GLOBEX_JOBS, partners[0]!.id),
    people,
    acquaintances: inGlobex.slice(4, 7),
    syncKeyId: partners[0]!.id,
    ats: 'talentgrid',
    count: 40,
    spanDays: 170,
  })
  const globexProfiles = planProfiles(replay, globex, inGlobex, 100)
  const globexLists = [{ name: 'Inverter team', description: null, project: 0, members: 8, labels: [] }]
  planLists(replay, globex, [['Power electronics', null]], globexLists, globexProfiles, null)
  planApplications(replay, {
    workspace: initech,
    jobs: planJobs(replay, initech, INITECH_JOBS, partners[1]!.id),
    people,
    acquaintances: [],
    syncKeyId: partners[1]!.id,
    ats: 'paperfile',
    count: 10,
    spanDays: 65,
  })

  const lab = callerWith(replay, keys.lab.secret)
  planRequests(replay, call, lab, applications)
  planMessages(replay, call, applications)
  planWebhooks(replay, {
    demo: call,
    lab,
    revoked: { id: keys.agency.id, call: callerWith(replay, keys.agency.secret) },
  })
  planErasures(
    replay,
    {
      erased: [sourced[110]!, sourced[130]!],
      unconfirmed: sourced[150]!,
      stopped: everywhere[0]!,
      pending: everywhere[1]!,
    },
    companies,
    call,
  )
  planEveryOperation()
  planUpkeep()
  await replay.run()
  await settleEvents(replay)
  await replay.services.requestLog.flush()
  await pruneOnce(replay.db)
  const bytes = await dump(replay, [[MAILABLE_DOMAIN, 'mailbox.example']], mails)
  writeFileSync(file, bytes)
  console.log(`wrote ${file}: ${bytes.length} bytes`)

  /** Each operation of `hiring trigger` twice in the last weeks: every type of event has been emitted by the product. */
  function planEveryOperation(): void {
    const { db, blobs, outbox, log } = replay.services
    const random = seeded('operations')
    const scene = new Scene({ db, blobs, outbox, log, workspace: acme.id, isDemo: true, random, subject: 'operations' })
    for (const [i, type] of EVENT_TYPES.entries())
      for (const days of [22, 11])
        replay.plan(daysAgo(days - (i * 9) / EVENT_TYPES.length), () => OPERATIONS[type].run(scene))
  }

  /** What the loops of a running service do, once a day. */
  function planUpkeep(): void {
    for (let at = daysAgo(230); at <= END; at += DAY)
      replay.plan(at - 5 * MINUTE, async () => {
        await replay.change(tx => closeDueJobs(tx, 100))
        while (await replay.change(tx => emitTemplateForms(tx)));
        await ageResumeAccess(replay.db)
        while (await rescoreNext(replay.db));
        await settleEvents(replay)
      })
  }
} finally {
  await service.stop()
  await receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Every eighth newcomer can be mailed. */
function mailableNow(people: ReturnType<typeof createPeople>): ReturnType<typeof createPeople> {
  let made = 0
  return {
    next(wanted) {
      const person = people.next(wanted)
      if (++made % 8 !== 0) return person
      return { ...person, email: person.email.replace(/@.*/, `@${MAILABLE_DOMAIN}`) }
    },
  }
}
