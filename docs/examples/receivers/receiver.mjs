// A webhook receiver in Node, using only the standard library.
//
//   WEBHOOK_SECRET=whsec_… PORT=8090 node receiver.mjs
//
// Run it behind an HTTPS proxy. Each event is appended to EVENTS_FILE as one line of JSON.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { fsyncSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.PORT ?? 8090)
const events = openSync(process.env.EVENTS_FILE ?? 'events.ndjson', 'a')
const TOLERANCE_SECONDS = 300
const LARGEST_BODY = 1_000_000

if (!secret) throw new Error('WEBHOOK_SECRET is not set')

/** Whether the sender has the secret and signed these bytes within the last five minutes. */
function isGenuine(header, body) {
  const parts = (header ?? '').split(',').map(part => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(time)) return false
  if (Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  // There are two v1 values during a secret rotation; accept any that matches.
  return parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value ?? ''))
    .some(([, value]) => timingSafeEqual(Buffer.from(value, 'hex'), expected))
}

// An event can arrive twice. Store the ids with the events, for example in a unique column.
const handled = new Set()

const server = createServer((request, response) => {
  const chunks = []
  let bytes = 0
  request.on('data', chunk => {
    bytes += chunk.length
    if (bytes > LARGEST_BODY) request.destroy()
    else chunks.push(chunk)
  })
  request.on('end', () => {
    // Use the raw bytes as received: parsed and serialized again, they would have a different signature.
    const body = Buffer.concat(chunks)
    if (!isGenuine(request.headers['service-signature'], body)) return response.writeHead(400).end()
    const event = JSON.parse(body.toString('utf8'))
    if (!handled.has(event.id)) {
      writeSync(events, `${JSON.stringify(event)}\n`)
      fsyncSync(events)
      handled.add(event.id)
    }
    // Durably stored, so acknowledge now and process later; the sender times out after 10 seconds.
    response.writeHead(204).end()
  })
})

server.listen(port, () => console.log(`listening on ${server.address().port}`))
