import assert from 'node:assert/strict'
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { readConfig } from '../../src/kernel/config/config.ts'
import { composer } from '../../src/kernel/mail/compose.ts'
import { isAddress, type Mail, MailInDoubt, MailNotSent, parseMailbox } from '../../src/kernel/mail/mail.ts'
import { Outbox } from '../../src/kernel/mail/outbox.ts'
import { readMail } from '../../src/kernel/mail/read-mail.ts'
import { SmtpMailer } from '../../src/kernel/mail/smtp.ts'
import { openTransport } from '../../src/kernel/services/open-mailer.ts'
import { CA_FILE, RECEIVER_TLS } from '../harness/receiver.ts'
import { startMailServer } from '../harness/smtp.ts'

const folder = mkdtempSync(join(tmpdir(), 'hiring-mail-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const compose = composer({ name: 'Hiring', address: 'no-reply@mail.test' })
const mail = (over: Partial<Mail> = {}): Mail => ({
  id: 'msg_1',
  audience: { workspaceId: 'wsp_1' },
  to: { name: 'Ada', address: 'ada@somewhere.test' },
  subject: 'Hello',
  text: 'How are you?',
  ...over,
})
const parse = (raw: Buffer) => new PostalMime().parse(raw)
const headerLines = (raw: Buffer) => raw.toString('latin1').split('\r\n\r\n')[0]!.split('\r\n')

const mails = await startMailServer()
const smtp = (url = mails.url, timeoutSeconds = 5) => new SmtpMailer({ url, timeoutSeconds, compose })

test('SMTP: an accepted mail arrives once, with its stable Message-ID', async () => {
  await smtp().send(mail({ replyTo: { name: 'Olga', address: 'olga@firm.test' }, headers: { 'X-One': 'two' } }))
  assert.equal(mails.arrived.length, 1)
  const [arrived] = mails.arrived
  assert.deepEqual([arrived!.from, arrived!.to], ['no-reply@mail.test', ['ada@somewhere.test']])
  const parsed = await parse(arrived!.raw)
  assert.equal(parsed.messageId, '<msg_1@mail.test>')
  assert.deepEqual(parsed.from, { name: 'Hiring', address: 'no-reply@mail.test' })
  assert.deepEqual(parsed.replyTo, [{ name: 'Olga', address: 'olga@firm.test' }])
  assert.equal(parsed.subject, 'Hello')
  assert.equal(parsed.text?.trim(), 'How are you?')
  assert.equal(parsed.headers.find(header => header.key === 'x-one')?.value, 'two')
})

for (const [behaviour, error, reachedEnd] of [
  ['cut at connection', MailNotSent, 0],
  ['cut before data', MailNotSent, 0],
  ['cut during data', MailInDoubt, 0],
  ['cut after data', MailInDoubt, 1],
  ['refuse recipient', MailNotSent, 0],
  ['defer recipient', MailNotSent, 0],
  ['refuse after data', MailNotSent, 0],
] as const) {
  test(`SMTP: ${behaviour} is ${error.name}`, async () => {
    const server = await startMailServer()
    server.behaviour = behaviour
    // longer than one read of the server, so that the text is cut in its middle
    await assert.rejects(smtp(server.url).send(mail({ text: 'x'.repeat(200_000) })), error)
    assert.equal(server.arrived.length, reachedEnd)
  })
}

test('SMTP: the session ends with QUIT; a server that does not respond to it has still accepted the mail', async () => {
  for (const farewell of ['221 bye\r\n', '']) {
    const heard: string[] = []
    const gone = Promise.withResolvers<void>()
    const server = createServer(socket => {
      const say = (line: string) => void socket.write(`${line}\r\n`)
      let inText = false
      say('220 here')
      socket.on('error', () => undefined).on('close', gone.resolve)
      createInterface({ input: socket }).on('line', line => {
        if (inText && line !== '.') return
        heard.push(line.split(' ')[0]!)
        if (line === 'QUIT') return void (farewell ? socket.end(farewell) : gone.resolve())
        say(line === 'DATA' ? '354 go on' : '250 ok')
        inText = line === 'DATA'
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await smtp(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, 1).send(mail())
    await gone.promise
    server.close()
    assert.deepEqual(heard, ['EHLO', 'MAIL', 'RCPT', 'DATA', '.', 'QUIT'])
  }
})

test('SMTP: no server listens: certainly not sent', async () => {
  await assert.rejects(smtp('smtp://127.0.0.1:1').send(mail()), MailNotSent)
})

test('SMTP: no response within the time limit after the text: in doubt', async () => {
  const server = await startMailServer()
  server.behaviour = 'silent'
  await assert.rejects(smtp(server.url, 1).send(mail()), MailInDoubt)
})

test('SMTP: signs in with what the address says; a wrong password is certainly not sent', async () => {
  const server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'us er' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('wrong')),
  })
  const as = (credentials: string) => smtp(server.url.replace('smtp://', `smtp://${credentials}@`))
  await as('us%20er:p%40ss').send(mail())
  assert.equal(server.arrived.length, 1)
  assert.match(await as('us%20er:p%40ss').check(), /^127\.0\.0\.1:\d+ responds$/)
  await assert.rejects(as('us%20er:no').send(mail()), MailNotSent)
  await assert.rejects(as('us%20er:no').check())
  assert.equal(server.arrived.length, 1)
})

test('SMTP: TLS from the first byte, or as soon as it is offered; to an untrusted certificate, it is certainly not sent', async () => {
  const { cert, key } = RECEIVER_TLS
  const trusted = getCACertificates('default')
  for (const secure of [true, false]) {
    const server = await startMailServer({ secure, cert, key, disabledCommands: [] })
    const url = `${secure ? server.url.replace('smtp:', 'smtps:') : server.url}/?tls.servername=hooks.test`
    await assert.rejects(smtp(url).send(mail()), MailNotSent)
    setDefaultCACertificates([...trusted, readFileSync(CA_FILE, 'utf8')])
    try {
      await smtp(url).send(mail())
      await assert.rejects(smtp(url.replace('hooks.test', 'other.test')).send(mail()), MailNotSent)
    } finally {
      setDefaultCACertificates(trusted)
    }
    assert.deepEqual(
      server.arrived.map(arrived => arrived.tls),
      [true],
    )
  }
})

test('SMTP: requireTLS: nothing is sent to a server that offers no TLS', async () => {
  const server = await startMailServer()
  await assert.rejects(smtp(`${server.url}/?requireTLS=true`).send(mail()), MailNotSent)
  assert.equal(server.begun, 0)
})

test('SMTP: an internationalized address is marked as such where the server takes it', async () => {
  const to = { name: 'Žofie 汉', address: 'žofie@bücher.test' }
  await smtp().send(mail({ id: 'msg_intl', to }))
  const arrived = mails.arrived.at(-1)!
  assert.equal(arrived.utf8, true)
  assert.equal((await parse(arrived.raw)).to?.[0]?.name, 'Žofie 汉')
  // A name of a host has an ASCII form that every server takes.
  assert.equal((await compose(mail({ to: { address: 'zofie@bücher.test' } }))).envelope.to, 'zofie@xn--bcher-kva.test')
  const old = await startMailServer({ hideSMTPUTF8: true })
  await smtp(old.url).send(mail({ to: { address: 'zofie@bücher.test' } }))
  assert.deepEqual([old.arrived.length, old.arrived[0]!.utf8], [1, false])
})

test('mail: line breaks in names, subjects and values begin no header', async () => {
  const evil = 'Hello\r\nBcc: victim@somewhere.test\r\n\r\n<b>body</b>\u2028x'
  const { raw, envelope } = await compose(
    mail({
      subject: evil,
      to: { name: evil, address: 'ada@somewhere.test' },
      replyTo: { name: evil, address: 'olga@firm.test' },
      headers: { 'X-One': evil },
    }),
  )
  const parsed = await parse(raw)
  assert.deepEqual(envelope.to, 'ada@somewhere.test')
  assert.deepEqual(parsed.to?.length, 1)
  assert.equal(parsed.bcc, undefined)
  assert.equal(
    headerLines(raw).some(line => /^bcc:/i.test(line)),
    false,
  )
  assert.equal(parsed.text?.trim(), 'How are you?')
  assert.equal(parsed.subject, 'Hello Bcc: victim@somewhere.test <b>body</b> x')
})

test('mail: an address that could be read as two, or as part of a command, is certainly not sent', async () => {
  for (const address of ['a@b.test, c@d.test', 'a@b.test\r\nDATA', '<a@b.test>', 'a@b@c', 'a', '', 'a b@c.test']) {
    await assert.rejects(compose(mail({ to: { address } })), MailNotSent, address)
    assert.equal(isAddress(address), false)
  }
})

test('mail: no line is longer than 998 bytes, whatever the text, the subject and the names', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 3000 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      async (text, subject) => {
        const long = `${text}${'w'.repeat(5000)}${text}`
        const { raw } = await compose(
          mail({ text: long, html: `<p>${'é'.repeat(3000)}</p>`, subject, to: { name: subject, address: 'a@b.test' } }),
        )
        for (const line of raw.toString('latin1').split('\r\n')) assert.ok(line.length <= 998, line)
        assert.equal(/[^\r]\n|\r[^\n]/.test(raw.toString('latin1')), false)
      },
    ),
    { numRuns: 30 },
  )
})

const shownText = fc
  .string({ unit: 'grapheme', maxLength: 400 })
  .map(text => text.replace(/\r\n?/g, '\n').replace(/\p{Cs}/gu, '?'))

test('mail: what is written is read back the same, by us and by another reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      shownText,
      shownText,
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      async (text, html, line) => {
        const subject = line
          .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
          .replace(/ +/g, ' ')
          .trim()
        const { raw } = await compose(mail({ text: `${text}\nend`, html: `<p>${html}</p>`, subject }))
        const ours = readMail(raw)
        assert.equal(ours.text, `${text}\nend`)
        assert.equal(ours.html, `<p>${html}</p>`)
        assert.equal(ours.subject, subject)
        const theirs = await parse(raw)
        assert.equal(theirs.text?.replace(/\r\n/g, '\n').replace(/\n$/, ''), `${text}\nend`)
        assert.equal(theirs.subject ?? '', subject)
      },
    ),
    { numRuns: 100 },
  )
})

test('outbox: mails appear whole, newest first, once for an id; one can be read and removed', async () => {
  const path = join(folder, 'outbox')
  const outbox = new Outbox(path, compose)
  assert.deepEqual(await outbox.list(), [])
  assert.match(await outbox.check(), /emails are not sent/)
  await outbox.send(mail({ id: 'msg_a', subject: 'Ä first', html: '<p>hi</p>' }))
  await outbox.send(mail({ id: 'msg_b' }))
  await outbox.send(mail({ id: 'msg_b' }))
  utimesSync(join(path, 'msg_a.eml'), 1_000, 1_000)
  writeFileSync(join(path, 'msg_a.1.draft'), 'half')
  assert.deepEqual(
    (await outbox.list()).map(({ id }) => id),
    ['msg_b', 'msg_a'],
  )
  assert.equal((await outbox.list(1)).length, 1)
  const read = await outbox.read('msg_a')
  assert.deepEqual(
    [read!.to, read!.from, read!.subject, read!.text, read!.html, read!.at],
    ['Ada <ada@somewhere.test>', 'Hiring <no-reply@mail.test>', 'Ä first', 'How are you?', '<p>hi</p>', 1_000_000],
  )
  assert.equal((await parse(read!.raw)).messageId, '<msg_a@mail.test>')
  assert.deepEqual(read!.audience, { workspaceId: 'wsp_1' })
  assert.equal(statSync(join(path, 'msg_a.eml')).mode & 0o777, 0o600)

  await outbox.remove('msg_a')
  await outbox.remove('msg_a')
  await outbox.remove('../outbox/msg_b')
  assert.equal(await outbox.read('msg_a'), null)
  assert.equal(await outbox.read('../outbox/msg_b'), null)
  assert.deepEqual(readdirSync(path).sort(), ['msg_b.eml'])
})

test('outbox: the audience is stored with the mail, cannot be set by the mail itself, and is not sent', async () => {
  const path = join(folder, 'audience')
  const outbox = new Outbox(path, compose)
  const forged = 'X-Hiring-Audience: workspace wsp_forged'
  const hostile = { subject: `x\r\n${forged}`, text: forged, headers: { 'X-Hiring-Audience': 'workspace wsp_forged' } }
  await outbox.send(mail({ id: 'link', audience: { signsIn: true, userIds: ['usr_1', 'usr_2'] }, ...hostile }))
  assert.deepEqual((await outbox.read('link'))!.audience, { userIds: ['usr_1', 'usr_2'] })
  writeFileSync(
    join(path, 'older.eml'),
    (await compose(mail({ id: 'older', subject: `x\r\n${forged}`, text: forged }))).raw,
  )
  assert.equal((await outbox.read('older'))!.audience, null)
  await assert.rejects(outbox.send(mail({ audience: { signsIn: true, userIds: [] } })), MailNotSent)
  await assert.rejects(outbox.send(mail({ audience: { workspaceId: 'wsp_1\r\nTo: x' } })), MailNotSent)
  assert.ok(!(await compose(mail())).raw.includes('X-Hiring-Audience'))
})

test('outbox: a folder that cannot be written is certainly not sent', async () => {
  writeFileSync(join(folder, 'file'), '')
  await assert.rejects(new Outbox(join(folder, 'file'), compose).send(mail()), MailNotSent)
})

test('settings: the outbox without SMTP_URL; the mail server with it; the sender as configured', async () => {
  const local = openTransport(readConfig({ DATA_DIR: folder }))
  assert.equal(local.transport, local.outbox)
  await local.transport.send(mail({ id: 'msg_local' }))
  assert.equal((await local.outbox.read('msg_local'))!.from, 'Hiring <no-reply@localhost>')
  const remote = openTransport(
    readConfig({
      DATA_DIR: folder,
      SMTP_URL: mails.url,
      MAIL_FROM: 'The Firm <jobs@firm.test>',
      SMTP_TIMEOUT_SECONDS: '3',
    }),
  )
  assert.notEqual(remote.transport, remote.outbox)
  await remote.transport.send(mail({ id: 'msg_remote' }))
  assert.deepEqual((await parse(mails.arrived.at(-1)!.raw)).from, { name: 'The Firm', address: 'jobs@firm.test' })
})

test('mail: a sender: an address, or a name and an address', () => {
  assert.deepEqual(parseMailbox('a@b.test'), { address: 'a@b.test' })
  assert.deepEqual(parseMailbox(' "The Firm, Inc." <a@b.test> '), { name: 'The Firm, Inc.', address: 'a@b.test' })
  for (const text of ['', 'a', 'X <a>', 'a@b.test, c@d.test', 'X <a@b.test> y', 'X\r\n <a@b.test>']) {
    assert.equal(parseMailbox(text), undefined, text)
  }
})

test('DKIM: the signature holds for the body and for the headers, both of a one-click unsubscribe among them', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyFile = join(folder, 'dkim.pem')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const { transport: mailer } = openTransport(
    readConfig({
      DATA_DIR: folder,
      SMTP_URL: mails.url,
      MAIL_FROM: 'jobs@firm.test',
      DKIM_DOMAIN: 'firm.test',
      DKIM_SELECTOR: 'one',
      DKIM_PRIVATE_KEY: keyFile,
    }),
  )
  await mailer.send(
    mail({
      text: 'Grüße  \n.\n..dots\n\n\n',
      html: '<p>Grüße</p>',
      subject: `Ä ${'long '.repeat(38)}`,
      headers: { 'List-Unsubscribe': '<https://x.test/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  )
  const raw = mails.arrived.at(-1)!.raw.toString('latin1')
  const tags = dkimTags(raw)
  assert.deepEqual([tags['d'], tags['s'], tags['a'], tags['c']], ['firm.test', 'one', 'rsa-sha256', 'relaxed/relaxed'])
  for (const name of ['from', 'to', 'subject', 'message-id', 'date', 'list-unsubscribe', 'list-unsubscribe-post']) {
    assert.ok(tags['h']!.toLowerCase().split(':').includes(name), `${name} is signed`)
  }
  assert.equal(tags['bh'], bodyHash(raw))
  const verify = (text: string) =>
    createVerify('rsa-sha256').update(signedHeaders(text, tags), 'latin1').verify(publicKey, tags['b']!, 'base64')
  assert.equal(verify(raw), true)
  assert.equal(verify(raw.replace('https://x.test/u', 'https://y.test/u')), false)
})

/** RFC 6376, 3.4.2 to 3.4.4 and 3.7: the relaxed forms, recomputed here from the text of the standard. */
const relaxedHeader = (line: string) => {
  const [, name = '', value = ''] = /^([^:]+):([\s\S]*)$/.exec(line)!
  return `${name.trim().toLowerCase()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`
}
const headersOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n')).split(/\r\n(?![ \t])/)
const dkimTags = (raw: string): Record<string, string> => {
  const line = headersOf(raw).find(header => /^dkim-signature:/i.test(header))!
  const pairs = line
    .replace(/^[^:]+:/, '')
    .replace(/\s+/g, '')
    .split(';')
  return Object.fromEntries(pairs.filter(Boolean).map(pair => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)]))
}
const bodyHash = (raw: string) => {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4)
  const lines = body.split('\r\n').map(line => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  const relaxed = `${lines.join('\r\n').replace(/(\r\n)*$/, '')}\r\n`
  return createHash('sha256').update(relaxed, 'latin1').digest('base64')
}
const signedHeaders = (raw: string, tags: Record<string, string>) => {
  const all = headersOf(raw)
  const chosen = tags['h']!.split(':')
    .map(name => all.findLast(line => line.toLowerCase().startsWith(`${name.toLowerCase()}:`)))
    .filter(line => line !== undefined)
  const own = all.find(line => /^dkim-signature:/i.test(line))!.replace(/([;:\s]b=)[^;]*/, '$1')
  return [...chosen, own].map(relaxedHeader).join('\r\n')
}
