import { isTestWorkspace } from '../../src/kernel/access/workspace-kind.ts'
import { erasureById, requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { apply } from './applications.ts'
import type { Done, Operation, Scene } from './scene.ts'

/** A new person applies, so that no one else is erased, and then asks for erasure. */
async function request(
  scene: Scene,
  reason: 'stop_processing' | 'erasure_request',
): Promise<Done & { erasure: string }> {
  const one = await apply(scene)
  scene.applications.splice(scene.applications.indexOf(one), 1)
  const { id: erasure } = await requestErasure(scene.db, {
    email: one.person.email,
    reason,
    requestedBy: 'command_line',
    // what is tested stays where it is tested
    ...((await isTestWorkspace(scene.db, scene.workspace)) ? { reach: scene.workspace } : {}),
  })
  const { suppression_id: id } = await scene.db.only(erasureById(erasure))
  return { id, erasure, handles: { suppression: id, applicant: one.applicantId, application: one.id } }
}

export const dataSubjectOperations = {
  'data_subject.suppression_applied': {
    description: 'A person applies and asks for processing to stop.',
    run: async scene => {
      const { id, handles } = await request(scene, 'stop_processing')
      return { id, handles }
    },
  },
  'data_subject.erasure_completed': {
    description: 'A person applies, asks to be erased, and is erased.',
    run: async scene => {
      const { id, handles, erasure } = await request(scene, 'erasure_request')
      await runErasure(scene, erasure)
      return { id, handles }
    },
  },
} as const satisfies Record<string, Operation>
