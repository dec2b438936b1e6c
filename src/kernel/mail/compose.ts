import { domainToASCII } from 'node:url'
import { lazy, lazyPackage } from '../async/lazy.ts'
import { present } from '../errors/present.ts'
import { clock } from '../time/clock.ts'
import { isAddress, type Mail, type Mailbox, MailNotSent, mailboxDomainOf } from './mail.ts'

const nodemailer = lazyPackage<typeof import('nodemailer')>('nodemailer')

export interface DkimSettings {
  domain: string
  selector: string
  privateKey: string
}

export interface Composed {
  envelope: { from: string; to: string }
  /** the whole mail as it is sent, lines ended by CR LF */
  raw: Buffer
}

export type Compose = (mail: Mail) => Promise<Composed>

// RFC 8058 asks that the signature covers both headers of a one-click unsubscribe.
const SIGNED_HEADERS =
  'From:To:Reply-To:Subject:Date:Message-ID:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

/** Writes emails of one sender, signed where a key is given. Nothing in an email can make it read a file or an address. */
export function composer(from: Mailbox, dkim?: DkimSettings): Compose {
  const transport = lazy(() =>
    nodemailer().createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim && {
        dkim: {
          domainName: dkim.domain,
          keySelector: dkim.selector,
          privateKey: dkim.privateKey,
          headerFieldNames: SIGNED_HEADERS,
        },
      }),
    }),
  )
  const messageIdDomain = domainToASCII(mailboxDomainOf(from)) || 'localhost'
  return async mail => {
    if (!/^[\w-]+$/.test(mail.id)) throw new TypeError('the id of a mail is made of letters, digits, _ and -')
    for (const { address } of [mail.to, ...(mail.replyTo ? [mail.replyTo] : [])]) {
      if (!isAddress(address)) throw new MailNotSent('not a valid email address')
    }
    const info = await transport().sendMail({
      from: mailbox(mail.fromName === undefined ? from : { ...from, name: mail.fromName }),
      to: mailbox(mail.to),
      ...(mail.replyTo && { replyTo: mailbox(mail.replyTo) }),
      subject: oneLine(mail.subject),
      messageId: `<${mail.id}@${messageIdDomain}>`,
      date: new Date(mail.writtenAt ?? clock.now()),
      // No line of an email may be longer than 998 bytes, and relays must find nothing to re-encode under a signature.
      textEncoding: 'quoted-printable',
      text: mail.text,
      ...(mail.html !== undefined && { html: mail.html }),
      ...(mail.calendar && { icalEvent: { ...mail.calendar, filename: 'invite.ics' } }),
      headers: Object.entries(mail.headers ?? {}).map(([key, value]) => ({ key, value: oneLine(value) })),
    })
    return {
      envelope: { from: String(info.envelope.from), to: present(info.envelope.to[0], 'the recipient') },
      raw: info.message as Buffer,
    }
  }
}

const mailbox = ({ name, address }: Mailbox) => ({ name: name === undefined ? '' : oneLine(name), address })

/** A line break in a value would begin another header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
