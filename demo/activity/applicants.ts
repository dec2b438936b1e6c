import { ALL_SCOPES } from '../../src/contract/scopes.ts'
import { editApplicant, unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { deleteApplicant } from '../../src/resources/applications/index.ts'
import { displayName, resolveAll } from '../../src/resources/people/index.ts'
import { PLACES, placeName } from '../names.ts'
import { apply } from './applications.ts'
import { type Done, type Operation, type OwnApplication, type Scene, unique } from './scene.ts'

/** An applicant of this run, whatever happened to the application. */
const ownApplicant = async (scene: Scene): Promise<OwnApplication> =>
  scene.applications.length > 0 ? scene.random.pick(scene.applications) : apply(scene)

const done = (one: OwnApplication): Done => ({
  id: one.applicantId,
  handles: { applicant: one.applicantId, application: one.id },
})

/** Resolves the person by their email address, which creates the handles, as a partner's call does. */
async function resolve({ db, workspace }: Scene, email: string) {
  const identifier = { kind: 'email' as const, value: email }
  const context = { db, workspace, scopes: new Set(ALL_SCOPES), inTransaction: db.transaction.bind(db) }
  const found = (await resolveAll(context, [identifier])).get(displayName(identifier))
  if (!found) throw new Error('an applicant was not found by the address')
  return found
}

export const applicantOperations = {
  'applicant.created': {
    description: 'A person new to the workspace applies.',
    run: async scene => done(await apply(scene)),
  },
  'applicant.updated': {
    description: 'An applicant moves to another city.',
    run: async scene => {
      const one = await ownApplicant(scene)
      const place = scene.random.pick(PLACES.filter(other => other.city !== one.city))
      const location = placeName(place)
      await scene.change(tx => editApplicant(tx, scene.workspace, one.applicantId, { location }, null))
      one.city = place.city
      return done(one)
    },
  },
  'applicant.deleted': {
    description: 'A person applies, and is deleted with the application.',
    run: async scene => {
      const one = await apply(scene)
      scene.applications.splice(scene.applications.indexOf(one), 1)
      await scene.change(tx => deleteApplicant(tx, { ...scene.actor, id: one.applicantId }, 'Sent by mistake.'))
      return done(one)
    },
  },
  'applicant.unsubscribed': {
    description: 'A person applies and unsubscribes from emails.',
    run: async scene => {
      const one = await apply(scene)
      await scene.change(tx => unsubscribeApplicant(tx, scene.workspace, one.applicantId, 'one_click'))
      return done(one)
    },
  },
  'person.identity_linked': {
    description: 'An applicant adds a LinkedIn URL to their email address.',
    run: async scene => {
      const one = await apply(scene)
      const { canonicalId, id } = await resolve(scene, one.person.email)
      return { id: canonicalId, handles: { person: canonicalId, linked_person: id, ...done(one).handles } }
    },
  },
  'person.canonical_id_changed': {
    description: 'An applicant who was resolved by email address changes their LinkedIn URL.',
    run: async scene => {
      const one = await apply(scene)
      const before = await resolve(scene, one.person.email)
      const linkedin_url = `https://www.linkedin.com/in/${one.person.slug}-${unique()}`
      await scene.change(tx => editApplicant(tx, scene.workspace, one.applicantId, { linkedin_url }, null))
      const after = await resolve(scene, one.person.email)
      const handles = { person: after.id, canonical_person: after.canonicalId, previous_person: before.canonicalId }
      return { id: after.id, handles: { ...handles, ...done(one).handles } }
    },
  },
} as const satisfies Record<string, Operation>
