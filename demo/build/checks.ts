import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { readStages, setStages } from '../../src/resources/jobs/index.ts'
import {
  acceptOrder,
  attendDueOrders,
  type Completion,
  cancelOrder,
  completeOrder,
  declineOrder,
  failOrder,
  orderById,
  placeOrder,
  progressOrder,
  repeatOrder,
} from '../../src/resources/orders/index.ts'
import { offerPackage, publishPackage, withdrawPackage } from '../../src/resources/packages/index.ts'
import { lockUpload, reserveUpload } from '../../src/resources/uploads/index.ts'
import { pdf } from '../files.ts'
import type { DemoJob } from './jobs.ts'
import { accepted, daysAgo, iso, type Replay } from './replay.ts'
import type { Keys, Workspace } from './workspaces.ts'

type PackageInput = Parameters<typeof publishPackage>[3]
type VendorName = 'codecraft' | 'verity'

const HOSTS = { codecraft: 'tests.codecraft.example', verity: 'candidates.verity.example' } as const

const invited = (vendor: VendorName, more: Omit<PackageInput, 'privacy_url' | 'invitation'>): PackageInput =>
  ({
    privacy_url: `https://${HOSTS[vendor]}/privacy`,
    invitation: 'service',
    candidate_host: HOSTS[vendor],
    ...more,
  }) as PackageInput

/** What the two vendors of the demo publish: tests of skills, and checks of the past. */
const PACKAGES = {
  embedded: invited('codecraft', {
    external_id: 'embedded-c',
    kind: 'skills_test',
    name: 'Embedded C',
    description: 'Pointers, interrupts and state machines, in a real editor.',
    duration_minutes: 60,
    languages: ['en', 'de'],
    shares: ['email', 'resume'],
  }),
  logic: invited('codecraft', {
    external_id: 'logic',
    kind: 'cognitive_test',
    name: 'Logic and numbers',
    duration_minutes: 20,
    languages: ['en', 'de', 'fr'],
  }),
  video: invited('codecraft', {
    external_id: 'video',
    kind: 'video_interview',
    name: 'Recorded interview',
    description: 'Three questions, two minutes each.',
    duration_minutes: 15,
    shares: ['email'],
    completion_days: 7,
  }),
  typing: invited('codecraft', {
    external_id: 'typing',
    kind: 'skills_test',
    name: 'Typing speed',
    duration_minutes: 5,
  }),
  references: invited('verity', {
    external_id: 'references',
    kind: 'reference_check',
    name: 'Two references',
    shares: ['email', 'phone'],
  }),
  background: {
    external_id: 'background-eu',
    kind: 'background_check',
    name: 'Background check, Europe',
    description: 'Identity, education and the last two employers.',
    privacy_url: `https://${HOSTS.verity}/privacy`,
    invitation: 'vendor',
    shares: ['email', 'phone'],
    completion_days: 21,
  } as PackageInput,
  identity: invited('verity', { external_id: 'identity', kind: 'identity_check', name: 'Identity', shares: ['email'] }),
} as const

type PackageName = keyof typeof PACKAGES

const VENDORS: Readonly<Record<PackageName, VendorName>> = {
  embedded: 'codecraft',
  logic: 'codecraft',
  video: 'codecraft',
  typing: 'codecraft',
  references: 'verity',
  background: 'verity',
  identity: 'verity',
}

const points = (value: number, max: number, passing: number | null = null) =>
  ({ value, min: 0, max, passing, unit: 'points' }) as const

const PLAIN = { score: null, sections: [], summary: null, report_upload_ids: [] } as const

const GOOD: Completion = {
  ...PLAIN,
  outcome: 'recommended',
  score: points(42, 50, 30),
  sections: [
    { name: 'Pointers and memory', score: points(18, 20), comment: 'Fast and without mistakes.' },
    { name: 'Interrupts', score: points(12, 15), comment: null },
    { name: 'State machines', score: points(12, 15), comment: 'One edge case is missing.' },
  ],
  summary: 'Solved most tasks in the first attempt and explained the trade-offs well.',
}
const WEAK: Completion = {
  ...PLAIN,
  outcome: 'not_recommended',
  score: points(17, 50, 30),
  summary: 'Ran out of time.',
}
const RANK: Completion = {
  ...PLAIN,
  outcome: 'inconclusive',
  score: { value: 64, min: 0, max: 100, passing: null, unit: 'percentile' },
}

/** What becomes of an order, and how many days before the end of the replay. */
type Act =
  | 'accept'
  | 'due yesterday'
  | 'start'
  | 'finish'
  | 'ask'
  | 'decline'
  | 'fail'
  | 'cancel'
  | 'repeat'
  | { complete: Completion; report?: true }

interface Script {
  package: PackageName
  placed: number
  /** a partner's system instead of a person: no one has invited the candidate */
  byKey?: true
  acts: readonly (readonly [daysAgo: number, act: Act])[]
}

/** Orders in every state; each is played for several candidates, because some applications end before. */
const SCRIPTS: readonly Script[] = [
  { package: 'background', placed: 1.2, acts: [] },
  { package: 'embedded', placed: 0.2, acts: [] },
  { package: 'video', placed: 3, acts: [[2.9, 'accept']] },
  { package: 'embedded', placed: 2.5, byKey: true, acts: [[2.4, 'accept']] },
  {
    package: 'logic',
    placed: 5,
    acts: [
      [4.9, 'accept'],
      [1, 'start'],
    ],
  },
  {
    package: 'background',
    placed: 6,
    acts: [
      [5.9, 'accept'],
      [4, 'finish'],
    ],
  },
  {
    package: 'references',
    placed: 4,
    acts: [
      [3.9, 'accept'],
      [2, 'ask'],
    ],
  },
  {
    package: 'embedded',
    placed: 7,
    acts: [
      [6.9, 'accept'],
      [5, 'start'],
      [4.9, { complete: GOOD, report: true }],
    ],
  },
  {
    package: 'embedded',
    placed: 6,
    acts: [
      [5.9, 'accept'],
      [3, { complete: WEAK }],
    ],
  },
  {
    package: 'logic',
    placed: 6,
    acts: [
      [5.8, 'accept'],
      [2, { complete: RANK }],
    ],
  },
  {
    package: 'background',
    placed: 7,
    acts: [
      [6.5, 'accept'],
      [1.5, { complete: { ...PLAIN, outcome: 'clear' } }],
    ],
  },
  {
    package: 'background',
    placed: 7,
    acts: [
      [6.5, 'accept'],
      [0.8, { complete: { ...PLAIN, outcome: 'consider' } }],
    ],
  },
  {
    package: 'video',
    placed: 6,
    acts: [
      [5.9, 'accept'],
      [2, { complete: { ...PLAIN, outcome: 'none' } }],
    ],
  },
  { package: 'background', placed: 3, acts: [[2.5, 'decline']] },
  {
    package: 'references',
    placed: 6,
    acts: [
      [5.9, 'accept'],
      [1, 'fail'],
    ],
  },
  { package: 'references', placed: 8.5, acts: [] },
  { package: 'video', placed: 5, acts: [[4.9, 'due yesterday']] },
  {
    package: 'logic',
    placed: 4,
    acts: [
      [3.9, 'accept'],
      [1, 'cancel'],
    ],
  },
  {
    package: 'embedded',
    placed: 7.5,
    acts: [
      [7.4, 'accept'],
      [4, { complete: WEAK }],
      [1, 'repeat'],
    ],
  },
]

/** So many candidates for each of them. */
const EACH = 3
const CHOSEN_DAYS_AGO = 8.8

/** Tests and checks by two vendors, with orders in every state, and a stage that orders one by itself. */
export function planChecks(replay: Replay, { id: workspace, users }: Workspace, keys: Keys, jobs: readonly DemoJob[]) {
  const vendors = {
    codecraft: { id: keys.codecraft.id, name: 'Codecraft' },
    verity: { id: keys.verity.id, name: 'Verity Checks' },
  }
  const packages = new Map<PackageName, string>()
  replay.plan(daysAgo(60), () =>
    replay.change(async tx => {
      for (const name of Object.keys(PACKAGES) as PackageName[]) {
        const { package: published } = await publishPackage(tx, workspace, vendors[VENDORS[name]], PACKAGES[name])
        packages.set(name, published.id)
        if (name !== 'identity') await offerPackage(tx, { workspace, id: published.id })
      }
    }),
  )
  replay.plan(daysAgo(20), () => replay.change(tx => withdrawPackage(tx, { workspace, id: packages.get('typing')! })))
  replay.plan(daysAgo(2), () => orderOnEntry(replay, workspace, jobs, packages.get('embedded')!))
  replay.plan(daysAgo(CHOSEN_DAYS_AGO), async () => {
    const candidates = await replay.db.query(OPEN_CANDIDATES(workspace, SCRIPTS.length * EACH))
    for (const [i, { id }] of candidates.entries()) {
      const script = SCRIPTS[i % SCRIPTS.length]!
      // most by the person of the demo's sign-in, so that tasks wait for them
      const user = users[i % 4 === 3 ? 2 : 0]!.id
      const placedBy = script.byKey
        ? ({ object: 'credential', id: keys.sync.id } as const)
        : ({ object: 'user', id: user } as const)
      play(replay, { workspace, applicationId: id, script, placedBy, packageId: packages.get(script.package)! })
    }
  })
  // what the worker does
  for (let day = CHOSEN_DAYS_AGO; day > 0; day -= 0.5)
    replay.plan(daysAgo(day), () => attendDueOrders(replay.db, 1_000))
}

/** Those who have been in the process for some time, and can be written to. */
const OPEN_CANDIDATES = (workspace: string, limit: number) => sql<{ id: string }>`
  select a.id from applications a join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
  where a.workspace_id = ${workspace} and a.status in ('in_review', 'advanced') and p.suppressed_at is null
    and p.unsubscribed_at is null and p.email is not null
  order by a.applied_at desc, a.id limit ${limit}`

/** The first open job that has an interview orders a test when a candidate gets there. */
async function orderOnEntry(
  replay: Replay,
  workspace: string,
  jobs: readonly DemoJob[],
  packageId: string,
): Promise<void> {
  for (const job of jobs) {
    const read = await readStages(replay.db, workspace, job.id)
    if (read?.job.status !== 'published' || !read.stages.some(({ type }) => type === 'interview')) continue
    const stages = read.stages.map(({ id, name, type, is_terminal }) => ({
      ...{ id, name, type, is_terminal },
      order_package_ids: type === 'interview' ? [packageId] : [],
    }))
    await replay.change(tx => setStages(tx, workspace, job.id, stages))
    return
  }
}

interface Play {
  workspace: string
  applicationId: string
  packageId: string
  script: Script
  placedBy: Parameters<typeof placeOrder>[1]['placedBy']
}

/** Plays a script for one candidate, as far as the application goes on. */
function play(replay: Replay, { script, ...order }: Play): void {
  const byPerson = script.byKey === undefined
  let id: string | undefined
  const step = (at: number, run: (tx: Transaction) => Promise<unknown>) =>
    replay.plan(daysAgo(at), async () => {
      try {
        await replay.change(run)
      } catch (error) {
        // the application, and with it the order, has ended
        if (!(error instanceof ApiError)) throw error
      }
    })
  step(script.placed, async tx => {
    const placed = await placeOrder(tx, { ...order, byPerson, originKeyId: null })
    id = placed?.order.id
  })
  for (const [at, act] of script.acts) {
    step(at, async tx => {
      if (id === undefined) return
      const change = { workspace: order.workspace, id, originKeyId: null }
      if (act === 'repeat') await repeatOrder(tx, { ...change, placedBy: order.placedBy, byPerson })
      else await vendorActs(replay, tx, change, act)
    })
  }
}

type Change = Parameters<typeof acceptOrder>[1]

async function vendorActs(replay: Replay, tx: Transaction, change: Change, act: Exclude<Act, 'repeat'>): Promise<void> {
  const { candidate_host: host } = await tx.only(orderById(change.workspace, change.id))
  const acceptance = {
    external_id: change.id.slice(4),
    external_url: `https://app.${host?.slice(host.indexOf('.') + 1) ?? 'verity.example'}/orders/${change.id.slice(4)}`,
    ...(host === null ? {} : { candidate_url: `https://${host}/start/${change.id.slice(4)}` }),
  }
  if (act === 'accept') await acceptOrder(tx, change, acceptance)
  else if (act === 'due yesterday') await acceptOrder(tx, change, { ...acceptance, due_at: iso(daysAgo(1)) })
  else if (act === 'start') await progressOrder(tx, change, {})
  else if (act === 'finish') await progressOrder(tx, change, { waiting_on: 'vendor' })
  else if (act === 'ask')
    await progressOrder(tx, change, { waiting_on: 'workspace', message: 'Which of the two managers may we call?' })
  else if (act === 'decline')
    await declineOrder(tx, change, { code: 'unsupported_country', message: 'Not offered outside Europe.' })
  else if (act === 'fail') await failOrder(tx, change, { code: 'candidate_unreachable' })
  else if (act === 'cancel') await cancelOrder(tx, change, { reason: 'Not needed any more' })
  else {
    const report_upload_ids = act.report ? [await writeReport(replay, tx, change)] : []
    accepted(await completeOrder(tx, replay.services.blobs, change, { ...act.complete, report_upload_ids }))
  }
}

/** The vendor reserves a file and sends it. */
async function writeReport(replay: Replay, tx: Transaction, { workspace, id }: Change): Promise<string> {
  const { blobs } = replay.services
  const { body, mime } = pdf(['Embedded C', '', 'Result: 42 of 50 points', 'Recommended', '', 'Codecraft'])
  const reservation = { contentType: mime, sizeBytes: body.length, filename: 'embedded-c.pdf', originKeyId: null }
  const { vendor_id: vendorId } = await tx.only(orderById(workspace, id))
  const { upload_id } = await reserveUpload(tx, blobs, workspace, {
    ...reservation,
    report: { orderId: id, vendorId },
  })
  const { blob_key: key } = await tx.only(lockUpload(workspace, upload_id))
  await blobs.put(key, body, { contentType: mime, bytes: body.length })
  return upload_id
}
