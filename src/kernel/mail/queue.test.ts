import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatastoreUnavailable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Mail, MailInDoubt, MailNotSent } from './mail.ts'
import { type MailOutcome, type MailQueue, type MailServices, sendNextMails } from './queue.ts'

const mailTo = (address: string): Mail => ({
  id: `mail-${address}`,
  audience: { signsIn: true, userIds: [] },
  to: { address },
  subject: 'Subject',
  text: 'Text',
})

/** A queue of one round. Its work is lists of those who are written to. */
async function sendRound(work: readonly string[][], opts: { write?: () => never; undo?: Sql } = {}) {
  const outcomes: [string, MailOutcome][] = []
  const sent: string[] = []
  const statements: Sql[] = []
  const logged: string[] = []
  const queue: MailQueue<readonly string[]> = {
    claim: async () => work,
    describe: people => ({ people: people.length }),
    write: async (_services, people) =>
      opts.write?.() ?? people.map(address => ({ ...mailTo(address), ...(opts.undo && { undo: opts.undo }) })),
    settle(people, outcome) {
      outcomes.push([people.join(' '), outcome])
      return undefined
    },
  }
  const services = {
    db: { query: async (statement: Sql) => void statements.push(statement) },
    mailer: {
      async send({ to }: Mail) {
        if (to.address.startsWith('refused')) throw new MailNotSent('refused')
        if (to.address.startsWith('doubt')) throw new MailInDoubt('lost')
        sent.push(to.address)
      },
    },
    log: {
      warn: (_: object, text: string) => logged.push(text),
      error: (_: object, text: string) => logged.push(text),
    },
  } as unknown as MailServices
  return { isBusy: await sendNextMails(services, queue), outcomes, sent, statements, logged }
}

test('mail queue: nothing is due: nothing is settled, and the loop pauses', async () => {
  const { isBusy, outcomes } = await sendRound([])
  assert.deepEqual([isBusy, outcomes], [false, []])
})

test('mail queue: what was sent, what was refused and what has no recipient are three outcomes', async () => {
  const { isBusy, outcomes, sent } = await sendRound([['a@x.example'], ['refused@x.example'], []])
  assert.equal(isBusy, true)
  assert.deepEqual(Object.fromEntries(outcomes), {
    'a@x.example': 'sent',
    'refused@x.example': 'failed',
    '': 'no recipient',
  })
  assert.deepEqual(sent, ['a@x.example'])
})

test('mail queue: an email in doubt counts as sent, and what it made usable stays', async () => {
  const { outcomes, statements } = await sendRound([['doubt@x.example']], { undo: sql`select 1` })
  assert.deepEqual([outcomes, statements], [[['doubt@x.example', 'sent']], []])
})

test('mail queue: what a refused email would have made usable is removed', async () => {
  const undo = sql`select 1`
  const { statements } = await sendRound([['refused@x.example']], { undo })
  assert.deepEqual(statements, [undo])
})

test('mail queue: several recipients: it is enough that one was reached', async () => {
  const { outcomes } = await sendRound([
    ['refused@x.example', 'a@x.example'],
    ['refused@y.example', 'refused@z.example'],
  ])
  assert.deepEqual(
    outcomes.map(([, outcome]) => outcome),
    ['sent', 'failed'],
  )
})

test('mail queue: an email that cannot be written is logged and has failed; without a database it stays claimed', async () => {
  const { outcomes, logged } = await sendRound([['a@x.example']], {
    write: () => {
      throw new Error('no text')
    },
  })
  assert.deepEqual([outcomes, logged], [[['a@x.example', 'failed']], ['an email could not be written']])
  const gone = new DatastoreUnavailable('gone')
  const write = () => {
    throw gone
  }
  await assert.rejects(sendRound([['a@x.example']], { write }), gone)
})
