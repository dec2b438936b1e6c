import { type AddressInfo, createServer, type Server, Socket } from 'node:net'
import { after } from 'node:test'

/**
 * `pass`: as if it were not there. `refuse`: connections are cut, and new ones refused. `hang`: connections stay open, new
 * ones are accepted, and no byte arrives, as behind a firewall that drops packets. Those connections are lost permanently: after
 * it, only new ones pass.
 */
export type ProxyMode = 'pass' | 'refuse' | 'hang'

export interface TcpProxy {
  port: number
  /** connections that are open now */
  open: number
  set(mode: ProxyMode): Promise<void>
  /** Cuts every connection with a reset; new ones pass. */
  reset(): void
  /**
   * The next bytes from a client that match are passed on, and the connection is cut before a byte of the response comes back.
   * Resolves when that has happened.
   */
  cutAfter(pattern: RegExp): Promise<void>
}

interface Pair {
  near: Socket
  far: Socket
  /** what is sent is dropped */
  lost: boolean
}

type Target = { host: string; port: number } | { path: string }

const running = new Set<() => Promise<void>>()
after(async () => {
  await Promise.all([...running].map(stop => stop()))
})

/** A proxy of our own between the service and a server that it needs. */
export async function startTcpProxy(target: Target): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let mode: ProxyMode = 'pass'
  let cut: { pattern: RegExp; done: () => void } | undefined
  let server: Server | undefined

  const connect = (near: Socket) => {
    const far = new Socket()
    const pair: Pair = { near, far, lost: mode === 'hang' }
    pairs.add(pair)
    let mute = false
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    near.on('data', chunk => {
      if (pair.lost) return
      if (cut?.pattern.test(chunk.toString('latin1'))) {
        mute = true
        const { done } = cut
        cut = undefined
        // what the server does with it is done when its response begins
        far.once('data', () => {
          near.resetAndDestroy()
          end()
          done()
        })
      }
      far.write(chunk)
    })
    far.on('data', chunk => mute || pair.lost || near.write(chunk))
    if ('path' in target) far.connect(target.path)
    else far.connect(target.port, target.host)
  }
  const listen = async (port: number) => {
    server = createServer(connect)
    await new Promise<void>(resolve => server!.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const cutAll = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
    pairs.clear()
  }
  const stopListening = async () => {
    const ended = new Promise(resolve => (server ? server.close(resolve) : resolve(undefined)))
    cutAll()
    await ended
    server = undefined
  }
  const port = await listen(0)
  running.add(stopListening)
  return {
    port,
    get open() {
      return pairs.size
    },
    async set(next) {
      mode = next
      if (next === 'refuse') return stopListening()
      if (!server) await listen(port)
      if (next === 'hang') for (const pair of pairs) pair.lost = true
    },
    reset: cutAll,
    cutAfter: pattern =>
      new Promise<void>(done => {
        cut = { pattern, done }
      }),
  }
}
