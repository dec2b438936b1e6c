import { invalid } from '../kernel/errors/api-error.ts'
import { closed } from '../kernel/http/closed.ts'
import { textParam } from '../kernel/http/params.ts'
import { Type } from '../kernel/schema/types.ts'
import { emailKey } from '../kernel/text/person-keys.ts'
import {
  addOptOuts,
  MAX_OPT_OUT_LINES,
  NEWEST_FIRST,
  readAddresses,
  readOptOuts,
  removeOptOut,
} from '../resources/opt-outs/index.ts'
import { list, post } from './program.ts'

const MAX_INVALID_SHOWN = 100

/** Addresses that no message of the workspace is sent to. Owners and admins keep the list. */
export const optOutEndpoints = [
  list({
    path: '/opt-outs',
    query: { email: textParam('Only this email address.', 254) },
    order: NEWEST_FIRST,
    handler: async ({ db, services, session, query, page }) => {
      const pepper = services.keyring.signText('cursor', `opt-outs ${session.workspaceId}`)
      return readOptOuts(db, session.workspaceId, query, page, pepper)
    },
  }),
  post({
    path: '/opt-outs',
    // one address a line; `addresses` of a large file are sent in several calls
    body: Type.Object({ addresses: Type.String({ minLength: 1, maxLength: 200_000 }) }, closed),
    handler: async ({ db, session, body }) => {
      const { keys, invalid: lines } = readAddresses(body.addresses)
      if (keys.length + lines.length > MAX_OPT_OUT_LINES)
        invalid('addresses', `must be at most ${MAX_OPT_OUT_LINES} lines`)
      const done = await db.transaction(tx => addOptOuts(tx, session.workspaceId, keys))
      // numbers of lines without an email address, the first hundred
      return { ...done, invalid_lines: lines.slice(0, MAX_INVALID_SHOWN), invalid_count: lines.length }
    },
  }),
  post({
    path: '/opt-outs/remove',
    body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }) }, closed),
    handler: async ({ db, session, body }) => {
      const key = emailKey(body.email) ?? invalid('email', 'must be an email address')
      const removed = await db.transaction(tx => removeOptOut(tx, session.workspaceId, key))
      return removed ? { email: key } : undefined
    },
  }),
]
