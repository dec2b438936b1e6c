import { UserError } from '../../src/kernel/errors/user-error.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import {
  addMembers,
  createList,
  deleteList,
  removeMembers,
  setMemberStage,
  updateList,
} from '../../src/resources/lists/index.ts'
import { importPoolBatch, readPoolLine, WordCounts } from '../../src/resources/pool/index.ts'
import {
  addAttachment,
  deleteProfile,
  importProfiles,
  readProfile,
  revealContactInfo,
} from '../../src/resources/sourced-profiles/index.ts'
import { txt } from '../files.ts'
import { locationOf, type Person } from '../people.ts'
import { resumeText } from '../resumes.ts'
import { type Done, type Operation, type OwnList, type OwnProfile, pickOne, type Scene, unique } from './scene.ts'

const FOUND = { origin: 'xray', acquisition: 'xray_search', provider: null }

const described = (person: Person, months: number) => ({
  full_name: person.full,
  headline: `${person.title} at ${person.company.name}`,
  job_title: person.title,
  company_name: person.company.name,
  company_industry: person.company.industry,
  location_full: locationOf(person),
  location_country: person.place.country,
  linkedin_url: person.linkedinUrl,
  total_experience_months: months,
})

/** A search finds a person, and the profile is saved; the same profile again, by its external id, is an update. */
async function save(scene: Scene, known?: OwnProfile): Promise<OwnProfile> {
  const person = known?.person ?? scene.person()
  const months = known ? known.months + 1 : person.years * 12 + 1
  const externalId = known?.externalId ?? `search-${unique()}`
  const line = JSON.stringify({ ...described(person, months), external_id: externalId })
  const row = readProfile(line, known?.id ?? newHandle('sourced_profile'))
  await scene.change(tx => importProfiles(tx, scene.actor, FOUND, [row]))
  if (known) return Object.assign(known, { months })
  const profile: OwnProfile = { id: row.id, externalId, person, months, revealed: false }
  scene.profiles.push(profile)
  return profile
}

const anyProfile = (scene: Scene) =>
  pickOne(
    scene,
    scene.profiles,
    () => true,
    () => save(scene),
  )

const doneProfile = ({ id }: OwnProfile): Done => ({ id, handles: { sourced_profile: id } })

async function makeList(scene: Scene): Promise<OwnList> {
  const { title } = scene.person()
  const { id } = await scene.change(tx => createList(tx, scene.actor, { name: `${title}s worth a call` }))
  const list: OwnList = { id, members: [] }
  scene.lists.push(list)
  return list
}

const anyList = (scene: Scene) =>
  pickOne(
    scene,
    scene.lists,
    () => true,
    () => makeList(scene),
  )

const doneList = ({ id }: OwnList): Done => ({ id, handles: { list: id } })

async function addTo(scene: Scene, list: OwnList): Promise<OwnList['members'][number]> {
  const profile = await pickOne(
    scene,
    scene.profiles,
    one => list.members.every(member => member.profileId !== one.id),
    () => save(scene),
  )
  const batch = await scene.change(tx => addMembers(tx, scene.actor, list.id, [{ sourced_profile_id: profile.id }]))
  const member = { id: batch!.results[0]!.membership!.id, profileId: profile.id, stage: null }
  list.members.push(member)
  return member
}

async function anyMember(scene: Scene): Promise<{ list: OwnList; member: OwnList['members'][number] }> {
  const list = await pickOne(
    scene,
    scene.lists,
    one => one.members.length > 0,
    () => makeList(scene),
  )
  return { list, member: list.members.length > 0 ? scene.random.pick(list.members) : await addTo(scene, list) }
}

const doneMember = (list: OwnList, member: OwnList['members'][number]): Done => ({
  id: member.id,
  handles: { list_membership: member.id, list: list.id, sourced_profile: member.profileId },
})

const MEMBER_STAGES = ['requested', 'connected', 'pending', 'declined', 'interviewing', 'hired']
const POOL_BATCH = 5

export const sourcingOperations = {
  'sourced_profile.created': {
    description: 'Saves a profile that a search found.',
    run: async scene => doneProfile(await save(scene)),
  },
  'sourced_profile.updated': {
    description: 'Saves a profile again with changed fields.',
    run: async scene => doneProfile(await save(scene, await anyProfile(scene))),
  },
  'sourced_profile.deleted': {
    description: 'Saves a profile and deletes it.',
    run: async scene => {
      const profile = await save(scene)
      scene.profiles.splice(scene.profiles.indexOf(profile), 1)
      await scene.change(tx => deleteProfile(tx, scene.blobs, scene.actor, profile.id, 'Saved by mistake.'))
      return doneProfile(profile)
    },
  },
  'sourced_profile.contact_info_revealed': {
    description: 'Reveals the contact details of a saved profile.',
    run: async scene => {
      const profile = await pickOne(
        scene,
        scene.profiles,
        one => !one.revealed,
        () => save(scene),
      )
      const { email, phone } = profile.person
      const value = { status: 'verified', verified_at: null } as const
      await scene.change(tx =>
        revealContactInfo(tx, scene.actor, profile.id, [
          { field: 'email', value: email, kind: 'work', ...value },
          { field: 'phone', value: phone, kind: 'mobile', ...value },
        ]),
      )
      profile.revealed = true
      return doneProfile(profile)
    },
  },
  'sourced_profile.attachment_added': {
    description: 'Attaches a résumé to a saved profile.',
    run: async scene => {
      const profile = await anyProfile(scene)
      const { body, mime } = txt(resumeText(profile.person, 2026))
      const file = { type: 'resume' as const, filename: `${profile.person.slug}.txt`, mime, content: body }
      await addAttachment(scene.db, scene.blobs, scene.actor, profile.id, file)
      return doneProfile(profile)
    },
  },
  'list.created': { description: 'Creates a list.', run: async scene => doneList(await makeList(scene)) },
  'list.updated': {
    description: "Changes a list's description.",
    run: async scene => {
      const list = await anyList(scene)
      const description = `Put together with ${scene.person().full}`
      await scene.change(tx => updateList(tx, scene.actor, list.id, { description }))
      return doneList(list)
    },
  },
  'list.deleted': {
    description: 'Creates a list and deletes it.',
    run: async scene => {
      const list = await makeList(scene)
      scene.lists.splice(scene.lists.indexOf(list), 1)
      await scene.change(tx => deleteList(tx, scene.actor, list.id))
      return doneList(list)
    },
  },
  'list_membership.added': {
    description: 'Adds a saved profile to a list.',
    run: async scene => {
      const list = await anyList(scene)
      return doneMember(list, await addTo(scene, list))
    },
  },
  'list_membership.removed': {
    description: 'Adds a saved profile to a list and removes it.',
    run: async scene => {
      const list = await anyList(scene)
      const member = await addTo(scene, list)
      list.members.splice(list.members.indexOf(member), 1)
      await scene.change(tx => removeMembers(tx, scene.actor, list.id, [member.profileId]))
      return doneMember(list, member)
    },
  },
  'list_membership.stage_changed': {
    description: 'Sets the stage of a list member.',
    run: async scene => {
      const { list, member } = await anyMember(scene)
      const stage = scene.random.pick(MEMBER_STAGES.filter(one => one !== member.stage))
      await scene.change(tx => setMemberStage(tx, scene.actor, list.id, member.id, stage))
      member.stage = stage
      return doneMember(list, member)
    },
  },
  'pool.batch_upserted': {
    description: `Loads a batch of ${POOL_BATCH} profiles into the shared pool.`,
    run: async scene => {
      // every workspace searches it, and nothing is ever taken out of it again
      if (!scene.isDemo)
        throw new UserError('the pool is shared by all workspaces: this is done in the demo workspace only')
      const counts = new WordCounts()
      const lines = Array.from({ length: POOL_BATCH }, () => {
        const person = scene.person()
        const { skills, languages } = person
        return readPoolLine(JSON.stringify({ ...described(person, person.years * 12), skills, languages }))
      })
      const id = await scene.change(tx => importPoolBatch(scene.db, tx, lines, counts))
      await counts.store(scene.db)
      return { id, handles: { pool_batch: id } }
    },
  },
} as const satisfies Record<string, Operation>
