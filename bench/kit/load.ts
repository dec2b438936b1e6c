// The load generator, in a process of its own. It writes prepared bytes to plain sockets and reads just enough of a
// response to know where it ends, so that it takes a small part of the machine it shares with the server and the database.

import { connect, type Socket } from 'node:net'
import { serveCommands, usage } from './child.ts'
import { UNIQUE, unique } from './scenario.ts'

export interface Prepare {
  do: 'prepare'
  name: string
  /** whole requests, as they are sent */
  requests: string[]
  /** the status that every response must have */
  status: number
}

export interface Send {
  do: 'send'
  name: string
  port: number
  connections: number
  /** warm-up that is sent first and not counted: a server that was idle needs a moment */
  settleSeconds?: number
  /** until the time is over, or until this many responses have arrived */
  seconds?: number
  count?: number
}

export interface Sent {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** share of the time in which this process had something to do */
  busy: number
  /** responses during `settleSeconds` */
  uncounted: number
}

interface Prepared {
  requests: { bytes: Buffer; uniqueAt: number }[]
  next: number
  statusLine: string
}

const HEAD_END = Buffer.from('\r\n\r\n')
const READ_BYTES = 65_536
const STALL_MS = 20_000
const LONGEST_MS = 600_000

const prepared = new Map<string, Prepared>()
/** All lists share it, because the servers of a row write to the same tables. */
let uniques = 0

serveCommands({
  handlers: {
    prepare: ({ name, requests, status }: Prepare) => {
      const bytes = requests.map(text => Buffer.from(text))
      prepared.set(name, {
        requests: bytes.map(request => ({ bytes: request, uniqueAt: request.indexOf(UNIQUE) })),
        next: 0,
        statusLine: `HTTP/1.1 ${status} `,
      })
    },
    send,
    usage,
  },
})

async function send(how: Send): Promise<Sent> {
  const { settleSeconds = 0, seconds = Infinity, count = Infinity } = how
  const list = prepared.get(how.name)!
  const talkers = await Promise.all(Array.from({ length: how.connections }, () => open(how.port)))
  const stalled = setTimeout(
    () => {
      for (const { socket } of talkers) socket.destroy(new Error(`no response for ${STALL_MS / 1000} s`))
    },
    (seconds === Infinity ? LONGEST_MS : (settleSeconds + seconds) * 1000) + STALL_MS,
  )
  try {
    const settled = settleSeconds > 0 ? await converse(talkers, list, settleSeconds, Infinity) : undefined
    return { ...(await converse(talkers, list, seconds, count)), uncounted: settled?.requests ?? 0 }
  } finally {
    clearTimeout(stalled)
    for (const { socket } of talkers) socket.destroy()
  }
}

async function converse(
  talkers: Talker[],
  list: Prepared,
  seconds: number,
  count: number,
): Promise<Omit<Sent, 'uncounted'>> {
  const latencies: number[] = []
  const loopBefore = performance.eventLoopUtilization()
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  let left = count
  const next = () => {
    if (left <= 0 || performance.now() >= until) return undefined
    left--
    list.next = (list.next + 1) % list.requests.length
    const { bytes, uniqueAt } = list.requests[list.next]!
    if (uniqueAt < 0) return bytes
    // a copy: the one before may still wait in a socket
    const copy = Buffer.from(bytes)
    copy.write(unique(++uniques), uniqueAt, 'latin1')
    return copy
  }
  await Promise.all(talkers.map(talker => talker.converse(next, list.statusLine, latencies)))
  const elapsedMs = performance.now() - startedAt
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    requests: sorted.length,
    seconds: elapsedMs / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busy: performance.eventLoopUtilization(loopBefore).utilization,
  }
}

interface Talker {
  socket: Socket
  /** Sends and waits, sends and waits, until there is nothing to send. */
  converse(next: () => Buffer | undefined, statusLine: string, latencies: number[]): Promise<void>
}

function open(port: number): Promise<Talker> {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  let onChunk: (chunk: Buffer) => void = () => {}
  let onLost: (error: Error) => void = () => {}
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer,
      callback: bytes => {
        onChunk(buffer.subarray(0, bytes))
        return true
      },
    },
  })
  const talker: Talker = {
    socket,
    converse: (next, statusLine, latencies) =>
      new Promise<void>((resolve, reject) => {
        let sentAt = 0
        /** bytes of the body still to come; undefined: the head is not complete yet */
        let missing: number | undefined
        let head = Buffer.alloc(0)
        const write = () => {
          const request = next()
          if (!request) return resolve()
          missing = undefined
          sentAt = performance.now()
          socket.write(request)
        }
        onChunk = chunk => {
          if (missing === undefined) {
            const bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk])
            const end = bytes.indexOf(HEAD_END)
            if (end < 0) {
              head = Buffer.from(bytes)
              return
            }
            const text = bytes.toString('latin1', 0, end)
            const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
            if (!text.startsWith(statusLine) || length === undefined) {
              return reject(new Error(`unexpected response: ${bytes.toString('utf8', 0, 1500)}`))
            }
            head = Buffer.alloc(0)
            missing = Number(length) - (bytes.length - end - HEAD_END.length)
          } else missing -= chunk.length
          if (missing > 0) return
          latencies.push(performance.now() - sentAt)
          write()
        }
        onLost = reject
        write()
      }),
  }
  socket.on('error', error => onLost(error))
  socket.on('close', () => onLost(new Error('the server closed a connection')))
  return new Promise((resolve, reject) => {
    onLost = reject
    socket.once('connect', () => resolve(talker))
  })
}
