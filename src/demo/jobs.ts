import { newHandle } from '../kernel/ids/handles.ts'
import { type Form, formRows, questionRows } from './forms.ts'
import type { JobPlan } from './job-plans.ts'
import { EXPERIENCE, type Occupation, occupationNamed } from './occupations.ts'
import { plain } from './people.ts'
import { seeded } from './random.ts'
import { DAY, type Draft, iso, isoOrNull, type Row } from './rows.ts'

export interface Stage {
  id: string
  name: string
  type: string
  final: boolean
}

export interface Job {
  id: string
  plan: JobPlan
  occupation: Occupation
  stages: Stage[]
  form: Form
  publishedAt: number | null
  updatedAt: number
  required: readonly string[]
  preferred: readonly string[]
  hasVoiceScreening: boolean
}

type StageKind = readonly [name: string, type: string, final?: true]

const DEFAULT_STAGES: readonly StageKind[] = [
  ['Applied', 'applied'],
  ['Screen', 'screen'],
  ['Interview', 'interview'],
  ['Offer', 'offer'],
  ['Hired', 'hired', true],
  ['Rejected', 'rejected', true],
]

const LONG_STAGES: readonly StageKind[] = [
  ['Applied', 'applied'],
  ['Screen', 'screen'],
  ['Take-home task', 'assessment'],
  ['Interview', 'interview'],
  ['Day in the robot lab', 'custom'],
  ['References', 'custom'],
  ['Offer', 'offer'],
  ['Hired', 'hired', true],
  ['Rejected', 'rejected', true],
]

const ABOUT_US =
  'You will work with people who build, test and run the product together.\n\n' +
  '- Small teams\n- Short decisions\n- Time to learn\n'

const BENEFITS = ['Health insurance', '30 days of holiday', 'Learning budget', 'Parental leave', 'Lunch on site']

/** The jobs of a workspace with stages, forms and questions. */
export function planJobs(draft: Draft, workspace: { id: string; name: string }, plans: readonly JobPlan[]): Job[] {
  const random = seeded(`${workspace.name} jobs`)
  draft.add('form_fields', ...formRows(workspace.id, null, 'template', draft.now))
  const codes = new Set<string>()
  // Callers type the code, so no two jobs of a workspace share one.
  const dialInCode = (): string => {
    const code = String(random.int(100_000, 999_999))
    return codes.size < codes.add(code).size ? code : dialInCode()
  }
  return plans.map(plan => {
    const created = draft.daysAgo(plan.created)
    const id = newHandle('job', created)
    const occupation = occupationNamed(plan.occupation)
    const skills = random.shuffled(occupation.skills)
    const job: Job = {
      id,
      plan,
      occupation,
      stages: (plan.stages === 'long' ? LONG_STAGES : DEFAULT_STAGES).map(([name, type, final]) => ({
        id: newHandle('pipeline_stage', created),
        name,
        type,
        final: final ?? false,
      })),
      form: plan.form ?? 'template',
      publishedAt: plan.published === null ? null : draft.daysAgo(plan.published),
      updatedAt: draft.daysAgo(plan.updated),
      required: skills.slice(0, 4),
      preferred: skills.slice(4, 7),
      hasVoiceScreening: plan.voiceScreening !== false && plan.published !== null,
    }
    draft.add('jobs', {
      workspace_id: workspace.id,
      id,
      slug: `${plain(plan.title)}-${random.letters(4)}`,
      ...content(job, workspace.name),
      ...origin(plan, workspace.name),
      dial_in_code: job.hasVoiceScreening ? dialInCode() : null,
      benefits: plan.unwritten ? [] : random.sample(BENEFITS, 3),
      // A job that was taken back is a draft again; when it had been public no longer shows.
      published_at: plan.status === 'draft' ? null : isoOrNull(job.publishedAt),
      close_at: plan.closesIn === undefined ? null : iso(draft.now + plan.closesIn * DAY),
      created_at: iso(created),
      updated_at: iso(job.updatedAt),
    })
    for (const [i, stage] of job.stages.entries()) {
      draft.add('pipeline_stages', {
        workspace_id: workspace.id,
        id: stage.id,
        job_id: id,
        name: stage.name,
        position: i + 1,
        type: stage.type,
        is_terminal: stage.final,
      })
    }
    if (plan.form) draft.add('form_fields', ...formRows(workspace.id, id, plan.form, draft.now))
    if (job.hasVoiceScreening)
      draft.add('prescreen_questions', ...questionRows(random, workspace.id, id, job.required.concat(job.preferred)))
    return job
  })
}

function content({ plan, occupation, form, required, preferred }: Job, company: string): Row {
  const years = plan.level === null ? null : EXPERIENCE[plan.level]
  const summary = `Join ${company} as ${plan.title}: ${lowerFirst(occupation.duties[0]!)}.`
  return {
    status: plan.status,
    title: plan.title,
    department: plan.unwritten ? null : occupation.department,
    team: plan.team,
    employment_type: plan.employment,
    location_type: plan.location,
    locations: plan.places,
    experience_level: plan.level,
    years_min: years?.[0] ?? null,
    years_max: years?.[1] ?? null,
    salary_min: plan.pay?.min ?? null,
    salary_max: plan.pay?.max ?? null,
    salary_currency: plan.pay?.currency ?? null,
    salary_interval: plan.pay?.interval ?? null,
    salary_equity: plan.pay?.equity ?? null,
    salary_commission: plan.pay === null ? null : (plan.pay.commission ?? false),
    accept_applications: plan.acceptsApplications ?? true,
    external_apply_url: plan.externalApplyUrl ?? null,
    summary: plan.unwritten ? null : summary,
    description_md: plan.unwritten ? null : `## About the role\n\n${summary}\n\n${ABOUT_US}`,
    responsibilities: plan.unwritten ? [] : occupation.duties,
    requirements: plan.unwritten
      ? []
      : [`Experience with ${required[0]} and ${required[1]}`, 'Clear writing in English'],
    nice_to_have: plan.unwritten ? [] : [`Some knowledge of ${preferred[0]}`],
    skills_required: plan.unwritten ? [] : required,
    skills_preferred: plan.unwritten ? [] : preferred,
    form_is_template: form === 'template',
  }
}

function origin(plan: JobPlan, company: string): Row {
  const [system, externalId] = plan.pushed ?? ['tahoe_native', null]
  const site = `https://careers.${plain(company)}.example`
  return {
    source_system: system,
    source_external_id: externalId,
    source_company_name: plan.pushed ? company : null,
    source_company_logo_url: plan.pushed ? `${site}/logo.png` : null,
    source_canonical_url: plan.pushed ? `${site}/jobs/${plain(plan.title)}` : null,
    pushed: plan.pushed !== undefined,
  }
}

const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1)

export const firstStage = (job: Job): Stage => job.stages[0]!
