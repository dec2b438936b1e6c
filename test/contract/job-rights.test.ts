import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import {
  ALL_JOB_RIGHTS,
  combineRoles,
  isNarrowed,
  JOB_ROLES,
  type JobPerson,
  type JobRole,
  rightsEverywhere,
  rightsInJob,
} from '../../src/contract/job-rights.ts'
import { ROLE_SCOPES, ROLES } from '../../src/contract/scopes.ts'
import { isForPeople } from '../../src/hiring/api-routes.ts'
import { endpoints, teamRoutes } from '../../src/hiring/routes.ts'
import type { NeededRight } from '../../src/kernel/access/reach.ts'

const JOB = 'job_1'

const person = (role: JobPerson['role'], jobRole?: JobRole, limited = false): JobPerson => ({
  role,
  jobAccess: limited ? 'team' : 'all',
  jobRoles: new Map(jobRole ? [[JOB, jobRole]] : []),
})

const missing = (rights: ReadonlySet<string>) => [...ALL_JOB_RIGHTS].filter(right => !rights.has(right))

test('rights in a job: recruiters have all, hiring managers do not hire or set up, interviewers see and give feedback', () => {
  assert.deepEqual(missing(combineRoles('member', 'recruiter')), [])
  assert.deepEqual(missing(combineRoles('member', 'hiring_manager')), ['hire', 'setup'])
  assert.deepEqual([...combineRoles('member', 'interviewer')], ['see', 'feedback'])
})

test('rights in a job: the smaller role wins: viewers decide nothing, owners and admins have all on every team', () => {
  for (const jobRole of JOB_ROLES) {
    for (const role of ['owner', 'admin'] as const) assert.deepEqual(missing(combineRoles(role, jobRole)), [])
    for (const right of combineRoles('viewer', jobRole)) assert.ok(combineRoles('member', jobRole).has(right))
  }
  assert.deepEqual([...combineRoles('viewer', 'recruiter')], ['see', 'browse', 'read_setup'])
  assert.deepEqual([...combineRoles('viewer', 'interviewer')], ['see'])
})

test('rights in a job: on no team, a member with all jobs is a recruiter and a limited one has nothing', () => {
  assert.deepEqual(missing(rightsInJob(person('member'), JOB)), [])
  assert.equal(rightsInJob(person('member', undefined, true), JOB).size, 0)
  assert.equal(rightsInJob(person('admin', 'interviewer', true), JOB).size, ALL_JOB_RIGHTS.size)
  assert.deepEqual([...rightsInJob(person('member', 'interviewer'), JOB)], ['see', 'feedback'])
  assert.deepEqual(missing(rightsInJob(person('member', 'interviewer'), 'job_2')), [])
})

test('rights in a job: where a call names no job, what the person may do in all of theirs', () => {
  assert.deepEqual(missing(rightsEverywhere(person('member', 'hiring_manager'))), ['hire', 'setup'])
  for (const role of ROLES) {
    assert.equal(isNarrowed(person(role)), false)
    assert.equal(isNarrowed(person(role, 'recruiter')), false)
    assert.equal(isNarrowed(person(role, 'interviewer')), role === 'member' || role === 'viewer')
  }
})

test('rights in a job: no call that the scopes of a viewer allow needs a right that viewers do not have', () => {
  const viewer = combineRoles('viewer', 'recruiter')
  const isRefused = (needed: NeededRight | undefined) =>
    typeof needed === 'object' ? needed.among.some(right => !viewer.has(right)) : needed && !viewer.has(needed)
  const ofApi = [...routes, ...teamRoutes].filter(isForPeople).map(({ path, access, jobRight }) => {
    const scope = typeof access === 'string' ? undefined : access.scope
    return { path: `/v1${path}`, scope, roles: undefined, jobRight }
  })
  const wrong = [...ofApi, ...endpoints].filter(
    ({ scope, roles, jobRight }) =>
      (scope === undefined || ROLE_SCOPES.viewer.includes(scope)) &&
      (roles?.includes('viewer') ?? true) &&
      isRefused(jobRight),
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})
