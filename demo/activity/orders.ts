import { deleteApplication } from '../../src/resources/applications/index.ts'
import { acceptOrder, placeOrder } from '../../src/resources/orders/index.ts'
import { offerPackage, publishPackage } from '../../src/resources/packages/index.ts'
import { apply } from './applications.ts'
import { type Operation, type Scene, unique } from './scene.ts'

const HOST = 'tests.example.com'
/** One vendor for all runs, which has no key: the packages of a workspace do not grow with the runs. */
const VENDOR = { id: 'pk_00000000000000000000', name: 'Example Tests' }

/** A candidate of this run is asked to take the test of the vendor. */
async function makeOrder(scene: Scene) {
  const { workspace, actor } = scene
  const application = await apply(scene)
  const order = await scene.change(async tx => {
    const { package: published } = await publishPackage(tx, workspace, VENDOR, {
      external_id: 'typing-test',
      kind: 'skills_test',
      name: 'Typing test',
      privacy_url: `https://${HOST}/privacy`,
      invitation: 'service',
      candidate_host: HOST,
    })
    await offerPackage(tx, { workspace, id: published.id })
    const placed = await placeOrder(tx, {
      workspace,
      applicationId: application.id,
      packageId: published.id,
      placedBy: { object: 'credential', id: VENDOR.id },
      byPerson: false,
      originKeyId: actor.originKeyId,
    })
    if (!placed) throw new Error('the application or the package is gone')
    return placed.order
  })
  return { application, order, handles: { order: order.id, application: application.id, package: order.package_id } }
}

export const orderOperations = {
  'order.created': {
    description: 'Orders a test for a candidate.',
    run: async scene => {
      const { order, handles } = await makeOrder(scene)
      return { id: order.id, handles }
    },
  },
  'order.updated': {
    description: 'A vendor accepts an order.',
    run: async scene => {
      const { order, handles } = await makeOrder(scene)
      const change = { ...scene.actor, id: order.id }
      const external_id = unique()
      await scene.change(tx =>
        acceptOrder(tx, change, { external_id, candidate_url: `https://${HOST}/t/${external_id}` }),
      )
      return { id: order.id, handles }
    },
  },
  'order.deleted': {
    description: 'Deletes an application with its order.',
    run: async scene => {
      const { application, order, handles } = await makeOrder(scene)
      await scene.change(tx => deleteApplication(tx, { ...scene.actor, id: application.id }, 'deleted'))
      scene.applications.splice(scene.applications.indexOf(application), 1)
      return { id: order.id, handles }
    },
  },
} as const satisfies Record<string, Operation>
