import { before } from 'node:test'
import { createUser } from '../../src/resources/users/index.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { signedIn } from '../console/setup.ts'
import { noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { CA_FILE, type Receiver, startReceiver, testNames } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

export const PASSWORD = 'correct horse battery staple'
export const EMAIL = 'rosalind@acme.example'

/** A workspace with an owner, a receiver of webhooks, and a way to open the console as a signed-in user. */
export interface World {
  service: TestService
  receiver: Receiver
  workspace: string
  /** `cookie`: as someone else */
  open(path: string, opts?: VisitOptions & { cookie?: string }): Promise<Visit>
}

/** Made once for the file that calls it, where there is a browser; then `furnish` adds what its tests look at. */
export function consoleWorld(furnish?: (world: World) => Promise<void>): World {
  const world = {} as World
  before(async () => {
    if (noBrowser) return
    world.receiver = await startReceiver()
    const settings = { WEBHOOK_ALLOW_HOSTS: world.receiver.host, WEBHOOK_CA: CA_FILE }
    world.service = await startTestService(settings, { resolveName: testNames() })
    const { services, origin } = world.service
    world.workspace = (await world.service.workspace('starter', 'Acme Robotics')).id
    const person = { email: EMAIL, role: 'owner', firstName: 'Rosalind', lastName: 'Acker', password: PASSWORD }
    await createUser(services.db, { workspace: world.workspace, ...person }, services.passwords)
    const second = await signedIn(world.service, world.workspace, { email: 'second@acme.example' })
    world.open = async (path, { cookie = second.cookie, ...opts } = {}) => {
      const window = await visit(origin, opts)
      await window.context.addCookies([{ name: SESSION_COOKIE, value: cookie.split('=')[1]!, url: origin }])
      await window.page.goto(`/console${path}`)
      await window.page.locator('h1').waitFor()
      return window
    }
    await furnish?.(world)
  })
  return world
}
