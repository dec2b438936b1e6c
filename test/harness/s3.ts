import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atFileEnd } from './file-end.ts'

const REGION = 'us-east-1'
const ACCESS_KEY = 'AKIATESTTESTTESTTEST'
const SECRET = 'secret-of-the-test-store'

export interface S3Store {
  /** what the service is started with */
  settings: Record<string, string>
  objects: Map<string, { body: Buffer; type: string }>
  /** list calls, which the health check makes */
  lists: number
  /** Closes the port until `start`, which opens the same one. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Accepts requests and never responds. */
  silent: boolean
  /** The same for the requests that it chooses. */
  hold: ((method: string, key: string) => boolean) | undefined
}

const running = new Set<Server>()
atFileEnd(async () => {
  for (const server of running) await stopped(server)
})

const stopped = (server: Server) =>
  new Promise<void>(resolve => {
    running.delete(server)
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** A store that speaks S3 with path-style addresses, one bucket and one access key, and checks signatures in headers. */
export async function startS3(bucket = 'files'): Promise<S3Store> {
  const objects: S3Store['objects'] = new Map()
  let server: Server | undefined
  let port = 0
  const store: S3Store = {
    objects,
    lists: 0,
    silent: false,
    hold: undefined,
    settings: {},
    async stop() {
      if (server) await stopped(server)
      server = undefined
    },
    async start() {
      server = createServer((request, response) => {
        if (store.silent || store.hold?.(request.method!, decodeURIComponent(request.url!))) return
        respond(request, response).catch(error => refuse(response, 500, 'InternalError', String(error)))
      })
      running.add(server)
      await new Promise<void>(resolve => server!.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
    },
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://store')
    const body = await buffer(request)
    const fault = signatureFault(request, url)
    if (fault) return refuse(response, 403, fault, fault)
    const [, named = '', ...rest] = url.pathname.split('/')
    if (named !== bucket) return refuse(response, 404, 'NoSuchBucket', 'The specified bucket does not exist')
    const key = decodeURIComponent(rest.join('/'))
    if (key === '' && url.searchParams.get('list-type') === '2') {
      store.lists++
      const keys = [...objects.keys()].filter(k => k.startsWith(url.searchParams.get('prefix') ?? ''))
      const contents = keys.map(k => `<Contents><Key>${k}</Key></Contents>`).join('')
      return xml(response, 200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`)
    }
    if (request.method === 'PUT') {
      objects.set(key, { body, type: request.headers['content-type'] ?? '' })
      return void response.writeHead(200, { ETag: '"x"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) return refuse(response, 404, 'NoSuchKey', 'The specified key does not exist.')
    response.writeHead(200, { 'Content-Type': found.type, 'Content-Length': found.body.length })
    response.end(request.method === 'HEAD' ? undefined : found.body)
  }

  await store.start()
  Object.assign(store.settings, {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: ACCESS_KEY,
    S3_SECRET_ACCESS_KEY: SECRET,
    S3_FORCE_PATH_STYLE: 'on',
  })
  return store
}

const xml = (response: ServerResponse, status: number, text: string) =>
  void response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)

const refuse = (response: ServerResponse, status: number, code: string, message: string) =>
  xml(response, status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`)

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

/** Signature Version 4 in the Authorization header, as the Amazon S3 documentation describes it. */
function signatureFault({ method, headers }: IncomingMessage, url: URL): string | undefined {
  const [, id, date, region, signed = '', signature] =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=([0-9a-f]+)/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (id !== ACCESS_KEY) return 'InvalidAccessKeyId'
  const query = [...url.searchParams].map(([n, v]) => `${encodeURIComponent(n)}=${encodeURIComponent(v)}`).sort()
  const lines = signed.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`)
  const hash = String(headers['x-amz-content-sha256'])
  const canonical = [method, url.pathname, query.join('&'), lines.join(''), signed, hash].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n')
  const key = [date!, REGION, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${SECRET}`)
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
