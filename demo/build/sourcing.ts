import { newHandle } from '../../src/kernel/ids/handles.ts'
import { addMembers, createList, createProject, setMemberStage } from '../../src/resources/lists/index.ts'
import { finishPoolImport, importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import {
  addAttachment,
  type ContactValue,
  importProfiles,
  readProfile,
  revealContactInfo,
} from '../../src/resources/sourced-profiles/index.ts'
import { docx, pdf, png } from '../files.ts'
import { locationOf, type Person, plain } from '../people.ts'
import { type Random, seeded } from '../random.ts'
import { resumeText } from '../resumes.ts'
import { DAY, daysAgo, END, HOUR, iso, type Replay } from './replay.ts'
import type { Workspace } from './workspaces.ts'

export interface DemoProfile {
  id: string
  person: Person
  createdAt: number
}

const ORIGINS = {
  xray: { acquisition: 'xray_search', provider: 'xray' },
  import: { acquisition: 'csv_import', provider: null },
  github: { acquisition: 'github_search', provider: 'github' },
} as const

/** The number of a profile of which next to nothing is known: every field may be null. */
const BARE = 97

/** Plans the candidates that the workspace finds and saves, oldest first. */
export function planProfiles(
  replay: Replay,
  workspace: Workspace,
  people: readonly Person[],
  spanDays: number,
): DemoProfile[] {
  const random = seeded(`${workspace.name} sourcing`)
  const actor = { workspace: workspace.id, originKeyId: null }
  return people.map((person, i) => {
    const createdAt = daysAgo((spanDays * (people.length - i - 0.5)) / people.length)
    const origin = random.weighted<keyof typeof ORIGINS>([
      ['xray', 11],
      ['import', 6],
      ['github', 3],
    ])
    const facts = publicFacts(random, person)
    const score = random.chance(0.85) ? random.int(12, 98) : undefined
    const tier =
      score === undefined ? undefined : score >= 80 ? 'strong' : score >= 60 ? 'good' : score >= 40 ? 'fair' : 'weak'
    const line =
      i === BARE
        ? { linkedin_url: person.linkedinUrl }
        : { ...facts, match_score: score, match_tier: tier, external_id: `${origin}-${i}` }
    const profile: DemoProfile = { id: '', person, createdAt }
    const save = (changes: object = {}) =>
      replay.change(async tx => {
        const row = readProfile(JSON.stringify({ ...line, ...changes }), profile.id || newHandle('sourced_profile'))
        profile.id ||= row.id
        await importProfiles(tx, actor, { origin, ...ORIGINS[origin] }, [row])
      })
    replay.plan(createdAt, () => save())
    if (random.chance(0.55)) {
      const values = contactsOf(random, person, createdAt + DAY)
      replay.plan(createdAt + DAY, () => replay.change(tx => revealContactInfo(tx, actor, profile.id, values)))
    }
    for (const file of filesOf(random, person))
      replay.plan(createdAt + 2 * DAY, () => {
        const { db, blobs } = replay.services
        return addAttachment(db, blobs, actor, profile.id, file)
      })
    if (random.chance(0.3))
      replay.plan(createdAt + 5 * DAY, () => save({ headline: `${person.title}, open to new work` }))
    return profile
  })
}

function contactsOf(random: Random, person: Person, at: number): ContactValue[] {
  const value = (field: ContactValue['field'], kind: ContactValue['kind'], text: string): ContactValue => {
    const status = random.weighted([
      ['verified', 5],
      ['unverified', 3],
      ['invalid', 1],
    ] as const)
    return { field, kind, value: text, status, verified_at: status === 'verified' ? iso(at) : null }
  }
  const found: ContactValue[] = []
  if (random.chance(0.7))
    found.push(value('email', 'work', `${plain(person.first)}.${plain(person.last)}@${person.company.domain}`))
  if (random.chance(0.5) || found.length === 0) found.push(value('email', 'personal', person.email))
  if (random.chance(0.05)) found.push(value('email', 'other', `${plain(person.last)}@alumni.example`))
  if (random.chance(0.45)) found.push(value('phone', 'mobile', person.phone))
  return found
}

function filesOf(random: Random, person: Person) {
  const year = new Date(END).getUTCFullYear()
  const card = { width: 252, height: 144 }
  const wanted = [
    ['profile_photo', 0.25, () => png(random.int(1, 32_767))],
    ['resume', 0.14, () => (random.chance(0.7) ? pdf : docx)(resumeText(person, year))],
    ['business_card', 0.08, () => pdf([person.full, person.title, person.company.name, person.email], card)],
  ] as const
  return wanted
    .filter(([, probability]) => random.chance(probability))
    .map(([type, , write]) => {
      const { body, mime, extension } = write()
      return { type, filename: `${type}_${person.slug}.${extension}`, mime, content: body }
    })
}

const SENIOR_ROLES: Readonly<Record<string, string>> = { lead: 'manager', principal: 'director' }

/** What is publicly known of a person, in the words that sourced and pool profiles share. */
function publicFacts(random: Random, person: Person) {
  const { company, occupation } = person
  const sometimes = <T>(probability: number, value: T): T | undefined =>
    random.chance(probability) ? value : undefined
  return {
    full_name: person.full,
    headline: sometimes(0.9, `${person.title} at ${company.name}`),
    job_title: person.title,
    company_name: company.name,
    company_industry: sometimes(0.9, company.industry),
    company_website: sometimes(0.8, `https://${company.domain}`),
    company_linkedin_url: sometimes(0.7, `https://www.linkedin.com/company/${plain(company.name)}-demo`),
    department: sometimes(0.85, occupation.department),
    management_level: sometimes(0.8, SENIOR_ROLES[person.level] ?? 'individual_contributor'),
    location_full: sometimes(0.95, locationOf(person)),
    location_country: sometimes(0.95, person.place.country),
    linkedin_url: person.linkedinUrl,
    photo_url: sometimes(0.4, `https://photos.people.example/${person.slug}.png`),
    summary: sometimes(0.6, `${person.title} with ${person.years} years of experience. ${occupation.achievements[0]}.`),
    total_experience_months: sometimes(0.85, person.years * 12 + random.int(0, 11)),
    connections_count: sometimes(0.7, random.int(40, 500)),
    follower_count: sometimes(0.6, random.int(10, 4000)),
  }
}

const CODERS = new Set(['robotics', 'perception', 'embedded', 'reliability', 'frontend', 'data'])
const POOL_BATCH = 100

/** Plans the imports that fill the shared pool: public profiles without contact details, belonging to no workspace. */
export function planPool(replay: Replay, people: readonly Person[]): void {
  const random = seeded('pool')
  for (let i = 0; i < people.length; i += POOL_BATCH) {
    const lines = people.slice(i, i + POOL_BATCH).map(person => {
      const github = CODERS.has(person.occupation.name) && random.chance(0.4)
      const provider = random.chance(0.8) ? { provider: 'public_web', external_id: person.slug } : {}
      const { skills, languages } = person
      return readPoolLine(
        JSON.stringify({
          ...publicFacts(random, person),
          ...provider,
          ...(github ? { github_url: `https://github.com/${person.slug}` } : {}),
          skills,
          languages,
        }),
      )
    })
    replay.plan(daysAgo((60 * (people.length - i)) / people.length - 0.5), async () => {
      const counts = new WordCounts()
      await replay.change(tx => importPoolBatch(replay.db, tx, lines, counts))
      await counts.store(replay.db)
    })
  }
  replay.plan(END - HOUR, () => finishPoolImport(replay.db))
}

export interface ListPlan {
  name: string
  description: string | null
  project: number | null
  members: number
  /** labels of the list's own, besides the usual keys */
  labels: readonly string[]
}

const STAGES = ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired']

/** Plans projects and lists. Lists and their members are made by the key, projects in the product. */
export function planLists(
  replay: Replay,
  workspace: Workspace,
  projects: readonly (readonly [name: string, description: string | null])[],
  lists: readonly ListPlan[],
  profiles: readonly DemoProfile[],
  originKeyId: string | null,
): void {
  const random = seeded(`${workspace.name} lists`)
  const projectIds: string[] = []
  for (const [i, [name, description]] of projects.entries())
    replay.plan(daysAgo(140 - i * 30), async () => {
      const actor = { workspace: workspace.id, originKeyId: null }
      projectIds[i] = (await replay.change(tx => createProject(tx, actor, { name, description }))).id
    })
  for (const [i, plan] of lists.entries()) {
    const createdAt = daysAgo(75 - i * 12)
    const actor = { workspace: workspace.id, originKeyId }
    let listId = ''
    replay.plan(createdAt, async () => {
      const { name, description, project } = plan
      const place = project === null ? {} : { project_id: projectIds[project]! }
      listId = (await replay.change(tx => createList(tx, actor, { name, description, ...place }))).id
    })
    const choices = [null, ...STAGES, ...plan.labels]
    for (const [j, profile] of random.sample(profiles, plan.members).entries()) {
      const addedAt = Math.max(createdAt + HOUR, profile.createdAt + HOUR, daysAgo(random.between(0.1, 60)))
      // each stage at least once where the list is long enough, then by chance
      const stage = j < choices.length ? choices[j]! : random.pick(choices)
      const stageAt = addedAt + random.between(0.05, 9) * DAY
      let memberId = ''
      replay.plan(addedAt, async () => {
        const batch = await replay.change(tx => addMembers(tx, actor, listId, [{ sourced_profile_id: profile.id }]))
        memberId = batch!.results[0]!.membership?.id ?? ''
      })
      if (stage !== null)
        replay.plan(Math.min(stageAt, END - HOUR), () =>
          memberId === ''
            ? Promise.resolve()
            : replay.change(tx => setMemberStage(tx, actor, listId, memberId, stage, { newLabels: true })),
        )
    }
  }
}
