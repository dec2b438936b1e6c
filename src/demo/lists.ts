import { newHandle } from '../kernel/ids/handles.ts'
import { seeded } from './random.ts'
import { DAY, type Draft, iso, isoOrNull } from './rows.ts'
import type { Sourced } from './sourcing.ts'

export interface ListPlan {
  name: string
  description: string | null
  project: number | null
  members: number
  /** labels of the list's own, besides the usual keys */
  labels: readonly string[]
}

export interface ListsPlan {
  workspace: { id: string; name: string }
  projects: readonly (readonly [name: string, description: string | null])[]
  lists: readonly ListPlan[]
}

export interface Membership {
  id: string
  profile: Sourced
  stage: string | null
  previousStage: string | null
  stageAt: number | null
  addedAt: number
}

export interface List {
  id: string
  projectId: string | null
  createdAt: number
  updatedAt: number
  memberships: Membership[]
}

const STAGES = ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired']

export function planLists(draft: Draft, plan: ListsPlan, profiles: readonly Sourced[]): List[] {
  const random = seeded(`${plan.workspace.name} lists`)
  const projects = plan.projects.map(([name, description], i) => {
    const at = draft.daysAgo(140 - i * 30)
    return { id: newHandle('project', at), name, description, at }
  })
  const lists = plan.lists.map((entry, i): List => {
    const createdAt = draft.daysAgo(75 - i * 12)
    const choices = [null, ...STAGES, ...entry.labels]
    const memberships = random.sample(profiles, entry.members).map((profile, j): Membership => {
      const addedAt = Math.max(createdAt, profile.createdAt, draft.daysAgo(random.between(0.1, 60)))
      // Each stage at least once where the list is long enough, then by chance.
      const stage = j < choices.length ? choices[j]! : random.pick(choices)
      // A stage that was cleared leaves its time behind.
      const touched = stage !== null || random.chance(0.3)
      const stageAt = touched ? Math.min(addedAt + Math.floor(random.between(0.1, 9) * DAY), draft.now) : null
      const previousStage = stage === null && touched ? 'pending' : null
      return { id: newHandle('list_membership', addedAt), profile, stage, previousStage, stageAt, addedAt }
    })
    const updatedAt = Math.max(createdAt, ...memberships.map(member => Math.max(member.addedAt, member.stageAt ?? 0)))
    const projectId = entry.project === null ? null : projects[entry.project]!.id
    return { id: newHandle('list', createdAt), projectId, createdAt, updatedAt, memberships }
  })
  for (const [i, list] of lists.entries()) {
    const { name, description } = plan.lists[i]!
    draft.add('lists', {
      workspace_id: plan.workspace.id,
      id: list.id,
      project_id: list.projectId,
      name,
      description,
      candidate_count: list.memberships.length,
      created_at: iso(list.createdAt),
      updated_at: iso(list.updatedAt),
    })
    for (const member of list.memberships) {
      draft.add('list_memberships', {
        workspace_id: plan.workspace.id,
        id: member.id,
        list_id: list.id,
        sourced_profile_id: member.profile.id,
        stage: member.stage,
        stage_updated_at: isoOrNull(member.stageAt),
        added_at: iso(member.addedAt),
      })
    }
  }
  for (const { id, name, description, at } of projects) {
    const created = lists.filter(list => list.projectId === id).map(list => list.createdAt)
    draft.add('projects', {
      workspace_id: plan.workspace.id,
      id,
      name,
      description,
      created_at: iso(at),
      updated_at: iso(Math.max(at, ...created)),
    })
  }
  return lists
}
