import { ALL_SCOPES, READ_SCOPES, type Role, type Scope } from '../contract/scopes.ts'
import { type Environment, hashSecret, newSecret } from '../kernel/access/key-format.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import { accountKey } from '../kernel/text/person-keys.ts'
import { plain } from './people.ts'
import { seeded } from './random.ts'
import { DAY, type Draft, iso, isoOrNull } from './rows.ts'

export interface Workspace {
  id: string
  name: string
  plan: 'starter' | 'growth' | null
  users: { id: string; role: Role }[]
}

/** `null` for the address: a person who cannot be answered by mail. */
type Member = readonly [first: string, last: string, role: Role, address?: null]

const ACME: readonly Member[] = [
  ['Rosalind', 'Acker', 'owner'],
  ['Devika', 'Menondas', 'admin'],
  ['Tomás', 'Ibarrola', 'member'],
  ['Gwendolyn', 'Ashby-Cole', 'member'],
  ['Peng', 'Liangmoor', 'member', null],
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

export function planWorkspaces(draft: Draft): { acme: Workspace; globex: Workspace; initech: Workspace } {
  return {
    acme: workspace(draft, 'Acme Robotics', 'starter', 400, ACME),
    globex: workspace(draft, 'Globex', 'growth', 320, GLOBEX),
    initech: workspace(draft, 'Initech', null, 120, INITECH),
  }
}

function workspace(
  draft: Draft,
  name: string,
  plan: Workspace['plan'],
  ageDays: number,
  members: readonly Member[],
): Workspace {
  const random = seeded(`${name} members`)
  const created = draft.daysAgo(ageDays)
  const id = newHandle('workspace', created)
  const domain = `${plain(name)}.example`
  draft.add('workspaces', { id, name, plan, created_at: iso(created), updated_at: iso(created + 2 * DAY) })
  draft.add('workspace_settings', { workspace_id: id, updated_at: iso(created) })
  const users = members.map(([first, last, role, address], i) => {
    const joined = created + i * 9 * DAY
    const userId = newHandle('user', joined)
    const neverCame = i === members.length - 1
    const email = address === null ? null : `${plain(first)}.${plain(last)}@${domain}`
    draft.add('users', {
      workspace_id: id,
      id: userId,
      email,
      email_key: email === null ? null : accountKey(email),
      first_name: first,
      last_name: last,
      is_verified: !neverCame && address !== null,
      role,
      photo_url: random.chance(0.5) ? `https://photos.${domain}/${plain(first)}.png` : null,
      created_at: iso(joined),
      updated_at: iso(joined + DAY),
      last_login_at: neverCame ? null : iso(draft.daysAgo(random.between(0.05, 12))),
    })
    return { id: userId, role }
  })
  return { id, name, plan, users }
}

export interface Keys {
  demo: string
  /** the key of the system that pushes jobs and candidates */
  sync: string
}

interface KeyPlan {
  name: string
  environment: Environment
  scopes: readonly Scope[]
  user: string | null
  ageDays: number
  /** several: what the secrets hash to, the newest last; earlier ones end soon */
  hashes: readonly string[]
  reach?: readonly string[]
  ips?: readonly string[]
  revokedDaysAgo?: number
  expiresInDays?: number
}

/** The secrets of all keys but the demo key are thrown away here: nobody can use them. */
const unknown = (): string => hashSecret(newSecret('live'))

export function planKeys(draft: Draft, acme: Workspace, globex: Workspace, secret: string): Keys {
  const owner = acme.users.find(user => user.role === 'owner')!.id
  const admin = acme.users.find(user => user.role === 'admin')!.id
  const key = (plan: KeyPlan): string => addKey(draft, acme, plan)
  const demo = key({
    name: 'Demo key',
    environment: 'test',
    scopes: ALL_SCOPES,
    user: owner,
    ageDays: 90,
    hashes: [hashSecret(secret)],
  })
  const sync = key({
    name: 'Greenlake sync',
    environment: 'live',
    scopes: ['jobs:read', 'jobs:write', 'applications:read', 'applications:write', 'events:read'],
    user: admin,
    ageDays: 220,
    hashes: [unknown(), unknown()],
    ips: ['198.51.100.0/24', '2001:db8:40::/48'],
  })
  const reads = READ_SCOPES.filter(scope => !scope.startsWith('contact:'))
  key({
    name: 'Group reporting',
    environment: 'live',
    scopes: reads,
    user: null,
    ageDays: 60,
    hashes: [unknown()],
    reach: [acme.id, globex.id],
  })
  key({
    name: 'Trade fair app',
    environment: 'live',
    scopes: ['jobs:read'],
    user: admin,
    ageDays: 130,
    hashes: [unknown()],
    revokedDaysAgo: 40,
  })
  key({
    name: 'Pilot of last quarter',
    environment: 'test',
    scopes: reads,
    user: admin,
    ageDays: 110,
    hashes: [unknown()],
    expiresInDays: -20,
  })
  return { demo, sync }
}

function addKey(draft: Draft, home: Workspace, plan: KeyPlan): string {
  const created = draft.daysAgo(plan.ageDays)
  const id = newHandle('credential', created)
  const revoked = plan.revokedDaysAgo === undefined ? null : draft.daysAgo(plan.revokedDaysAgo)
  const expires = plan.expiresInDays === undefined ? null : draft.daysAgo(-plan.expiresInDays)
  const lastUsed = Math.min(draft.daysAgo(0.02), revoked ?? draft.now, expires ?? draft.now)
  draft.add('api_keys', {
    workspace_id: home.id,
    id,
    user_id: plan.user,
    name: plan.name,
    environment: plan.environment,
    scopes: plan.scopes,
    granted_scopes: plan.scopes,
    workspace_scope: plan.reach ? 'list' : 'single',
    workspace_ids: plan.reach ?? [],
    ip_allowlist: plan.ips ?? [],
    created_at: iso(created),
    expires_at: isoOrNull(expires),
    revoked_at: isoOrNull(revoked),
  })
  // a revoked key has no secret left
  for (const [i, hash] of revoked === null ? plan.hashes.entries() : []) {
    const replaced = i < plan.hashes.length - 1
    draft.add('api_key_secrets', {
      secret_hash: hash,
      workspace_id: home.id,
      key_id: id,
      created_at: iso(i === 0 ? created : draft.daysAgo(0.5)),
      expires_at: replaced ? iso(draft.daysAgo(-0.5)) : isoOrNull(expires),
      last_used_at: iso(lastUsed),
    })
  }
  return id
}
