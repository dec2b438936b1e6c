import { READ_SCOPES, type Role } from '../../src/contract/scopes.ts'
import { registerApp } from '../../src/resources/connected-apps/index.ts'
import { grantCredits } from '../../src/resources/credits/index.ts'
import { createKey, type IssuedKey, revokeKey, rotateKey } from '../../src/resources/keys/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { createWorkspace } from '../../src/resources/workspaces/index.ts'
import { DEMO_KEY_NAME } from '../credentials.ts'
import { plain } from '../people.ts'
import { daysAgo, type Replay } from './replay.ts'

export interface Workspace {
  id: string
  name: string
  users: { id: string; email: string; role: Role }[]
}

type Member = readonly [first: string, last: string, role: Role]

const ACME: readonly Member[] = [
  ['Rosalind', 'Acker', 'owner'],
  ['Devika', 'Menondas', 'admin'],
  ['Tomás', 'Ibarrola', 'member'],
  ['Gwendolyn', 'Ashby-Cole', 'member'],
  ['Peng', 'Liangmoor', 'member'],
  ['Jolanda', 'Fenstermaker', 'viewer'],
  ['Osei', 'Bramwell', 'viewer'],
]

const GLOBEX: readonly Member[] = [
  ['Hanneke', 'Storchmann', 'owner'],
  ['Ruy', 'Calatrava', 'admin'],
  ['Sunniva', 'Hauge-Berg', 'member'],
]

const INITECH: readonly Member[] = [
  ['Milton', 'Wadsworthy', 'owner'],
  ['Bettina', 'Lumbergen', 'viewer'],
]

export interface DemoWorkspaces {
  acme: Workspace
  globex: Workspace
  initech: Workspace
}

/** Everything else needs a workspace, so they are made before the replay begins. */
export const createWorkspaces = async (replay: Replay): Promise<DemoWorkspaces> => ({
  acme: await create(replay, 'Acme Robotics', 'starter', 400, ACME),
  globex: await create(replay, 'Globex', 'growth', 320, GLOBEX),
  initech: await create(replay, 'Initech', 'none', 280, INITECH),
})

async function create(
  replay: Replay,
  name: string,
  plan: string,
  ageDays: number,
  members: readonly Member[],
): Promise<Workspace> {
  await replay.setClock(daysAgo(ageDays))
  const { id } = await createWorkspace(replay.db, { name, plan })
  if (plan !== 'none') await grantCredits(replay.db, id, { amount: 500, note: `Included in the ${plan} plan` })
  const users: Workspace['users'] = []
  for (const [i, [firstName, lastName, role]] of members.entries()) {
    await replay.setClock(daysAgo(ageDays - i * 2))
    const email = `${plain(firstName)}.${plain(lastName)}@${plain(name)}.example`
    const user = await createUser(replay.db, { workspace: id, email, role, firstName, lastName })
    users.push({ id: user.id, email, role })
  }
  return { id, name, users }
}

export interface Keys {
  demo: IssuedKey
  /** The system that pushes jobs and candidates uses it. */
  sync: IssuedKey
  /** Its endpoints have receivers that do not work. */
  lab: IssuedKey
  /** It belongs to a partner that is revoked later. */
  agency: IssuedKey
  /** keys of vendors of tests and checks */
  codecraft: IssuedKey
  verity: IssuedKey
}

const reads = READ_SCOPES.filter(scope => !scope.startsWith('contact:'))

/** A key of every kind and state. */
export async function createKeys(replay: Replay, { acme, globex }: DemoWorkspaces): Promise<Keys> {
  const [owner, admin] = acme.users
  const key = async (ageDays: number, input: Omit<Parameters<typeof createKey>[1], 'workspace'>) => {
    await replay.setClock(daysAgo(ageDays))
    return createKey(replay.db, { workspace: acme.id, ...input })
  }
  const sync = await key(220, {
    name: 'Greenlake sync',
    scopes: ['jobs:read', 'jobs:write', 'applications:read', 'applications:write', 'events:read'],
    userEmail: admin!.email,
    allowIp: ['198.51.100.0/24', '2001:db8:40::/48'],
  })
  const fair = await key(215, { name: 'Trade fair app', scopes: ['jobs:read'], userEmail: admin!.email })
  await key(214, {
    name: 'Pilot of last quarter',
    environment: 'test',
    scopes: reads,
    userEmail: admin!.email,
    expiresInDays: 194,
  })
  const demo = await key(213, { name: DEMO_KEY_NAME, environment: 'test', scopes: 'all', userEmail: owner!.email })
  await key(212, { name: 'Group reporting', scopes: reads, reach: [acme.id, globex.id] })
  const webhooks = ['jobs:read', 'lists:read', 'events:read', 'webhooks:read', 'webhooks:write'] as const
  const agency = await key(211, { name: 'Recruiting agency', scopes: webhooks, userEmail: admin!.email })
  const lab = await key(210, { name: 'Receiver tests', scopes: webhooks, userEmail: owner!.email })
  const fulfill = ['orders:fulfill', 'orders:candidate:read', 'events:read'] as const
  const codecraft = await key(209, { name: 'Codecraft', scopes: fulfill, userEmail: admin!.email })
  const verity = await key(208, { name: 'Verity Checks', scopes: fulfill, userEmail: admin!.email })
  replay.plan(daysAgo(40), () => revokeKey(replay.db, fair.id))
  replay.plan(daysAgo(0.5), () => rotateKey(replay.db, sync.id))
  replay.plan(daysAgo(30), () =>
    registerApp(replay.db, {
      workspace: acme.id,
      name: 'Interview scheduler',
      kind: 'web',
      redirectUris: ['https://scheduler.example/callback'],
      scopes: ['jobs:read', 'applications:read'],
      createdBy: owner!.id,
    }),
  )
  return { demo, sync, lab, agency, codecraft, verity }
}
