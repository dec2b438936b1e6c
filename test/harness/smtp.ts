import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { atFileEnd } from './file-end.ts'

/** What the server does with the next emails. `silent`: reads everything and never responds. */
export type Behaviour =
  | 'accept'
  | 'cut at connection'
  | 'cut before data'
  | 'cut during data'
  | 'cut after data'
  | 'refuse recipient'
  | 'defer recipient'
  | 'refuse after data'
  | 'silent'

type Point = 'recipient' | 'text'

export interface Stop {
  /** a session has come to this point */
  reached: Promise<void>
  goOn(): void
}

export interface Arrived {
  from: string
  to: string[]
  raw: Buffer
  /** the session had SMTPUTF8 */
  utf8: boolean
  tls: boolean
}

export interface MailServer {
  url: string
  /** every mail whose text arrived to its end, whatever response the sender got */
  arrived: Arrived[]
  /** sessions that reached DATA */
  begun: number
  connections: number
  behaviour: Behaviour
  /** Stops the next session before the response that accepts its recipient, or its text. */
  stopAt(point: Point): Stop
  close(): Promise<void>
}

const started: MailServer[] = []
atFileEnd(async () => {
  await Promise.all(started.splice(0).map(server => server.close()))
})

/** A real SMTP server that keeps what it was sent and drops connections on request. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const sockets = new Map<number, Socket>()
  const cut = (session: { remotePort: number }) => sockets.get(session.remotePort)?.destroy()
  let stop: { point: Point; reach: () => void; until: Promise<void> } | undefined
  const pass = async (point: Point) => {
    if (stop?.point !== point) return
    const { reach, until } = stop
    stop = undefined
    reach()
    await until
  }
  /** greylisting: accepted if it is tried again later */
  const deferred = Object.assign(new Error('try again later'), { responseCode: 451 })
  const refused = Object.assign(new Error('no such mailbox'), { responseCode: 550 })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    ...options,
    onConnect(session, done) {
      if (mails.behaviour === 'cut at connection') cut(session)
      else done()
    },
    async onRcptTo(_address, session, done) {
      await pass('recipient')
      if (mails.behaviour === 'refuse recipient') done(refused)
      else if (mails.behaviour === 'defer recipient') done(deferred)
      else if (mails.behaviour === 'cut before data') cut(session)
      else done()
    },
    onData(stream, session, done) {
      mails.begun++
      const { behaviour } = mails
      const chunks: Buffer[] = []
      stream.on('error', () => {})
      stream.on('data', chunk => {
        chunks.push(chunk)
        if (behaviour === 'cut during data') cut(session)
      })
      stream.on('end', async () => {
        if (behaviour === 'cut during data') return
        if (behaviour === 'refuse after data') return done(Object.assign(new Error('spam'), { responseCode: 554 }))
        const { mailFrom, rcptTo } = session.envelope
        mails.arrived.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(recipient => recipient.address),
          raw: Buffer.concat(chunks),
          utf8: Boolean((mailFrom as { args?: Record<string, unknown> })?.args?.['SMTPUTF8']),
          tls: session.secure,
        })
        await pass('text')
        if (behaviour === 'cut after data') cut(session)
        else if (behaviour !== 'silent') done()
      })
    },
  })
  server.on('error', () => {}) // the connections that are cut
  server.server.on('connection', (socket: Socket) => {
    mails.connections++
    sockets.set(socket.remotePort!, socket)
    socket.on('error', () => {})
  })
  const mails: MailServer = {
    url: '',
    arrived: [],
    begun: 0,
    connections: 0,
    behaviour: 'accept',
    stopAt: point => {
      const reached = Promise.withResolvers<void>()
      const until = Promise.withResolvers<void>()
      stop = { point, reach: reached.resolve, until: until.promise }
      return { reached: reached.promise, goOn: until.resolve }
    },
    close: () => {
      for (const socket of sockets.values()) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  mails.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  started.push(mails)
  return mails
}
