import { UserError } from '../kernel/errors/user-error.ts'
import { ALL_ROWS } from '../kernel/http/list.ts'
import { cancelOrdersOfVendor } from '../resources/orders/index.ts'
import {
  offerPackage,
  packagesPage,
  type StoredPackage,
  toPackage,
  withdrawPackage,
  withdrawPackagesOfVendor,
} from '../resources/packages/index.ts'
import { requireOpen } from '../resources/workspaces/index.ts'
import { argumentAt, requiredOption } from './read-option.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

const WORKSPACE = { workspace: { value: 'H', description: 'workspace of the package', required: true } } as const

const changed = (change: typeof offerPackage, how: string) => (input: VerbInput) =>
  withStore(input, async ({ db }) => {
    const [id, workspace] = [argumentAt(input, 0), requiredOption(input, 'workspace')]
    await requireOpen(db, workspace)
    const found = await db.transaction(tx => change(tx, { workspace, id }))
    if (!found) throw new UserError(`there is no package ${id} in this workspace`)
    return { json: shownPackage(found), text: `${found.name} of ${found.vendor.name} ${how}.\n${described(found)}` }
  })

const described = ({ kind, shares, invitation, candidate_host, privacy_url }: StoredPackage): string =>
  [
    `Kind: ${kind}`,
    `Candidate data: ${['name', ...shares].join(', ')}`,
    `Invitation: by ${invitation === 'vendor' ? 'the vendor' : `the service, with a link to ${candidate_host}`}`,
    `Privacy notice: ${privacy_url}`,
  ].join('\n')

const shownPackage = (found: StoredPackage) => {
  const { id, name, kind, vendor, status, shares, invitation, candidate_host, privacy_url } = found
  return { id, name, kind, vendor, status, shares, invitation, candidate_host, privacy_url }
}

export const packageVerbs: readonly Verb[] = [
  {
    name: 'packages list',
    description: 'Lists the tests and checks that vendors published in a workspace.',
    options: WORKSPACE,
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = requiredOption(input, 'workspace')
        await requireOpen(db, workspace)
        const rows = (await db.query(packagesPage(workspace, {}, ALL_ROWS))).map(toPackage)
        const cells = rows.map(row => [row.id, row.status, row.kind, row.vendor.name, row.name, row.shares.join(' ')])
        return {
          json: rows.map(shownPackage),
          text: table([['PACKAGE', 'STATUS', 'KIND', 'VENDOR', 'NAME', 'SHARES'], ...cells]),
        }
      }),
  },
  {
    name: 'packages offer',
    description: 'Lets recruiters and keys of a workspace order a package.',
    args: ['PACKAGE'],
    options: WORKSPACE,
    run: changed(offerPackage, 'can be ordered now'),
  },
  {
    name: 'packages withdraw',
    description: 'Ends that a package can be ordered. Open orders go on.',
    args: ['PACKAGE'],
    options: WORKSPACE,
    run: changed(withdrawPackage, 'can no longer be ordered'),
  },
  {
    name: 'packages disconnect',
    description: 'Withdraws every package of a vendor, such as a key that was revoked, and cancels its open orders.',
    args: ['VENDOR'],
    options: WORKSPACE,
    run: input =>
      withStore(input, async ({ db }) => {
        const [vendor, workspace] = [argumentAt(input, 0), requiredOption(input, 'workspace')]
        await requireOpen(db, workspace)
        const withdrawn = await db.transaction(tx => withdrawPackagesOfVendor(tx, workspace, vendor))
        let canceled = 0
        for (;;) {
          const some = await db.transaction(tx => cancelOrdersOfVendor(tx, workspace, vendor))
          if (some === 0) break
          canceled += some
        }
        const text = `Packages withdrawn: ${withdrawn}. Orders canceled: ${canceled}.`
        return { json: { vendor_id: vendor, withdrawn, canceled }, text }
      }),
  },
]
