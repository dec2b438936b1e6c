import { API_LIMITS } from '../../contract/limits.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { describedAsOneOf, withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { Relations } from '../../kernel/http/include.ts'
import { BY_UPDATED, type Order } from '../../kernel/http/list.ts'
import { type Call, created, type Route, readOne, readPage, writeOne } from '../../kernel/http/route.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { addMembers, createList, type ListActor, setMemberStage } from './actions.ts'
import { newListInput } from './fields.ts'
import { MAX_STAGE_LENGTH, memberFaults, NO_STAGE, STAGE_KEYS } from './rules.ts'
import { listMemberBatchShape, listMembershipShape, listShape, projectShape } from './shape.ts'
import {
  allLists,
  listableProfileExists,
  listById,
  listMembers,
  projectById,
  projects,
  selectMemberships,
} from './store.ts'

const group = 'Projects and lists'

/** Oldest first: a client that pages while members are added misses none. */
const BY_ADDED: Order = { by: 'added_at', tiebreaker: 'id', direction: 'asc' }

const STAGE_WORDS = `${[...STAGE_KEYS, NO_STAGE].map(key => `\`${key}\``).join(', ')}, or a label that a member of the list already has. At most ${MAX_STAGE_LENGTH} characters; other values return \`invalid_stage\`.`

// biome-ignore lint/suspicious/noExplicitAny: any call of a write
const actorOf = ({ workspace, caller }: Call<any, any, any>): ListActor => ({
  workspace,
  originKeyId: caller.originKeyId,
})

/** `members`: relations of list members to what slices above this one have. */
export const listRoutes = (members: Relations<Row<typeof listMembershipShape>>): readonly Route[] => [
  readPage({
    path: '/projects',
    operationId: 'listProjects',
    limited: 'closed',
    summary: 'List projects',
    description: 'Most recently updated first.',
    group,
    scope: 'lists:read',
    shape: projectShape,
    order: BY_UPDATED,
    handler: ({ db, workspace, page }) => db.query(projects(workspace, page)),
  }),
  readOne({
    path: '/projects/{project_handle}',
    operationId: 'getProject',
    limited: 'closed',
    summary: 'Get a project',
    group,
    scope: 'lists:read',
    params: { project_handle: 'project' },
    shape: projectShape,
    handler: ({ db, workspace, params }) => db.one(projectById(workspace, params.project_handle)),
  }),
  readPage({
    path: '/projects/{project_handle}/lists',
    operationId: 'listProjectLists',
    limited: 'closed',
    summary: 'List the candidate lists of a project',
    description: 'Most recently updated first.',
    group,
    scope: 'lists:read',
    params: { project_handle: 'project' },
    shape: listShape,
    order: BY_UPDATED,
    handler: async ({ db, workspace, params, page }) => {
      const [project, rows] = await Promise.all([
        db.one(projectById(workspace, params.project_handle)),
        db.query(allLists(workspace, page, params.project_handle)),
      ])
      return project ? rows : fail('not_found')
    },
  }),
  readPage({
    path: '/lists',
    operationId: 'listCandidateLists',
    limited: 'closed',
    summary: 'List candidate lists',
    description: 'All lists, including those without a project, most recently updated first.',
    group,
    scope: 'lists:read',
    shape: listShape,
    order: BY_UPDATED,
    handler: ({ db, workspace, page }) => db.query(allLists(workspace, page)),
  }),
  readOne({
    path: '/lists/{list_handle}',
    operationId: 'getCandidateList',
    limited: 'closed',
    summary: 'Get a candidate list',
    group,
    scope: 'lists:read',
    params: { list_handle: 'list' },
    shape: listShape,
    handler: ({ db, workspace, params }) => db.one(listById(workspace, params.list_handle)),
  }),
  readPage({
    path: '/lists/{list_handle}/members',
    operationId: 'listCandidateListMembers',
    limited: 'closed',
    summary: 'List the members of a candidate list',
    description: 'In the order they were added.',
    group,
    scope: 'lists:read',
    params: { list_handle: 'list' },
    shape: listMembershipShape,
    include: members,
    order: BY_ADDED,
    handler: async ({ db, workspace, params, page }) => {
      const [list, rows] = await Promise.all([
        db.one(listById(workspace, params.list_handle)),
        db.query(listMembers(workspace, params.list_handle, page)),
      ])
      return list ? rows : fail('not_found')
    },
  }),
  readPage({
    path: '/sourced-profiles/{profile_handle}/list-memberships',
    operationId: 'listSourcedProfileMemberships',
    limited: 'closed',
    summary: 'List the candidate lists of a sourced profile',
    description: 'In the order it was added to them.',
    group: 'Sourced profiles',
    scope: 'lists:read',
    params: { profile_handle: 'sourced_profile' },
    shape: listMembershipShape,
    order: BY_ADDED,
    handler: async ({ db, workspace, params, page }) => {
      const [profile, rows] = await Promise.all([
        db.one(listableProfileExists(workspace, params.profile_handle)),
        db.query(selectMemberships(workspace, params.profile_handle, page)),
      ])
      return profile ? rows : fail('not_found')
    },
  }),
  writeOne({
    path: '/lists',
    operationId: 'createCandidateList',
    limited: 'closed',
    tool: { effect: 'creates' },
    summary: 'Create a candidate list',
    description: 'It is in the oldest project by default. Names do not have to be unique.',
    group,
    scope: 'lists:write',
    status: 201,
    shape: listShape,
    body: newListInput,
    handler: async call => created(await createList(call.tx, actorOf(call), call.body)),
  }),
  writeOne({
    path: '/lists/{list_handle}/members',
    operationId: 'addCandidateListMembers',
    limited: 'closed',
    tool: { effect: 'changes' },
    summary: 'Add members to a candidate list',
    description: 'Members are sourced profiles. The call always succeeds; each item has its own status.',
    group,
    scope: 'lists:write',
    params: { list_handle: 'list' },
    shape: listMemberBatchShape,
    body: withRules(
      Type.Object(
        {
          members: describeInput(
            Type.Array(
              describedAsOneOf(
                Type.Object(
                  { sourced_profile_id: Type.Optional(Type.String()), applicant_id: Type.Optional(Type.String()) },
                  closed,
                ),
                'list_member',
                { sourced_profile_id: 'sourced_profile_member', applicant_id: 'applicant_member' },
              ),
              { minItems: 1, maxItems: API_LIMITS.listMembersPerCall },
            ),
            'Each with exactly one of `sourced_profile_id` or `applicant_id`.',
          ),
        },
        closed,
      ),
      memberFaults,
    ),
    handler: call => addMembers(call.tx, actorOf(call), call.params.list_handle, call.body.members),
  }),
  writeOne({
    path: '/lists/{list_handle}/members/{member_handle}/stage',
    operationId: 'setCandidateListMemberStage',
    limited: 'closed',
    tool: { effect: 'changes' },
    summary: 'Set the stage of a list member',
    description: 'A stage key, `none`, or a custom label that the list already uses.',
    group,
    scope: 'lists:write',
    params: { list_handle: 'list', member_handle: 'list_membership' },
    shape: listMembershipShape,
    errors: ['invalid_stage', 'applicant_suppressed'],
    body: Type.Object(
      {
        stage: describeInput(
          Type.String({
            description: `1 to ${MAX_STAGE_LENGTH} characters. Other values return invalid_stage; the message lists the valid ones.`,
          }),
          STAGE_WORDS,
        ),
      },
      closed,
    ),
    handler: call =>
      setMemberStage(call.tx, actorOf(call), call.params.list_handle, call.params.member_handle, call.body.stage),
  }),
]
