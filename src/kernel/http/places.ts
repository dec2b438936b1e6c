import { BlockList, isIP, type Socket } from 'node:net'
import { network } from '../net/network.ts'

/** One network has at most this part of all connections, or these few where that is less. */
const SHARE = 0.1
const SMALLEST_SHARE = 16
/** Connections beyond a limit that are kept until their first request says whether it is a health check. */
const MAX_EXTRA = 16

/** A connection that counts against the limits. */
interface Place {
  socket: Socket
  group: Group
}

/** The connections of a network. `resting`: those without a request in flight, the longest without one first. */
interface Group {
  /** undefined: of a trusted proxy, which has no share */
  name: string | undefined
  count: number
  resting: Map<string, Place>
}

export interface PlaceLimits {
  connections: number
  /** addresses and ranges of proxies, which bring the connections of many */
  proxies: readonly string[]
}

/**
 * Decides which connections stay when there are too many. A new one takes the place of the one that has rested longest, of
 * the same network if that has used up its share: so clients that only hold connections cannot keep others out. Where
 * every connection has a request in flight, a further one may still carry a health check, and nothing else.
 */
export class Places {
  readonly #limit: number
  readonly #share: number
  readonly #proxies = new BlockList()
  readonly #places = new Map<string, Place>()
  readonly #resting = new Map<string, Place>()
  readonly #groups = new Map<string | undefined, Group>()
  /** beyond the limits, oldest first */
  readonly #extra = new Map<string, Socket>()

  constructor({ connections, proxies }: PlaceLimits) {
    this.#limit = connections
    this.#share = Math.max(SMALLEST_SHARE, Math.ceil(connections * SHARE))
    for (const range of proxies) {
      const [address = '', bits] = range.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#proxies.addAddress(address, family)
      else this.#proxies.addSubnet(address, Number(bits), family)
    }
  }

  /** A connection was opened. */
  add(socket: Socket): void {
    const key = keyOf(socket)
    // it was closed before it could be looked at
    if (key === undefined) return void socket.destroy()
    socket.once('close', () => this.#remove(key, socket))
    if (!this.#admit(key, socket)) this.#addExtra(key, socket)
  }

  /** A request begins. False: there is no place for its connection, and only a health check may go on. */
  occupy(socket: Socket): boolean {
    const key = keyOf(socket)
    if (key === undefined) return false
    const place = this.#places.get(key)
    if (place) {
      this.#resting.delete(key)
      place.group.resting.delete(key)
      return true
    }
    const extra = this.#extra.get(key)
    if (!extra) return false
    // a place may have become free since it was opened
    if (!this.#admit(key, extra)) return false
    this.#extra.delete(key)
    return this.occupy(socket)
  }

  /** No request of the connection is in flight any more. */
  rest(socket: Socket): void {
    const key = keyOf(socket)
    const place = key === undefined ? undefined : this.#places.get(key)
    if (key !== undefined && place) this.#rest(key, place)
  }

  #rest(key: string, place: Place): void {
    this.#resting.set(key, place)
    place.group.resting.set(key, place)
  }

  /** Gives the connection a place, that of another if need be. */
  #admit(key: string, socket: Socket): boolean {
    const group = this.#groupOf(socket)
    const isOverShare = group.name !== undefined && group.count >= this.#share
    if (isOverShare || this.#places.size >= this.#limit) {
      const [longest] = isOverShare ? group.resting : this.#resting
      if (!longest) return false
      longest[1].socket.destroy()
      this.#remove(longest[0], longest[1].socket)
    }
    const place = { socket, group }
    group.count++
    this.#groups.set(group.name, group)
    this.#places.set(key, place)
    this.#rest(key, place)
    return true
  }

  #addExtra(key: string, socket: Socket): void {
    const [oldest] = this.#extra
    if (oldest && this.#extra.size >= MAX_EXTRA) {
      this.#extra.delete(oldest[0])
      oldest[1].destroy()
    }
    this.#extra.set(key, socket)
  }

  #remove(key: string, socket: Socket): void {
    // the client may have another connection from the same port by now
    if (this.#extra.get(key) === socket) this.#extra.delete(key)
    const place = this.#places.get(key)
    if (place?.socket !== socket) return
    this.#places.delete(key)
    this.#resting.delete(key)
    place.group.resting.delete(key)
    if (--place.group.count === 0) this.#groups.delete(place.group.name)
  }

  #groupOf({ remoteAddress = '' }: Socket): Group {
    const family = isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4'
    const name = this.#proxies.check(remoteAddress, family) ? undefined : network(remoteAddress)
    return this.#groups.get(name) ?? { name, count: 0, resting: new Map() }
  }
}

/** The same for a TLS connection and the one below it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string | undefined =>
  remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`
