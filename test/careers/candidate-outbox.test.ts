import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { candidateMails, queueMail } from '../../src/resources/candidates/index.ts'
import { startWorld } from '../applications/setup.ts'
import { newPerson } from '../messages/setup.ts'

const world = await startWorld({ LOG_LEVEL: 'silent' })
const { service, workspace } = world
const { db, outbox } = service.services

test('candidate mails without a mail server: those to reserved example domains are in the outbox', async () => {
  for (const email of ['ada@example.com', 'ada@example.org', 'ada@jobs.example.net', 'ada@mail.test']) {
    const { id: applicantId, applicationId } = await newPerson(world, workspace, { email })
    await db.transaction(tx =>
      queueMail(tx, { workspace, kind: 'confirmation', address: email, applicantId, applicationId, language: 'en' }),
    )
    while (await sendNextMails(service.services, candidateMails(writeCandidateMail)));
    const [newest] = await outbox.list(1)
    assert.match(String(newest?.to), new RegExp(email))
  }
})
