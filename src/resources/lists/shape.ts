import {
  array,
  handleField,
  integer,
  links,
  nested,
  nullable,
  object,
  oneOf,
  type Row,
  shape,
  text,
  time,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { clearable, describeInput, trimmed, written } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'

const NO_CANDIDATE = { person: 'none', erasure: 'contains no candidate data' } as const

const projectName = trimmed(Type.String({ minLength: 1 }), { maxLength: 200, message: 'must be 1 to 200 characters' })

/** Only the product's own pages leave out what is archived; partners read it as before. */
const archivable = { ...NO_CANDIDATE, stored: { archived_at: nullable(time()) } } as const

export const projectRecord = record('projects', archivable, {
  id: handleField('project'),
  workspace_id: handleField('workspace'),
  name: field(text(), { write: projectName }),
  description: field(nullable(text()), { write: clearable.text() }),
  created_at: time(),
  updated_at: time(),
  links: links({ self: '/projects/{id}', lists: '/projects/{id}/lists' }),
})

export const projectShape = shape('project', 'A project: a folder of candidate lists.', projectRecord.fields, {
  resource: { name: 'projects', scope: 'lists:read' },
})

const listName = trimmed(
  Type.String({ minLength: 1, description: '1 to 120 characters. Leading and trailing spaces are removed.' }),
  { maxLength: 120, message: 'must be 1 to 120 characters, not counting leading and trailing spaces' },
)

const projectOfList = describeInput(
  Type.Optional(Type.Union([Type.String(), Type.Null()])),
  'Default: the oldest project of the workspace.',
)

export const listRecord = record('lists', archivable, {
  id: handleField('list'),
  workspace_id: handleField('workspace'),
  project_id: field(nullable(handleField('project')), {
    write: written(projectOfList, null as string | null, given => given),
    description: 'Null if the list is in no project.',
  }),
  name: field(text(), { write: listName }),
  description: field(nullable(text()), { write: clearable.text(500) }),
  candidate_count: integer('Number of members.'),
  created_at: time(),
  updated_at: time(),
  links: links({ self: '/lists/{id}', members: '/lists/{id}/members' }),
})

export const listShape = shape(
  'list',
  'A candidate list. Its `object` is `list`, like the envelope of every list response.',
  listRecord.fields,
  { component: 'candidate_list', resource: { name: 'lists', scope: 'lists:read' } },
)

export const listMembershipRecord = record(
  'list_memberships',
  {
    person: 'erased',
    erasure: 'the row goes with the sourced profile',
    stored: { workspace_id: field(handleField('workspace'), { person: 'none' }) },
  },
  {
    id: field(handleField('list_membership'), { person: 'none' }),
    list_id: field(handleField('list'), { person: 'none' }),
    sourced_profile_id: field(handleField('sourced_profile'), { person: 'none' }),
    stage: nullable(text('A stage key or a custom label; null if there is none.')),
    stage_updated_at: nullable(time()),
    added_at: time(),
  },
)

export const listMembershipShape = shape(
  'list_membership',
  'A sourced profile in a list, with its stage there.',
  listMembershipRecord.fields,
  { resource: { name: 'list_memberships', scope: 'lists:read' } },
)

export const MEMBER_OUTCOMES = ['added', 'already_in_list', 'not_found', 'unsupported'] as const

export const listMemberBatchShape = shape('list_member_batch', 'The result for each member in the request.', {
  list_id: handleField('list'),
  requested: field(integer(), { description: 'How many you sent; the other four counts add up to it.' }),
  added: integer(),
  already_in_list: integer(),
  not_found: field(integer(), {
    description: 'Malformed, in another workspace, or nonexistent. The response does not say which.',
  }),
  unsupported: field(integer(), { description: 'Applicants cannot be added to a list.' }),
  candidate_count: nullable(integer('The number of members after the call; null if nothing was added.')),
  results: field(
    array(
      object({
        index: integer('Position in the request, from 0.'),
        status: oneOf(MEMBER_OUTCOMES),
        // repeated as sent, so any text is possible
        sourced_profile_id: nullable(text()),
        applicant_id: nullable(text()),
        membership: nullable(nested(listMembershipShape)),
      }),
    ),
    { description: 'One entry for each item, in the order sent.' },
  ),
})

export type ProjectRow = Row<typeof projectShape>
export type ListRow = Row<typeof listShape>
export type MembershipRow = Row<typeof listMembershipShape>
export type MemberBatchRow = Row<typeof listMemberBatchShape>
