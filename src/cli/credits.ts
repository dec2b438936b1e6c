import {
  type CreditEntry,
  grantCredits,
  MAX_GRANT,
  selectBalance,
  selectCreditEntries,
} from '../resources/credits/index.ts'
import { requireWorkspace } from '../resources/workspaces/index.ts'
import { argumentAt, requiredNumber, requiredOption, wholeNumber } from './read-option.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

const SHOWN = 20
const MAX_SHOWN = 1_000

export const creditVerbs: readonly Verb[] = [
  {
    name: 'credits grant',
    description: 'Gives a workspace credits, with which it unlocks résumés and reveals contact details.',
    args: ['ID'],
    options: {
      amount: { value: 'N', description: `how many, 1 to ${MAX_GRANT}`, required: true },
      reason: { value: 'TEXT', description: 'why; owners and admins see it in the ledger', required: true },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = argumentAt(input, 0)
        const amount = requiredNumber(input, 'amount', 1, MAX_GRANT)
        const entry = await grantCredits(db, workspace, { amount, note: requiredOption(input, 'reason') })
        return { json: entry, text: `granted ${amount} to ${workspace}; the balance is ${entry.balance}` }
      }),
  },
  {
    name: 'credits show',
    description: 'Shows the balance of a workspace and its ledger, newest first.',
    args: ['ID'],
    options: { entries: { value: 'N', description: `how many entries, 0 to ${MAX_SHOWN}; default ${SHOWN}` } },
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = argumentAt(input, 0)
        const limit = wholeNumber(input, 'entries', 0, MAX_SHOWN) ?? SHOWN
        await requireWorkspace(db, workspace)
        const [row, entries] = await Promise.all([
          db.one(selectBalance(workspace)),
          db.query(selectCreditEntries(workspace, limit)),
        ])
        const balance = row?.balance ?? 0
        const text = [
          `balance: ${balance}`,
          ...(entries.length === 0 ? [] : [table([HEAD, ...entries.map(cells)])]),
        ].join('\n')
        return { json: { workspace_id: workspace, balance, entries }, text }
      }),
  },
]

const HEAD = ['NO', 'AT', 'AMOUNT', 'BALANCE', 'KIND', 'BY', 'FOR']

const cells = (entry: CreditEntry): string[] => [
  `${entry.sequence}`,
  entry.created_at,
  `${entry.amount > 0 ? '+' : ''}${entry.amount}`,
  `${entry.balance}`,
  entry.kind,
  entry.user_id ?? 'operator',
  entry.subject_id ?? entry.note ?? '',
]
