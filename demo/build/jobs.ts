import {
  createJob,
  editJob,
  moveJob,
  pushJob,
  setForm,
  setQuestions,
  setStages,
  setTemplateForm,
} from '../../src/resources/jobs/index.ts'
import { EXPERIENCE, type Occupation, occupationNamed } from '../occupations.ts'
import { plain } from '../people.ts'
import { seeded } from '../random.ts'
import { EVERYTHING, EVERYTHING_AT_FIRST, QUESTIONS, questionsAbout, TEMPLATE } from './forms.ts'
import type { JobPlan } from './job-plans.ts'
import { DAY, daysAgo, HOUR, iso, MINUTE, type Replay } from './replay.ts'
import type { Workspace } from './workspaces.ts'

/** A job of the demo; `id` is empty until it was created. */
export interface DemoJob {
  id: string
  plan: JobPlan
  occupation: Occupation
  hasVoiceScreening: boolean
}

const LONG_STAGES = [
  { name: 'Applied', type: 'applied' },
  { name: 'Screen', type: 'screen' },
  { name: 'Take-home task', type: 'assessment' },
  { name: 'Interview', type: 'interview' },
  { name: 'Day in the robot lab', type: 'custom' },
  { name: 'References', type: 'custom' },
  { name: 'Offer', type: 'offer' },
  { name: 'Hired', type: 'hired' },
  { name: 'Rejected', type: 'rejected' },
] as const

const aboutRole = (plan: JobPlan, { department, duties }: Occupation, summary: string): string => `## About the role

${summary} You join the ${plan.team ?? department} team${plan.places.length > 0 ? ` in ${plan.places.join(' or ')}` : ''}, which builds, tests and runs what it makes.

${duties
  .slice(1)
  .map(duty => `${duty}. `)
  .join('')}You decide with the team what comes next, and see it in use a few weeks later.

## How we work

- **Small teams.** Four to eight people with one goal at a time.
- **Short decisions.** Who does the work decides how it is done.
- **Time to learn.** One day in ten is for what you want to understand better.

## Your first months

1. You meet everyone you will work with, and spend a day where our product is used.
2. You finish something small, with a colleague at your side.
3. After three months you own a part of the product.
`

const BENEFITS = ['Health insurance', '30 days of holiday', 'Learning budget', 'Parental leave', 'Lunch on site']
const FIELD_RETIRED_DAYS_AGO = 70

/** Plans the lives of a workspace's jobs: written or pushed, published, edited, closed, opened again. */
export function planJobs(
  replay: Replay,
  workspace: Workspace,
  plans: readonly JobPlan[],
  syncKeyId: string | null,
): DemoJob[] {
  const random = seeded(`${workspace.name} jobs`)
  const first = Math.max(...plans.map(plan => plan.created))
  replay.plan(daysAgo(first) - HOUR, () => replay.change(tx => setTemplateForm(tx, workspace.id, TEMPLATE)))
  return plans.map(plan => {
    const occupation = occupationNamed(plan.occupation)
    const skills = random.shuffled(occupation.skills)
    const benefits = random.sample(BENEFITS, 3)
    const questions = random.weighted([
      [5, 2],
      [3, 2],
      [0, 1],
    ] as const)
    const hasVoiceScreening = plan.voiceScreening !== false && plan.published !== null
    const job: DemoJob = { id: '', plan, occupation, hasVoiceScreening }
    const originKeyId = plan.pushed ? syncKeyId : null
    const input = describe(plan, occupation, skills, benefits, workspace.name)
    const move = (at: number, name: 'publish' | 'unpublish' | 'close' | 'reopen') =>
      replay.plan(at, () => replay.change(tx => moveJob(tx, workspace.id, job.id, name, { by: originKeyId })))

    replay.plan(daysAgo(plan.created), async () => {
      job.id = await replay.change(async tx => {
        if (!plan.pushed) return createJob(tx, workspace.id, input)
        const [system, external_id] = plan.pushed
        const site = `https://careers.${plain(workspace.name)}.example`
        const source = {
          system,
          external_id,
          company_name: workspace.name,
          company_logo_url: `${site}/logo.png`,
          canonical_url: `${site}/jobs/${plain(plan.title)}`,
        }
        return (await pushJob(tx, workspace.id, { ...input, source }, syncKeyId!)).id
      })
    })
    replay.plan(daysAgo(plan.created) + HOUR, () =>
      replay.change(async tx => {
        const { externalApplyUrl: external_apply_url, closesIn } = plan
        const close_at = closesIn === undefined ? undefined : iso(daysAgo(-closesIn))
        if (external_apply_url !== undefined || close_at !== undefined)
          await editJob(tx, workspace.id, job.id, {
            ...(external_apply_url === undefined ? {} : { external_apply_url }),
            ...(close_at === undefined ? {} : { close_at }),
          })
        if (plan.stages === 'long') await setStages(tx, workspace.id, job.id, LONG_STAGES)
        if (plan.form)
          await setForm(tx, workspace.id, job.id, plan.form === 'questions' ? QUESTIONS : EVERYTHING_AT_FIRST)
        if (hasVoiceScreening)
          await setQuestions(tx, workspace.id, job.id, questionsAbout(skills).slice(0, 3 + questions))
      }),
    )
    if (plan.form === 'everything')
      replay.plan(daysAgo(FIELD_RETIRED_DAYS_AGO), () =>
        replay.change(async tx => setForm(tx, workspace.id, job.id, await EVERYTHING(tx, workspace.id, job.id))),
      )
    if (plan.published !== null) move(daysAgo(plan.published), 'publish')
    const last = daysAgo(plan.updated)
    if (plan.status === 'closed') {
      if (plan.closesIn === undefined) move(last, 'close') // the others are closed by their date
    } else if (plan.status === 'draft') {
      if (plan.published !== null) move(last, 'unpublish')
    } else if (plan.occupation === 'data') {
      // closed too early, and opened again
      move(last - DAY, 'close')
      move(last, 'reopen')
    } else if (!plan.form && !plan.stages) {
      const { min, max } = plan.pay ?? { min: null, max: null }
      const edit =
        max === null ? { team: plan.team ?? 'Operations' } : { compensation: { salary_min: min, salary_max: max } }
      replay.plan(last + MINUTE, () =>
        replay.change(tx => editJob(tx, workspace.id, job.id, edit, { by: originKeyId })),
      )
    }
    return job
  })
}

/** As it is first written; a later edit raises the pay or names the team. */
function describe(
  plan: JobPlan,
  occupation: Occupation,
  skills: readonly string[],
  benefits: string[],
  company: string,
) {
  const years = plan.level === null ? null : EXPERIENCE[plan.level]
  const { words } = plan
  const summary = words?.summary ?? `Join ${company} as ${plan.title}: ${lowerFirst(occupation.duties[0]!)}.`
  const { pay } = plan
  return {
    title: plan.title,
    department: plan.unwritten ? null : occupation.department,
    team: plan.team,
    employment_type: plan.employment,
    location_type: plan.location,
    locations: [...plan.places],
    experience_level: plan.level,
    years_min: years?.[0] ?? null,
    years_max: years?.[1] ?? null,
    ...(plan.acceptsApplications === false ? { accept_applications: false } : {}),
    compensation:
      pay === null
        ? null
        : {
            salary_min: pay.min,
            salary_max: pay.max === null ? null : Math.max(pay.min ?? 0, Math.round(pay.max * 0.95)),
            currency: pay.currency,
            interval: pay.interval,
            equity: pay.equity ?? null,
            commission: pay.commission ?? false,
          },
    content: plan.unwritten
      ? null
      : {
          summary,
          description_md: words?.description ?? aboutRole(plan, occupation, summary),
          responsibilities: [...(words?.responsibilities ?? occupation.duties)],
          requirements: [
            ...(words?.requirements ?? [`Experience with ${skills[0]} and ${skills[1]}`, 'Clear writing in English']),
          ],
          nice_to_have: [...(words?.niceToHave ?? [`Some knowledge of ${skills[4]}`])],
          skills_required: skills.slice(0, 4),
          skills_preferred: skills.slice(4, 7),
          benefits: [...(words?.benefits ?? benefits)],
        },
  }
}

const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1)
