import { newTenant, startWorld, type World } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'

/** Two workspaces of one service, with an owner of each who is signed in. */
export async function startTwoWorkspaces() {
  const home = await startWorld()
  const { service } = home
  const other: World = { service, ...(await newTenant(service)) }
  const owner = await signedIn(service, home.workspace)
  const otherOwner = await signedIn(service, other.workspace)
  return { service, db: service.services.db, home, other, owner, otherOwner }
}
