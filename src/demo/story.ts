// Who is in the demo, and how much of everything: three workspaces, of which the first shows every state there is.

import type { NewEvent } from '../kernel/feed/append.ts'
import { type Applicant, addApplicants, enrol } from './applicants.ts'
import { type Application, type Case, planApplications } from './applications.ts'
import { planErasures, planIdentities, planUnsubscribes, type Suppression, suppress } from './consent.ts'
import { tellHistory } from './events.ts'
import { ACME_JOBS, GLOBEX_JOBS, INITECH_JOBS } from './job-plans.ts'
import { planJobs } from './jobs.ts'
import { planLists } from './lists.ts'
import { assembleCast, type Cast, type Person } from './people.ts'
import { seeded } from './random.ts'
import { DAY, Draft } from './rows.ts'
import { planPool, planSourcing, type Sourced } from './sourcing.ts'
import { planMessages, planMonths, planReads, planRequests } from './usage.ts'
import { planKeys, planWorkspaces, type Workspace } from './workspaces.ts'

const POOL_SIZE = 2000
/** Of the sourced profiles of the first workspace: how many there are, and how many of them stand in the pool too. */
const SOURCED = 220
const SOURCED_IN_POOL = 70
/** Of the applicants: how many were sourced before, and how many others the pool knows. */
const APPLIED_AND_SOURCED = 24
const APPLIED_AND_IN_POOL = 20

const APPLICATIONS = 330

/** Cases that chance might leave out, by the place of the application; the last is the newest. */
const CASES: ReadonlyMap<number, Case> = new Map<number, Case>([
  [20, 'no applicant'],
  [140, 'no applicant'],
  [300, 'no applicant'],
  [30, 'unlocked'],
  [45, 'unlocked'],
  [250, 'unlocked'],
  [200, 'parse failed'],
  [310, 'parse failed'],
  [321, 'no resume'],
  [322, 'scheduled call'],
  [325, 'scheduled call'],
  [323, 'call in progress'],
  [324, 'parse pending'],
  [326, 'parse pending'],
  [327, 'parse pending'],
  [328, 'parse pending'],
  [329, 'parse running'],
])

const SUPPRESSED_DAYS_AGO = 2

export interface Story {
  draft: Draft
  workspaces: Workspace[]
  events: NewEvent[]
}

export function* tellStory(now: number, demoSecret: string): Generator<void, Story, void> {
  const draft = new Draft(now)
  const cast = assembleCast()
  const { acme, globex, initech } = planWorkspaces(draft)
  const keys = planKeys(draft, acme, globex, demoSecret)

  const pool = Array.from({ length: POOL_SIZE }, () => cast.next())
  const sourcedPeople = [...pool.slice(0, SOURCED_IN_POOL), ...people(cast, SOURCED - SOURCED_IN_POOL)]
  // Half of those who were sourced and applied are in the pool as well.
  const half = APPLIED_AND_SOURCED / 2
  const trios = sourcedPeople.slice(0, half)
  const pairs = sourcedPeople.slice(SOURCED_IN_POOL, SOURCED_IN_POOL + half)
  const acquaintances = [...trios, ...pairs, ...pool.slice(SOURCED_IN_POOL, SOURCED_IN_POOL + APPLIED_AND_IN_POOL)]

  const jobs = planJobs(draft, acme, ACME_JOBS)
  const { applications, applicants } = yield* planApplications(draft, {
    workspace: acme,
    jobs,
    cast,
    acquaintances: seeded('acquaintances').shuffled(acquaintances),
    authors: authorsOf(acme),
    ats: 'greenlake_ats',
    count: APPLICATIONS,
    spanDays: 200,
    cases: CASES,
  })
  applicants.push(...importedApplicants(draft, cast))

  const chosen = applicants.find(applicant => trios.includes(applicant.person))!
  const suppressed = { person: chosen.person, at: draft.daysAgo(SUPPRESSED_DAYS_AGO) }
  chosen.suppressedAt = suppressed.at
  chosen.updatedAt = suppressed.at
  const profiles = planSourcing(draft, {
    workspace: acme,
    people: sourcedPeople,
    spanDays: 150,
    known: new Set([...acquaintances, ...pool]),
    suppressed,
    unsubscribed: 2,
  })
  planPool(draft, pool, suppressed)
  planUnsubscribes(draft, acme.id, applicants, profiles)
  addApplicants(draft, acme.id, applicants, 'greenlake_ats')
  const links = planIdentities(draft, acme.id, applicants, profiles)
  const lists = planLists(draft, { workspace: acme, projects: ACME_PROJECTS, lists: ACME_LISTS }, profiles)

  const beside = yield* planGlobex(draft, cast, globex, suppressed)
  yield* planInitech(draft, cast, initech)

  // the oldest first, as the list of suppressions shows them
  const erasures = planErasures(draft, acme.id, [cast.next(), cast.next()])
  const suppression = suppress(
    suppressed.person,
    suppressed.at,
    subjectsOf(suppressed.person, [
      { workspace: acme, applicants, applications, profiles },
      { workspace: globex, ...beside },
    ]),
    draft,
  )

  planRequests(draft, acme.id, keys.demo)
  planMonths(draft, acme, 5_100)
  planMonths(draft, globex, 2_300)
  planMonths(draft, initech, 40)
  planReads(draft, acme.id, keys.demo, applications, profiles)
  planMessages(draft, acme.id, keys.demo, applications)

  const events = tellHistory(draft, {
    workspaceId: acme.id,
    keys,
    jobs,
    applications,
    applicants,
    profiles,
    lists,
    links,
    suppressions: [...erasures, suppression],
    poolSize: POOL_SIZE,
  })
  return { draft, workspaces: [acme, globex, initech], events }
}

/** Viewers look on; everyone else writes notes. */
const authorsOf = (workspace: Workspace): string[] =>
  workspace.users.filter(user => user.role !== 'viewer').map(user => user.id)

const people = (cast: Cast, count: number): Person[] => Array.from({ length: count }, () => cast.next())

/** People whom another system brought in and who have not applied here; of one not even an address is known. */
function importedApplicants(draft: Draft, cast: Cast): Applicant[] {
  const random = seeded('imported')
  return people(cast, 10).map((person, i) => {
    const applicant = enrol(random, person, draft.daysAgo(66 - i * 5), { imported: true })
    applicant.hasEmail = i !== 4
    applicant.updatedAt = applicant.createdAt + 2 * DAY
    return applicant
  })
}

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

type Held = { applicants: Applicant[]; applications: Application[]; profiles: Sourced[] }

function* planGlobex(
  draft: Draft,
  cast: Cast,
  workspace: Workspace,
  suppressed: { person: Person; at: number },
): Generator<void, Held, void> {
  const jobs = planJobs(draft, workspace, GLOBEX_JOBS)
  const found = [suppressed.person, ...people(cast, 19)]
  const { applications, applicants } = yield* planApplications(draft, {
    workspace,
    jobs,
    cast,
    acquaintances: found.slice(1, 4),
    authors: authorsOf(workspace),
    ats: 'talentgrid',
    count: 40,
    spanDays: 170,
  })
  const profiles = planSourcing(draft, {
    workspace,
    people: found,
    spanDays: 100,
    known: new Set(found.slice(0, 4)),
    suppressed,
    unsubscribed: 0,
  })
  addApplicants(draft, workspace.id, applicants, 'talentgrid')
  planIdentities(draft, workspace.id, applicants, profiles)
  const lists = [{ name: 'Inverter team', description: null, project: 0, members: 8, labels: [] }]
  planLists(draft, { workspace, projects: [['Power electronics', null]], lists }, profiles)
  return { applications, applicants, profiles }
}

function* planInitech(draft: Draft, cast: Cast, workspace: Workspace): Generator<void, void, void> {
  const jobs = planJobs(draft, workspace, INITECH_JOBS)
  const authors = authorsOf(workspace)
  const { applicants } = yield* planApplications(draft, {
    workspace,
    jobs,
    cast,
    acquaintances: [],
    authors,
    ats: 'paperfile',
    count: 10,
    spanDays: 65,
  })
  addApplicants(draft, workspace.id, applicants, 'paperfile')
  planIdentities(draft, workspace.id, applicants, [])
}

/** The records of a person, workspace by workspace: what partners have to delete too. */
function subjectsOf(person: Person, places: readonly (Held & { workspace: Workspace })[]): Suppression['subjects'] {
  const is = (record: { person: Person }) => record.person === person
  return new Map(
    places.map(({ workspace, applicants, applications, profiles }) => [
      workspace.id,
      [
        ...applicants.filter(is).map(({ id }) => ({ object: 'applicant', id })),
        ...applications.filter(is).map(({ id }) => ({ object: 'application', id })),
        ...profiles.filter(is).map(({ id }) => ({ object: 'sourced_profile', id })),
      ],
    ]),
  )
}
