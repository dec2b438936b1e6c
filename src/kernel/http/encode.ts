import type { PersonalRead } from '../access/budget.ts'
import { mustNameWorkspace } from '../access/workspace.ts'
import { attachment } from '../blobs/signed-url.ts'
import { fail } from '../errors/api-error.ts'
import { present } from '../errors/present.ts'
import type { CursorPosition } from './cursor.ts'
import type { Exchange } from './exchange.ts'
import { shapeWithIncluded } from './include.ts'
import type { Input } from './input.ts'
import { chosenOrder, cutPage, cutWhole } from './list.ts'
import { encodeArray, encodeEnvelopeFields, type Presenter, presenterFor } from './present.ts'
import { JSON_TYPE, type Reply } from './reply.ts'
import { type FileResponse, HandlerResponse, type LogResponse, type Output } from './route.ts'
import type { Shape } from './shape.ts'

/** The result of a handler, ready to be sent, with nothing of it written yet. */
export interface Outgoing {
  /** the personal values in it, which are charged and audited before `reply` is called */
  reads: () => PersonalRead[]
  /** `headers`: those of the charge */
  reply: (headers: string[]) => Reply
  /** closes what will not be sent */
  discard?: () => void
}

/** One kind of output: what is visible to this caller of the handler's result. */
type Encoder<K extends Output['kind']> = (
  exchange: Exchange,
  input: Input,
  result: never,
  output: Extract<Output, { kind: K }>,
) => Outgoing

const ENCODERS: { [K in Output['kind']]: Encoder<K> } = {
  one: encodeOne,
  page: encodePage,
  all: encodeAll,
  log: encodeLog,
  text: encodeText,
  file: encodeFile,
}

export function encodeResult(exchange: Exchange, input: Input, result: unknown): Outgoing {
  if (result === undefined) return fail('not_found')
  const { output } = exchange.route
  return (ENCODERS[output.kind] as Encoder<Output['kind']>)(exchange, input, result as never, output)
}

/** A row in the response's own form, with the usual status where the handler named none. */
export function handlerResponse({ route }: Exchange, result: unknown): HandlerResponse<unknown> {
  if (result === undefined) return fail('not_found')
  if (result instanceof HandlerResponse) return result
  return new HandlerResponse(result, route.output.kind === 'one' ? route.output.status : 200)
}

function encodeOne(exchange: Exchange, _input: Input, result: unknown): Outgoing {
  const { row, status, headers } = handlerResponse(exchange, result)
  return {
    reads: () => readsOf(exchange, [row]),
    reply: charged => ({
      status,
      body: presentRow(exchange, row),
      contentType: JSON_TYPE,
      headers: [...Object.entries(headers).flat(), ...charged],
    }),
  }
}

function encodePage(
  exchange: Exchange,
  input: Input,
  result: unknown[],
  { order, sorts }: Extract<Output, { kind: 'page' }>,
): Outgoing {
  const chosen = chosenOrder(order, sorts, input.call.query)
  const { rows, next } = cutPage(chosen, input.call.page, result, input.paging?.position)
  return encodeList(exchange, input, rows, next)
}

/** A list that was read whole: cut into pages, unless all of it is one page. */
function encodeAll(
  exchange: Exchange,
  input: Input,
  result: unknown[],
  { paging }: Extract<Output, { kind: 'all' }>,
): Outgoing {
  if (paging !== 'pages') return encodeList(exchange, input, result, undefined)
  const { rows, next } = cutWhole(result, input.call.page.limit, input.paging?.position)
  return encodeList(exchange, input, rows, next)
}

function encodeList(
  exchange: Exchange,
  input: Input,
  rows: readonly unknown[],
  next: CursorPosition | undefined,
): Outgoing {
  return {
    reads: () => readsOf(exchange, rows),
    reply: charged => {
      const cursor = next ? `"${present(input.paging, 'the paging').cursorAt(next)}"` : 'null'
      const data = presentRows(exchange, rows)
      return json(`{"object":"list","data":${data},"has_more":${next !== undefined},"next_cursor":${cursor}}`, charged)
    },
  }
}

function encodeLog(
  exchange: Exchange,
  _input: Input,
  { rows, hasMore, envelopeFields }: LogResponse<unknown, object>,
  output: Extract<Output, { kind: 'log' }>,
): Outgoing {
  return {
    reads: () => readsOf(exchange, rows),
    reply: charged => {
      const fields = encodeEnvelopeFields(output.envelopeFields, envelopeFields)
      const data = presentRows(exchange, rows)
      return json(`{"object":"list","data":${data},"has_more":${hasMore},"next_cursor":null${fields}}`, charged)
    },
  }
}

function encodeText(
  _exchange: Exchange,
  _input: Input,
  { row, status, headers }: HandlerResponse<string | Buffer>,
): Outgoing {
  return {
    reads: () => [],
    reply: () => ({ status, body: row, contentType: JSON_TYPE, headers: Object.entries(headers).flat() }),
  }
}

function encodeFile(_exchange: Exchange, _input: Input, file: FileResponse): Outgoing {
  return {
    reads: () => file.reads,
    reply: charged => ({
      status: 200,
      body: file,
      contentType: file.contentType,
      headers: ['Content-Disposition', attachment(file.filename), ...charged],
    }),
    discard: () => file.stream.destroy(),
  }
}

const json = (body: string, headers: string[]): Reply => ({ status: 200, body, contentType: JSON_TYPE, headers })

const NO_SCOPES: ReadonlySet<never> = new Set()

function presenter({ route, caller, included }: Exchange): Presenter {
  const { shape } = route.output as { shape: Shape }
  const shown = route.include && included ? shapeWithIncluded(shape, route.include, included) : shape
  return presenterFor(shown, route.presentWithoutScopes ? NO_SCOPES : caller.scopes)
}

/** For a key that must name its workspace, the one that links carry: followed as they are, they work. */
const linkedWorkspace = ({ caller, workspace }: Exchange): string | undefined =>
  mustNameWorkspace(caller) ? workspace : undefined

/** A row as this caller may see it. */
export const presentRow = (exchange: Exchange, row: unknown): string =>
  presenter(exchange).encode(row, linkedWorkspace(exchange))

const presentRows = (exchange: Exchange, rows: readonly unknown[]): string =>
  encodeArray(rows, presenter(exchange).encode, linkedWorkspace(exchange))

function readsOf(exchange: Exchange, rows: readonly unknown[]): PersonalRead[] {
  const reads: PersonalRead[] = []
  const { reads: collect } = presenter(exchange)
  for (const row of rows) collect(row, reads)
  return reads
}
